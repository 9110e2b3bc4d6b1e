import { isObject, type Json, type JsonObject, ownValue, sameJson } from '../../../runtime/core/json.ts'

/** Rows by collection. */
export type Tables = Map<string, JsonObject[]>

interface Step {
  readonly method: string
  readonly params: readonly Json[]
}

/** A small client database: equality, one sort, paging, count, add, update, remove. */
export function runCommand(command: Json | undefined, tables: Tables): Json {
  const list = ownValue(command, '$db')
  const steps = (Array.isArray(list) ? list : []).map(readStep)
  const first = (method: string) => steps.find((step) => step.method === method)?.params[0]
  const name = nameOf(first('collection'))
  const rows = tables.get(name)
  if (!rows) return { code: 'COLLECTION_NOT_FOUND', message: `没有数据表 ${name}` }
  const where = first('where')
  const fits = (row: JsonObject) =>
    !isObject(where) || Object.entries(where).every(([field, value]) => sameJson(row[field], value))
  const last = steps.at(-1)
  switch (last?.method) {
    case 'add': {
      const row = { _id: `id-${rows.length + 1}`, ...(isObject(last.params[0]) ? last.params[0] : {}) }
      rows.push(row)
      return { id: row._id, inserted: 1 }
    }
    case 'remove': {
      const kept = rows.filter((row) => !fits(row))
      tables.set(name, kept)
      return { deleted: rows.length - kept.length }
    }
    case 'update': {
      const change = isObject(last.params[0]) ? last.params[0] : {}
      tables.set(
        name,
        rows.map((row) => (fits(row) ? { ...row, ...change } : row)),
      )
      return { updated: rows.filter(fits).length }
    }
    case 'count':
      return { total: rows.filter(fits).length }
    default:
      return select(rows.filter(fits), first, ownValue(last?.params[0], 'getCount') === true)
  }
}

/** A collection's name; a temporary table stands for the collection it was created from. */
function nameOf(collection: Json | undefined): string {
  const steps = ownValue(collection, '$db')
  if (!Array.isArray(steps)) return String(collection)
  return nameOf(steps.map(readStep).find((step) => step.method === 'collection')?.params[0])
}

function select(found: JsonObject[], first: (method: string) => Json | undefined, getCount: boolean): Json {
  const [field = '', direction = 'asc'] = String(first('orderBy') ?? '').split(' ')
  const sign = direction === 'desc' ? -1 : 1
  const sorted = field === '' ? found : [...found].sort((a, b) => sign * compare(a[field], b[field]))
  const skip = Number(first('skip') ?? 0)
  const limit = Number(first('limit') ?? 100)
  return { data: sorted.slice(skip, skip + limit), ...(getCount ? { count: found.length } : {}) }
}

function compare(a: Json | undefined, b: Json | undefined): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))
}

function readStep(step: Json): Step {
  const params = ownValue(step, '$param')
  return { method: String(ownValue(step, '$method')), params: Array.isArray(params) ? params : [] }
}
