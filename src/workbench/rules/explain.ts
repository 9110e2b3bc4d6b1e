import type { Json } from '../../../runtime/core/json.ts'
import { valueAt } from '../../../runtime/core/json.ts'
import { applyRule, isTruthy } from '../../../runtime/core/logic/rule.ts'
import type { Scope } from '../../../runtime/core/page/scope.ts'
import { t, wordOr } from '../context.ts'
import type { Readable } from './fields-of.ts'
import { type Comparison, type Condition, type Group, isGroup, type Kind, readRule } from './model.ts'

/** The rule as a sentence; '' for one that can only be shown as JSON. */
export function sentenceOf(group: Group, fields: readonly Readable[]): string {
  const parts = group.parts.map((part) => {
    const words = isGroup(part) ? sentenceOf(part, fields) : conditionWords(part, fields)
    return isGroup(part) && part.parts.length > 1 && !part.not
      ? t('workbench.rule.brackets', { words })
      : words
  })
  const words = parts.join(t(`workbench.rule.${group.join}`))
  return group.not ? t('workbench.rule.not', { words }) : words
}

function conditionWords({ path, comparison, value }: Condition, fields: readonly Readable[]): string {
  const places = { name: nameOf(path, fields), value: valueWords(value, path, fields) }
  return comparisonWord('compare', comparison, kindAt(path, fields), places)
}

/** The kind of value at a path; `any` if it is not a field of the page. */
const kindAt = (path: string, fields: readonly Readable[]): Kind =>
  fields.find((field) => field.path === path)?.kind ?? 'any'

/** A comparison in the wording of the kind: a day is later than another, not larger. */
export function comparisonWord(
  manner: 'compare' | 'comparison',
  comparison: Comparison,
  kind: Kind,
  places: Readonly<Record<string, string>> = {},
): string {
  const isTime = kind === 'day' || kind === 'moment' || kind === 'time'
  const specificCode = `workbench.${manner}.${isTime ? 'time.' : ''}${comparison}`
  return t(wordOr(specificCode, '') === '' ? `workbench.${manner}.${comparison}` : specificCode, places)
}

const nameOf = (path: string, fields: readonly Readable[]): string =>
  fields.find((field) => field.path === path)?.label ?? path

/** A value as text: the label of a choice. */
export function valueWords(value: Json | undefined, path: string, fields: readonly Readable[]): string {
  if (Array.isArray(value))
    return value.map((one) => valueWords(one, path, fields)).join(t('workbench.rule.comma'))
  const choice = fields.find((field) => field.path === path)?.choices.find((one) => one.value === value)
  if (choice !== undefined) return choice.label
  if (value === undefined || value === null || value === '') return t('workbench.rule.nothing')
  if (typeof value === 'boolean') return t(value ? 'workbench.rule.yes' : 'workbench.rule.no')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * The current result of a rule on the page, and the reason; '' if there is no rule.
 *
 * @param scope  null: each row has its own
 */
export function reasonOf(rule: Json | undefined, scope: Scope | null, fields: readonly Readable[]): string {
  if (rule === undefined || rule === null) return ''
  const group = readRule(rule)
  const words = group === null ? JSON.stringify(rule) : sentenceOf(group, fields)
  if (scope === null) return t('workbench.rule.by-row', { words })
  const holds = isTruthy(applyRule(rule, scope))
  const because = pathsIn(rule)
    .map((path) => `${nameOf(path, fields)} = ${valueWords(valueAt(scope, path), path, fields)}`)
    .join(t('workbench.rule.comma'))
  return t(holds ? 'workbench.rule.holds' : 'workbench.rule.fails', { words, because })
}

/** Paths that a rule reads, each once. */
function pathsIn(rule: Json): readonly string[] {
  if (typeof rule !== 'object' || rule === null) return []
  if (Array.isArray(rule)) return [...new Set(rule.flatMap((one: Json) => pathsIn(one)))]
  const found = Object.entries(rule).flatMap(([key, value]) =>
    key === 'var' && typeof value === 'string' ? [value] : pathsIn(value ?? null),
  )
  return [...new Set(found)]
}
