import { isObject, type Json } from '../json.ts'
import { queryPart } from '../text/query.ts'
import type { ActionFrame, ActionHost } from './action-host.ts'

/** Parameters that select a page of an answer, not its rows. */
const PAGE_KEYS: ReadonlySet<string> = new Set(['cursor', 'limit', 'clientToken', 'withTotal', 'withTabs'])

/**
 * An address with the `query` of an action appended, escaped. Placeholders in a text are replaced; `{ "source": name }` is the current request of
 * that data source, as JSON, so that the next page knows the list from which it was opened. Empty values are left out.
 */
export function withQuery(
  url: string,
  query: Json | undefined,
  frame: ActionFrame,
  host: ActionHost,
): string {
  const parts = Object.entries(isObject(query) ? query : {}).flatMap(([name, value]) => {
    const written = isObject(value)
      ? requestBody(host.asked(String(value.source)))
      : textOf(value, frame, host)
    return written === '' ? [] : [queryPart(name, written)]
  })
  return parts.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${parts.join('&')}`
}

function textOf(value: Json | undefined, frame: ActionFrame, host: ActionHost): string {
  const filled = typeof value === 'string' ? host.fill(value, frame) : value
  return filled === null || filled === undefined ? '' : String(filled)
}

function requestBody(body: Json): string {
  if (!isObject(body)) return ''
  return JSON.stringify(Object.fromEntries(Object.entries(body).filter(([name]) => !PAGE_KEYS.has(name))))
}
