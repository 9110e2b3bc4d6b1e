import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import type { ConnectionSetting } from './setting.ts'

/** Spellings of a path that servers interpret differently: encoded slashes, and parent steps. */
const AMBIGUOUS = /\\|%2f|%5c|%00|\/\/|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i

/**
 * The address of a call on a connection.
 *
 * @param path  from the page: begins with `/`, includes the query
 * @throws Refusal 405 if the connection does not allow it
 */
export function addressOf({ base, paths }: ConnectionSetting, path: string, label: string): URL {
  const [written = ''] = path.split('?')
  const closed = (): never => refuse(405, 'NO_PERMISSION', text('conn.path', { label, path: written }))
  if (AMBIGUOUS.test(written) || !URL.canParse(`${base}${path}`)) return closed()
  const url = new URL(`${base}${path}`)
  return isWithin({ base, paths }, url) ? url : closed()
}

/** True for an address of the same origin, below the connection's address, at a path it allows. */
export function isWithin({ base, paths }: Pick<ConnectionSetting, 'base' | 'paths'>, url: URL): boolean {
  const root = new URL(base)
  const start = root.pathname.replace(/\/+$/, '')
  if (url.origin !== root.origin || !`${url.pathname}/`.startsWith(`${start}/`)) return false
  const below = url.pathname.slice(start.length) || '/'
  return !AMBIGUOUS.test(below) && paths.some((pattern) => patternOf(pattern).test(below))
}

function patternOf(pattern: string): RegExp {
  const parts = pattern.split('/').map((part) => {
    if (part === '**') return '.*'
    return part === '*' ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  // Everything below, including the folder itself.
  return new RegExp(`^${parts.join('/').replace(/\/\.\*$/, '(?:/.*)?')}$`)
}
