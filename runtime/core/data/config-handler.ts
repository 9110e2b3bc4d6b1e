import { isObject, type Json, type JsonObject, ownValue, sameJson } from '../json.ts'
import { methodOf, type RequestParts } from './build-request.ts'

/** What `configHandlerCode` is given: `params` by name, a name that comes more than once with its list of values. */
export function configOf({ url, method, headers, params, data }: RequestParts): JsonObject {
  return { url, method, headers: { ...headers }, params: paramsOf(params), data: data ?? null }
}

/**
 * The request with what `configHandlerCode` has changed. What it left out or made useless stays as it was; of the parameters, those it
 * took out are gone.
 */
export function changedParts(parts: RequestParts, config: JsonObject): RequestParts {
  const { url, method, headers, params } = config
  const data = config.data === undefined ? parts.data : config.data
  return {
    url: typeof url === 'string' ? url : parts.url,
    method: methodOf(method) ?? parts.method,
    headers: isObject(headers) ? textsOf(headers) : parts.headers,
    params: isObject(params) ? changedParams(parts.params, params) : parts.params,
    data: data === null ? undefined : data,
  }
}

function paramsOf(params: RequestParts['params']): JsonObject {
  const byName: Record<string, Json> = {}
  for (const [name] of params) {
    const values = params.filter(([other]) => other === name).map(([, value]) => value)
    byName[name] = values.length > 1 ? values : (values[0] ?? null)
  }
  return byName
}

/** What was not touched goes out as it would have; a list that code wrote goes out value by value. */
function changedParams(before: RequestParts['params'], after: JsonObject): RequestParts['params'] {
  const known = paramsOf(before)
  const isKept = (name: string): boolean => {
    const [was, is] = [ownValue(known, name), ownValue(after, name)]
    return was !== undefined && is !== undefined && sameJson(was, is)
  }
  const changed = Object.entries(after).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
    if (isKept(name) || value === null || value === undefined) return []
    return Array.isArray(value) ? value.map((one: Json) => [name, one] as const) : [[name, value]]
  })
  return [...before.filter(([name]) => isKept(name)), ...changed]
}

const textsOf = (headers: JsonObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
