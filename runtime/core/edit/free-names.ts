import { isObject, type Json, ownValue } from '../json.ts'
import { type Item, itemsOf } from './entries.ts'
import { nodesOf } from './merge-nodes.ts'

/**
 * Prepares `mine` for merging with `theirs`: widgets that it has added under a name that `theirs` uses for another new widget get an unused name,
 * together with all references — `form.NAME` in rules, templates and code, widgets accessed in code, `field` and `name` of actions. Otherwise, if two
 * people both add an input from the palette, the page would have one name for two values. Theirs keeps its name, because values may be stored under
 * it. This is separate from the merge, which is symmetric, while the choice of the name depends on who has published.
 */
export function withFreeNames(base: Json, mine: Json, theirs: Json): Json {
  const added = nodesOf(base, mine, theirs).all.filter((node) => node.base === undefined)
  const given = new Set(added.flatMap(({ mine, theirs }) => (mine === undefined ? valueName(theirs) : [])))
  const twice = added
    .flatMap(({ mine, theirs }) => (theirs === undefined ? valueName(mine) : []))
    .filter((name) => given.has(name))
  if (twice.length === 0) return mine
  const usedNames = new Set(
    [base, mine, theirs].flatMap((document) => [...itemsOf(document).values()].flatMap(valueName)),
  )
  return twice.reduce((document, name) => renamedTo(document, name, freeName(name, usedNames)), mine)
}

/** The first unused name: `input`, `input2`, `input3` …; it is then in use. */
export function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let n = 2; taken.has(free); n += 1) free = `${name.replace(/\d+$/, '')}${n}`
  taken.add(free)
  return free
}

function valueName(item: Item | undefined): readonly string[] {
  const name = ownValue(item?.written.options, 'name')
  return typeof name === 'string' && name !== '' ? [name] : []
}

/** Keys whose value names a widget. */
const NAMING = new Set(['name', 'field'])

function renamedTo(document: Json, name: string, other: string): Json {
  const escaped = name.replaceAll(/[$.*+?^{}()|[\]\\]/g, '\\$&')
  const before = String.raw`\bform\.|\b(?:getWidgetRef|getFieldValue|setFieldValue)\(['"]`
  const mentions = new RegExp(String.raw`(${before})${escaped}(?![\p{L}\p{N}_$])`, 'gu')
  const walk = (value: Json, key: string): Json => {
    if (typeof value === 'string')
      return value === name && NAMING.has(key) ? other : value.replaceAll(mentions, `$1${other}`)
    if (Array.isArray(value)) return value.map((part) => walk(part, key))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([at, part]) => [at, walk(part ?? null, at)]))
  }
  return walk(document, '')
}
