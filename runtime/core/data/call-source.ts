import type { Json, JsonObject } from '../json.ts'
import type { DataSource } from '../page/page.ts'
import type { HttpRequest } from '../ports.ts'
import { queryPart } from '../text/query.ts'
import { buildRequest, type RequestContext } from './build-request.ts'
import { asText } from './variables.ts'

/** A script's request by URL (`axios`, `fetch`). */
export interface UrlCall {
  readonly url: string
  readonly method: string
  readonly query: JsonObject
  readonly body?: Json
}

/**
 * The request for a script's own call: the declared source with the same URL (without query) and method supplies address and headers, the call its
 * query and body. Undefined if no source is declared for it: nothing else may be sent (HOOKS 1.1).
 */
export function callRequest(
  call: UrlCall,
  sources: Iterable<DataSource>,
  context: RequestContext,
): HttpRequest | undefined {
  const { url, query } = split(call.url)
  for (const source of sources) {
    const built = buildRequest(source, context)
    if (built.method !== call.method.toUpperCase() || split(built.url).url !== url) continue
    const given = Object.entries(call.query).map(([name, value]) => queryPart(name, asText(value)))
    const queryText = [query, ...given].filter((part) => part !== '').join('&')
    const search = queryText === '' ? split(built.url).query : queryText
    const { body: declared, ...rest } = built
    const body = call.body ?? declared
    return {
      ...rest,
      url: search === '' ? url : `${url}?${search}`,
      ...(built.method === 'GET' || body === undefined ? {} : { body }),
    }
  }
  return undefined
}

/** Address and query, without the fragment after `#`. */
function split(url: string): { readonly url: string; readonly query: string } {
  const [address = ''] = url.split('#')
  const at = address.indexOf('?')
  return at < 0 ? { url: address, query: '' } : { url: address.slice(0, at), query: address.slice(at + 1) }
}
