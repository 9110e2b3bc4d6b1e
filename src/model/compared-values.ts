import { isObject, type Json } from '../../runtime/core/json.ts'
import type { MergedField, MergedModule } from './merge-module.ts'
import { type DescribedRule, namesInRules, ruleAsRead, rulesReading } from './named-fields.ts'

const COMPARING: ReadonlySet<string> = new Set(['==', '===', '!=', '!==', 'in'])
const PER_ITEM: ReadonlySet<string> = new Set(['some', 'all', 'none', 'filter'])

/**
 * Whether a rule, or anything that stands in a page, compares a field with that value: `{ "==": [{ "var": "type" }, "custom"] }`, or a filter
 * `{ "field": "type", "value": "custom" }`.
 * @param isField  whether a path reads the field
 */
export function comparesWith(rule: Json, isField: (path: string) => boolean, value: string): boolean {
  if (Array.isArray(rule)) return rule.some((part) => comparesWith(part as Json, isField, value))
  if (!isObject(rule)) return false
  if (typeof rule.field === 'string' && isField(rule.field) && isAmong(rule.value, value)) return true
  return Object.entries(rule).some(([op, args]) => {
    if (Array.isArray(args) && args.some((arg) => isRead(arg as Json, isField))) {
      if (COMPARING.has(op) && args.some((arg) => isAmong(arg as Json, value))) return true
      if (PER_ITEM.has(op) && comparesWith((args[1] ?? null) as Json, (path) => path === '', value))
        return true
    }
    return comparesWith(args ?? null, isField, value)
  })
}

function isRead(arg: Json, isField: (path: string) => boolean): boolean {
  const path = isObject(arg) ? arg.var : undefined
  const read = Array.isArray(path) ? path[0] : path
  return typeof read === 'string' && isField(read)
}

const isAmong = (arg: Json | undefined, value: string): boolean =>
  arg === value || (Array.isArray(arg) && arg.includes(value))

/** The rules of other fields, and of the module, that compare a field with that value: without it they never hold, or always. */
export function rulesComparing(
  module: MergedModule,
  field: MergedField,
  value: string,
): readonly DescribedRule[] {
  const [name = ''] = namesInRules(field, module)
  const isField = (path: string): boolean => path === name || path === `form.${name}`
  return rulesReading(module, field).filter(({ rule }) =>
    comparesWith(ruleAsRead(rule, module), isField, value),
  )
}
