import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'
import { defaultRule } from './computed-values.ts'
import type { Field } from './description.ts'
import { ownName } from './form-fields.ts'

const OWN = /^(?:form\.)?(?:ext[._])?([a-z]\w{0,39})$/

/**
 * A rule over a record of a module of the product, as its pages read it: there a field of the tenant's own is `ext_<name>`, however the
 * rule calls it (`level`, `ext.level`, `ext_level`, each also behind `form.`).
 * @param own  names of the tenant's own fields
 */
export function ownRule(rule: JsonObject, own: ReadonlySet<string>): JsonObject {
  return mapped(rule, (name) => {
    const found = OWN.exec(name)?.[1]
    return found !== undefined && own.has(found) ? ownName(found) : name
  }) as JsonObject
}

/** A field of a module of the product whose rules are written as pages read them. */
export function withOwnRules<Some extends Field>(field: Some, own: ReadonlySet<string>): Some {
  const usual = defaultRule(field)
  return {
    ...field,
    ...(isObject(field.required) ? { required: ownRule(field.required, own) } : {}),
    ...(usual === undefined ? {} : { default: { rule: ownRule(usual, own) } }),
    ...(field.formula === undefined ? {} : { formula: ownRule(field.formula, own) }),
    ...(field.worked === undefined ? {} : { worked: ownRule(field.worked, own) }),
  }
}

/** Names that a rule reads, as it calls them. */
export function namesRead(rule: JsonObject): readonly string[] {
  const names = new Set<string>()
  mapped(rule, (name) => {
    names.add(name)
    return name
  })
  return [...names]
}

function mapped(rule: Json, to: (name: string) => string): Json {
  if (Array.isArray(rule)) return rule.map((one) => mapped(one, to))
  if (!isObject(rule)) return rule
  return Object.fromEntries(
    Object.entries(rule).map(([key, value]) => [
      key,
      key === 'var' ? variable(value ?? null, to) : mapped(value ?? null, to),
    ]),
  )
}

function variable(value: Json, to: (name: string) => string): Json {
  if (typeof value === 'string') return to(value)
  if (!Array.isArray(value) || typeof value[0] !== 'string') return mapped(value, to)
  const [name, ...others] = value
  return [to(name), ...others.map((other) => mapped(other, to))]
}
