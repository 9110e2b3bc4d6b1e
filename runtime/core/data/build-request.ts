import { isObject, isSafeName, type Json, type JsonObject } from '../json.ts'
import { applyRule, isTruthy } from '../logic/rule.ts'
import type { DataSource } from '../page/page.ts'
import type { HttpMethod, HttpRequest } from '../ports.ts'
import { queryPart } from '../text/query.ts'
import { asText, evaluateVariable, itemValue, type VariableScope } from './variables.ts'

/** What a data source needs besides its own definition. */
export interface RequestContext extends VariableScope {
  /** Called for a rule in a body that has no result. */
  readonly onBound?: (error: RangeError) => void
  /** Replaces the `{{ }}` placeholders of a text; undefined if it is one single placeholder without a value. */
  readonly fill: (text: string) => Json | undefined
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])

/** A request in parts, so that code can change it. */
export interface RequestParts {
  /** Empty if the URL expression has no value. */
  readonly url: string
  readonly method: HttpMethod
  readonly headers: Readonly<Record<string, string>>
  /** Name and value, in order; a name may be repeated. */
  readonly params: readonly (readonly [string, Json])[]
  /** Also for a GET, where it is left out only when sending. */
  readonly data: Json | undefined
}

/** The plain request of a declared data source; see {@link joinRequest}. */
export function buildRequest(source: DataSource, at: RequestContext): HttpRequest {
  return joinRequest(requestParts(source, at))
}

/** The request of a declared data source, with every expression evaluated. Items without a value are left out. */
export function requestParts(source: DataSource, at: RequestContext): RequestParts {
  return {
    url: urlOf(source, at),
    method: methodOf(source.requestMethod) ?? 'GET',
    headers: Object.fromEntries(itemsOf(source.headers, at).map(([name, value]) => [name, asText(value)])),
    params: itemsOf(source.params, at),
    data: bodyOf(source, at),
  }
}

/** Query values are escaped, and a request without parameters gets no `?`; GET and HEAD have no body. */
export function joinRequest({ url, method, headers, params, data }: RequestParts): HttpRequest {
  const query = params.map(([name, value]) => queryPart(name, asText(value))).join('&')
  return {
    url: query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`,
    method,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(method === 'GET' || method === 'HEAD' || data === undefined ? {} : { body: data }),
  }
}

/** A method in any case; undefined for what is none. */
export function methodOf(word: Json | undefined): HttpMethod | undefined {
  const method = String(word ?? '').toUpperCase()
  return METHODS.has(method) ? (method as HttpMethod) : undefined
}

function urlOf(source: DataSource, at: RequestContext): string {
  const written = source.requestURL ?? ''
  if (source.requestURLType === 'Variable') return asText(evaluateVariable(written, at))
  return written.includes('{{') ? asText(at.fill(written)) : written
}

function itemsOf(items: readonly JsonObject[] | undefined, at: RequestContext): [string, Json][] {
  return (items ?? []).flatMap((item): [string, Json][] => {
    const value = itemValue(item, at)
    return typeof item.name !== 'string' || item.name === '' || !isSafeName(item.name) || value === undefined
      ? []
      : [[item.name, value]]
  })
}

function bodyOf(source: DataSource, at: RequestContext): Json | undefined {
  const items = Object.fromEntries(itemsOf(source.data, at))
  const { body } = source
  if (body === undefined || body === null) return source.data === undefined ? undefined : items
  const complete = body === 'form' ? { ...at.scope.form } : fillJson(body, at)
  return isObject(complete) ? { ...complete, ...items } : complete
}

/**
 * Replaces the placeholders in a JSON template; a text that is one single placeholder keeps the type of its value. An object with `$if` is kept only
 * while that rule is true; one with `$without` loses what that rule names.
 */
export function fillJson(
  template: Json,
  at: Pick<RequestContext, 'fill' | 'scope' | 'onBound'>,
): Json | undefined {
  if (typeof template === 'string') return template.includes('{{') ? at.fill(template) : template
  if (Array.isArray(template)) {
    const parts = template.filter((part) => stays(part, at)).map((part) => fillJson(part, at))
    return parts.filter((part) => part !== undefined)
  }
  if (!isObject(template)) return template
  const filled = Object.entries(template).map(([name, part]): [string, Json | undefined] => [
    name,
    part === undefined || RULES.has(name) || !isSafeName(name) || !stays(part, at)
      ? undefined
      : fillJson(part, at),
  ])
  const defined = Object.fromEntries(filled.filter(([, part]) => part !== undefined)) as JsonObject
  return template.$without === undefined
    ? defined
    : leftOf(defined, applyRule(template.$without, at.scope, at.onBound))
}

/** Keys of an object that control how it is processed. */
const RULES: ReadonlySet<string> = new Set(['$if', '$without'])

/** The values without the named ones: named in a list, or in a table with nested tables for parts of a value. */
function leftOf(values: JsonObject, named: Json): JsonObject {
  if (Array.isArray(named)) return leftOf(values, Object.fromEntries(named.map((one) => [String(one), true])))
  if (!isObject(named)) return values
  const remaining = Object.entries(values).flatMap(([name, value = null]): [string, Json][] => {
    const override = Object.hasOwn(named, name) ? (named[name] ?? null) : null
    if (isObject(override)) return [[name, isObject(value) ? leftOf(value, override) : value]]
    return isTruthy(override) ? [] : [[name, value]]
  })
  return Object.fromEntries(remaining)
}

function stays(part: Json, { scope, onBound }: Pick<RequestContext, 'scope' | 'onBound'>): boolean {
  return !isObject(part) || part.$if === undefined || isTruthy(applyRule(part.$if, scope, onBound))
}
