import { isObject, type Json, type JsonObject, ownValue } from '../../../runtime/core/json.ts'

/** The source of the records for a page that shows one. */
export interface RecordPlace {
  /** Parameter of the page that names the record. */
  readonly param: string
  /** Call that lists them. */
  readonly url: string
}

/** One of them, as it is chosen. */
export interface RecordChoice {
  readonly id: string
  readonly title: string
}

const DETAIL = /\/detail$/

/** The records for a page with a parameter that names one; null for other pages. */
export function recordPlace(document: Json): RecordPlace | null {
  const sources = ownValue(ownValue(document, 'formConfig'), 'dataSources')
  for (const source of Array.isArray(sources) ? sources : []) {
    const url = ownValue(source, 'requestURL')
    if (typeof url !== 'string' || !DETAIL.test(url)) continue
    const param = paramOf(source)
    if (param !== null) return { param, url: url.replace(DETAIL, '/list') }
  }
  return null
}

/** The parameter of the page that a source sends as `id`. */
function paramOf(source: Json): string | null {
  const sent = [ownValue(source, 'params'), ownValue(source, 'data')].flatMap((list) =>
    Array.isArray(list) ? list : [],
  )
  for (const one of sent) {
    const value = ownValue(one, 'value')
    if (ownValue(one, 'name') === 'id' && typeof value === 'string' && value.startsWith('params.'))
      return value.slice('params.'.length)
  }
  return null
}

/** Keys that may contain a record's name. */
const TITLES = ['name', 'title', 'payment_no', 'contract_no', 'content', 'code'] as const

/** The records of an answer. */
export function recordsIn(data: Json | undefined): readonly RecordChoice[] {
  const list = ownValue(data, 'list')
  return (Array.isArray(list) ? list : []).filter(isObject).flatMap((record) => {
    const id = ownValue(record, 'id')
    return typeof id === 'string' || typeof id === 'number'
      ? [{ id: String(id), title: titleOf(record) }]
      : []
  })
}

function titleOf(record: JsonObject): string {
  for (const key of TITLES) {
    const value = record[key]
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, 40)
  }
  return String(record.id)
}
