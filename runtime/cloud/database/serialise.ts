import type { Json } from '../../core/json.ts'

/** A value allowed in a database command: JSON, dates, patterns and expressions of the database. */
export type DbParam =
  | Json
  | undefined
  | Date
  | RegExp
  | DbExpression
  | readonly DbParam[]
  | { readonly [name: string]: DbParam }

/** A part of a command with its own serialised form: another chain, `serverDate`, a location … */
export interface DbExpression {
  toJSON(): Json
}

/** The serialised form of a parameter (PROTOCOL 1.7); the parameter itself is not changed. */
export function serialise(param: DbParam): Json {
  if (param instanceof Date) return { $date: param.toISOString() }
  if (param instanceof RegExp) return { $regexp: { source: param.source, flags: param.flags } }
  if (typeof param !== 'object' || param === null) return param ?? null
  if (isExpression(param)) return param.toJSON()
  if (Array.isArray(param)) return param.map((one: DbParam) => serialise(one))
  const fields = Object.entries(param as { readonly [name: string]: DbParam })
  return Object.fromEntries(
    fields.filter(([, value]) => value !== undefined).map(([name, value]) => [name, serialise(value)]),
  )
}

function isExpression(param: object): param is DbExpression {
  return 'toJSON' in param && typeof param.toJSON === 'function'
}
