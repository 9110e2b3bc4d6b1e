import { problem } from '../errors.ts'
import { isObject, type Json, ownValue } from '../json.ts'
import type { Build } from './build.ts'

/** The name a widget-list item refers to: `{ "fragment": "name" }` or `{ "type": "fragment", "ref": "name" }`; else null. */
export function fragmentName(item: unknown): string | null {
  if (!isObject(item)) return null
  if (item.type === 'fragment') return typeof item.ref === 'string' ? item.ref : ''
  return item.type === undefined && typeof item.fragment === 'string' ? item.fragment : null
}

/**
 * The widgets of a named fragment: a list, or an object with a `widgetList`.
 *
 * @param open  fragments currently being read, outermost first
 * @returns null after reporting FRAGMENT_UNKNOWN or FRAGMENT_CYCLE at `at`
 */
export function fragmentWidgets(
  build: Build,
  name: string,
  at: string,
  open: readonly string[],
): readonly unknown[] | null {
  if (open.includes(name)) {
    build.report(problem('FRAGMENT_CYCLE', at, { path: [...open, name].join(' → ') }))
    return null
  }
  const content = ownValue(build.fragments, name)
  const list: Json | undefined = isObject(content) ? content.widgetList : content
  if (Array.isArray(list)) return list
  build.report(problem('FRAGMENT_UNKNOWN', at, { name }))
  return null
}
