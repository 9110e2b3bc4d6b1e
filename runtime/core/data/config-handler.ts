import { isObject, type Json, type JsonObject, ownValue, sameJson } from '../json.ts'
import { methodOf, type RequestParts } from './build-request.ts'

/** The argument of `configHandlerCode`: `params` by name, a repeated name with a list of values. */
export function configOf({ url, method, headers, params, data }: RequestParts): JsonObject {
  return { url, method, headers: { ...headers }, params: paramsOf(params), data: data ?? null }
}

/**
 * The request with the changes of `configHandlerCode`. Parts that are missing or invalid keep their values; parameters that were removed are removed.
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

/** Unchanged values are sent as before; a list written by code is sent value by value. */
function changedParams(before: RequestParts['params'], after: JsonObject): RequestParts['params'] {
  const known = paramsOf(before)
  const isUnchanged = (name: string): boolean => {
    const [was, is] = [ownValue(known, name), ownValue(after, name)]
    return was !== undefined && is !== undefined && sameJson(was, is)
  }
  const changed = Object.entries(after).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
    if (isUnchanged(name) || value === null || value === undefined) return []
    return Array.isArray(value) ? value.map((one: Json) => [name, one] as const) : [[name, value]]
  })
  return [...before.filter(([name]) => isUnchanged(name)), ...changed]
}

const textsOf = (headers: JsonObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
