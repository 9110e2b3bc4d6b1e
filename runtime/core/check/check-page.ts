import type { Problem } from '../errors.ts'
import { isObject, type JsonObject, listOf, ownValue } from '../json.ts'
import { isCodeKey } from '../page/has-code.ts'
import type { Page, PageNode } from '../page/page.ts'
import type { PageCheck, Placing } from '../page/parse.ts'
import { joinPointer } from '../page/pointer.ts'
import { RULE_OPTIONS } from '../page/rule-options.ts'
import { checkEvents } from './check-actions.ts'
import { checkFieldOptions } from './check-options.ts'
import { checkSources } from './check-sources.ts'
import { checkTexts } from './check-texts.ts'
import { checkRuleAt, type Names, namesOf } from './names.ts'

/** Maximum nesting in which texts are checked. */
const MAX_DEPTH = 32

/** Rules, texts, actions, patterns and data sources of a built page. */
export const checkPage: PageCheck = (page, placing) => {
  const names = namesOf(page, placing)
  const problems: Problem[] = []
  for (const node of page.nodes.values()) {
    if (node.special.length === 0) continue
    problems.push(...checkOptions(node, names, placing), ...checkFieldOptions(node, names, placing))
  }
  problems.push(...checkSettings(page, names), ...checkSources(page, names))
  return problems
}

function checkOptions(node: PageNode, names: Names, placing: Placing): Problem[] {
  const problems: Problem[] = []
  const { options } = node.widget
  for (const key of node.special) {
    const value = options[key]
    if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number')
      continue
    // A comment for readers of the file.
    if (key.startsWith('$')) continue
    const at = (below: string): string => placing.at(node, `${joinPointer('/options', key)}${below}`)
    if (RULE_OPTIONS.has(key)) problems.push(...checkRuleAt(value, at, names))
    else if (key === 'on') problems.push(...checkEvents(value, at, names))
    else if (Object.hasOwn(ITEM_RULES, key))
      problems.push(...checkItems(value, ITEM_RULES[key] ?? [], at, names))
    else if (!isCodeKey(key) && holdsPlace(value)) problems.push(...checkTexts(value, at, names))
  }
  return problems
}

/** The entries of an option that may be rules. */
const ITEM_RULES: Readonly<Record<string, readonly string[]>> = {
  optionItems: ['visibleOn'],
  columns: ['sortOn', 'editOn'],
}

/** The texts of an option's entries, and their rules. */
function checkItems(
  value: unknown,
  keys: readonly string[],
  at: (below: string) => string,
  names: Names,
): Problem[] {
  const rules = listOf(value).flatMap((item, i) =>
    keys.flatMap((key) => {
      const rule = ownValue(item, key)
      return rule === undefined ? [] : checkRuleAt(rule, (below) => at(`/${i}/${key}${below}`), names)
    }),
  )
  return [...rules, ...(holdsPlace(value) ? checkTexts(value, at, names) : [])]
}

function checkSettings({ settings }: Page, names: Names): Problem[] {
  const at = (below: string): string => `/formConfig/page${below}`
  const title = settings.title === undefined ? [] : checkTexts(settings.title, (b) => at(`/title${b}`), names)
  const events = isObject(settings.on) ? checkEvents(settings.on, (b) => at(`/on${b}`), names) : []
  const rights = Array.isArray(settings.permission) ? settings.permission : []
  const rules = rights.flatMap((right, i) =>
    isObject(right) && right.if !== undefined
      ? checkRuleAt(right.if, (b) => at(`/permission/${i}/if${b}`), names)
      : [],
  )
  return [...title, ...events, ...rules]
}

/** Nearly all texts have no placeholder: testing for one is cheaper than building the pointers for a check. */
function holdsPlace(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.includes('{{')
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false
  if (Array.isArray(value)) return value.some((item) => holdsPlace(item, depth + 1))
  for (const key in value) if (holdsPlace((value as JsonObject)[key], depth + 1)) return true
  return false
}
