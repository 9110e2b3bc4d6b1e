import { isObject, type Json } from '../json.ts'
import { joinPointer } from '../page/pointer.ts'

/** A changed value of one plain option of one widget. */
export interface OptionChange {
  /** Pointer of the widget. */
  readonly at: string
  readonly option: string
  readonly value: string | number | boolean
}

/** Options that affect more than a widget's appearance: the page is reopened for them. */
const DEEP = new Set(['name', 'bind', 'dsName', 'defaultValue', 'type', 'keyNameEnabled'])

/** The difference between two documents of which the later shares all unchanged parts; null unless it is exactly one plain option. */
export function optionChange(before: Json, after: Json): OptionChange | null {
  let [was, is, at]: [Json, Json, string] = [before, after, '']
  while (was !== is) {
    const step = differingKey(was, is)
    if (step === null || !isObject(is)) {
      if (step === null || !Array.isArray(is) || !Array.isArray(was)) return null
      ;[was, is, at] = [was[Number(step)] ?? null, is[Number(step)] ?? null, joinPointer(at, step)]
      continue
    }
    const value = is[step] ?? null
    if (at.endsWith('/options') && isPlain(value) && !DEEP.has(step))
      return { at: at.slice(0, -'/options'.length), option: step, value }
    if (!isObject(was)) return null
    ;[was, is, at] = [was[step] ?? null, value, joinPointer(at, step)]
  }
  return null
}

/** The only key with different values; null for none, for several, or for a removed one. */
function differingKey(was: Json, is: Json): string | null {
  if (typeof was !== 'object' || typeof is !== 'object' || was === null || is === null) return null
  if (Array.isArray(was) !== Array.isArray(is)) return null
  const old = was as Readonly<Record<string, Json>>
  const keys = Object.keys(is)
  const differing = keys.filter((key) => old[key] !== (is as Readonly<Record<string, Json>>)[key])
  const hasRemovedKey = Object.keys(was).some((key) => !Object.hasOwn(is, key))
  return differing.length === 1 && !hasRemovedKey ? (differing[0] ?? null) : null
}

const isPlain = (value: Json): value is string | number | boolean =>
  (typeof value === 'string' && !value.includes('{{')) ||
  typeof value === 'number' ||
  typeof value === 'boolean'
