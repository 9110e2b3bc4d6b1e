import type { Json } from '../json.ts'
import type { Page } from '../page/page.ts'
import { splitRowKey } from '../state/cells.ts'
import { HOOKS } from './hook-names.ts'

/**
 * The code of one hook; undefined if there is none. `key`: '' for the form, the node's key for widgets (including the row), the source's name for its
 * handlers.
 */
export function hookCode(page: Page, hook: string, key: string): string | undefined {
  const spec = HOOKS[hook]
  if (!spec) return undefined
  const code = holderOf(page, spec.place, key)?.[hook]
  return hasCode(code) ? code : undefined
}

/** True for a hook that has code. */
export const hasCode = (code: Json | undefined): code is string =>
  typeof code === 'string' && code.trim() !== ''

function holderOf(page: Page, place: 'form' | 'widget' | 'dataSource', key: string) {
  if (place === 'form') return { ...page.settings, ...page.config }
  if (place === 'dataSource') return page.dataSources.get(key)
  return (page.nodes.get(key) ?? page.nodes.get(splitRowKey(key).base))?.options
}
