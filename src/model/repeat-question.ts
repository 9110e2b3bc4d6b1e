import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'
import type { Field } from './description.ts'
import { kindOf } from './kinds/index.ts'
import type { MergedModule } from './merge-module.ts'
import { variable } from './page-parts.ts'

/** What a form answers with where its writer keeps a value that another record has. */
export const REPEATED = 'REPEATED'

/** Fields of the tenant's own whose values may be there twice, knowingly. */
export const warnedFields = ({ fields }: Pick<MergedModule, 'fields'>): readonly Field[] =>
  fields.filter(
    ({ origin, unique, retired, kind }) =>
      origin === 'tenant' && unique === 'warn' && retired !== true && kindOf(kind).several !== true,
  )

/** A question of a form: its title and what it says. */
export interface Question {
  readonly title: string
  readonly content: string
}

/**
 * The page with a question in each action that sends a record which may repeat a value, and with the answer in what is sent then.
 * @param isAsked  whether a call may come back with the question
 */
export function withQuestion(
  document: JsonObject,
  isAsked: (url: string) => boolean,
  question: Question,
): JsonObject {
  const config = isObject(document.formConfig) ? document.formConfig : {}
  const sources = Array.isArray(config.dataSources) ? config.dataSources : []
  const questioned = new Set<Json>()
  const dataSources = sources.map((source) => {
    if (!isObject(source) || typeof source.requestURL !== 'string' || !isAsked(source.requestURL))
      return source
    questioned.add(source.uniqueName ?? null)
    const data = Array.isArray(source.data) ? source.data : []
    const isSent = data.some((one) => isObject(one) && one.name === 'confirm')
    return isSent ? source : { ...source, data: [...data, variable('confirm', 'data.confirm')] }
  })
  if (questioned.size === 0) return document
  const acting = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(acting)
    if (!isObject(value)) return value
    const inside = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, acting(one ?? null)]))
    if (!sendsTo(value).some((name) => questioned.has(name))) return inside
    const others = isObject(inside.ask) ? inside.ask : {}
    return { ...inside, ask: { [REPEATED]: { ...question }, ...others } }
  }
  return acting({ ...document, formConfig: { ...config, dataSources } }) as JsonObject
}

/** The sources that an action may send a record to. */
function sendsTo({ do: name, dsName, create, update }: JsonObject): readonly Json[] {
  if (name === 'submit' || name === 'request') return [dsName ?? null]
  if (name !== 'save') return []
  return dsName === undefined ? [create ?? 'create', update ?? 'update'] : [dsName]
}
