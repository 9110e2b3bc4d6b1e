import { sql } from 'kysely'
import { type Json, type JsonObject, objectsIn } from '../../../../runtime/core/json.ts'
import { holdsPermission } from '../../../contract/permission.ts'
import type { Field } from '../../../model/description.ts'
import type { Words } from '../../../model/kind.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { writeCells } from '../../../model/kinds/lines.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ownRights } from '../auth/permissions.ts'
import type { CallContext } from '../context/call-context.ts'
import { regionName } from '../regions/regions.ts'
import { text } from '../text/text.ts'
import { isOwnVisible } from '../visibility/own-module.ts'
import { isShippedVisible } from '../visibility/shipped.ts'
import { dictLabels } from './dict-label.ts'

/** Modules of the product that a field may refer to; each names its records by `name`. */
const NAMED: ReadonlySet<string> = new Set([
  'customer',
  'contact',
  'lead',
  'bussiness',
  'contract',
  'product',
  'activity',
])
/** True unless the field refers to records that have no name. */
export const isNameable = ({ module }: Pick<Field, 'module'>): boolean =>
  module === undefined || NAMED.has(module)

/**
 * Texts for values of records, as `<field>_name`: for options, flags, colleagues, departments, regions and records. A record that the caller does not
 * see has none.
 */
export async function namesOf(
  rows: readonly JsonObject[],
  { fields }: Pick<MergedModule, 'fields'>,
  ctx: CallContext,
): Promise<readonly JsonObject[]> {
  const found = new Map<string, ReadonlyMap<string, string>>()
  for (const field of fields) {
    const ids = [...new Set(rows.flatMap((row) => idsOf(row[field.name] ?? null)))]
    if (ids.length > 0 && isReference(field)) found.set(field.name, await namesBehind(field, ids, ctx))
  }
  const rowTexts = await rowWords(fields, ctx)
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(
      fields.flatMap((field): [string, Json][] => {
        const value = row[field.name] ?? null
        if (field.kind === 'region')
          return [[`${field.name}_name`, Array.isArray(value) ? regionName(value.map(String)) : '']]
        if (field.kind === 'flag')
          return [[`${field.name}_name`, value === null ? '' : text(value ? 'sheet.yes' : 'sheet.no')]]
        if (kindOf(field.kind).stored === 'json')
          return [
            [`${field.name}_name`, kindOf(field.kind).write(value, field, rowTexts)],
            ...Object.entries(kindOf(field.kind).wireParts?.(value, field) ?? {}).map(
              ([name, part]): [string, Json] => [name, part ?? null],
            ),
          ]
        if (field.options !== undefined)
          return [
            [
              `${field.name}_name`,
              idsOf(value)
                .map((code) => optionLabel(field, code))
                .join('、'),
            ],
          ]
        const names = found.get(field.name)
        if (!isReference(field)) return []
        const words = idsOf(value).map((id) => names?.get(id) ?? '')
        return [[`${field.name}_name`, words.filter((word) => word !== '').join('、')]]
      }),
    ),
  }))
}

/** Texts for values in rows of sub-forms, and for yes and no. */
async function rowWords(fields: readonly Field[], ctx: CallContext): Promise<Words> {
  const labels = await dictLabels(
    fields.filter(({ kind }) => kind === 'lines'),
    ctx,
  )
  return {
    labelOf: (field, code) =>
      field.dict === undefined ? optionLabel(field, code) : labels.get(field.dict)?.get(code),
    regionOf: (codes) => regionName(codes),
    yes: text('sheet.yes'),
    no: text('sheet.no'),
  }
}

/** The rows of each sub-form of a record, each cell in words; none for products that are sold, which have a table of their own. */
export async function rowsInWords(
  record: JsonObject,
  { fields }: Pick<MergedModule, 'fields'>,
  ctx: CallContext,
): Promise<JsonObject> {
  const told = fields.filter(({ kind, rows, retired }) => kind === 'lines' && rows === undefined && !retired)
  if (told.length === 0) return {}
  const words = await rowWords(told, ctx)
  return Object.fromEntries(
    told.map(({ name, fields: columns = [] }) => [
      name,
      objectsIn(record[name]).map((row) => Object.fromEntries(writeCells(row, columns, words, kindOf))),
    ]),
  )
}

const optionLabel = ({ options = [] }: Field, code: string): string => {
  const label = options.find(({ value }) => value === code)?.label
  return label === undefined ? code : labelText(label)
}

const isReference = ({ kind }: Field): boolean => ['ref', 'refs', 'user', 'users', 'dept'].includes(kind)

const idsOf = (value: Json): readonly string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []

/** Id → name of the targets of a reference that the caller sees. */
export async function namesBehind(
  field: Field,
  ids: readonly string[],
  ctx: CallContext,
): Promise<ReadonlyMap<string, string>> {
  const rows = await referred(field, 'id', ids, ctx)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Name → id of the possible targets of a reference that the caller sees; a name shared by two targets is left out. */
export async function idsCalled(
  field: Field,
  names: readonly string[],
  ctx: CallContext,
): Promise<ReadonlyMap<string, string>> {
  const rows = await referred(field, 'name', names, ctx)
  const isOnce = (name: string) => rows.filter((row) => row.name === name).length === 1
  return new Map(rows.filter(({ name }) => isOnce(name)).map(({ id, name }) => [name, id]))
}

interface Referred {
  readonly id: string
  readonly name: string
}

/** Records, colleagues or departments with one of the ids or names that the caller sees. */
async function referred(
  { kind, module = '' }: Field,
  by: 'id' | 'name',
  given: readonly string[],
  { trx, caller, model }: CallContext,
): Promise<readonly Referred[]> {
  const wanted = sql`${[...given]}::text[]`
  const rowsOf = async (query: ReturnType<typeof sql<Referred>>) => (await query.execute(trx)).rows
  const at = (id: string, name = 'name') => sql.ref(by === 'id' ? id : name)
  if (kind === 'user' || kind === 'users')
    return rowsOf(sql`select user_id as id, name from membership
      where tenant_id = ${caller.tenantId} and ${at('user_id')} = any(${wanted})`)
  if (kind === 'dept')
    return rowsOf(sql`select id, name from department where tenant_id = ${caller.tenantId} and ${at('id')} = any(${wanted})
      and deleted_at is null`)
  if (!NAMED.has(module)) {
    const ownModule = model.modules.get(module)
    if (ownModule === undefined || !holdsPermission(caller.permissions, `${ownRights(module)}:view`))
      return []
    return rowsOf(sql`select x.id, x.title as name from record x
      where ${at('x.id', 'x.title')} = any(${wanted}) and ${isOwnVisible(caller, ownModule, 'x')}`)
  }
  return rowsOf(sql`select x.id, x.name from ${sql.table(module)} x
    where ${at('x.id', 'x.name')} = any(${wanted}) and ${isShippedVisible(caller, module, 'x')}`)
}
