import { isObject, isSafeName, type Json, type JsonObject } from '../json.ts'
import { applyRule, isTruthy } from '../logic/rule.ts'
import type { DataSource } from '../page/page.ts'
import type { HttpMethod, HttpRequest } from '../ports.ts'
import { asText, evaluateVariable, itemValue, type VariableScope } from './variables.ts'

/** What a data source needs beside its own definition. */
export interface RequestContext extends VariableScope {
  /** Fills the `{{ }}` places of a text; undefined when it is one single place that names nothing. */
  readonly fill: (text: string) => Json | undefined
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])

/**
 * Turns a declared data source into a plain request. Query values are escaped, items without a value are left out and a source
 * without parameters gets no `?` (PLATFORM 9.6; the original does neither).
 *
 * @returns the request; its `url` is empty when the URL expression gives nothing
 */
export function buildRequest(source: DataSource, at: RequestContext): HttpRequest {
  const method = String(source.requestMethod ?? 'get').toUpperCase()
  const query = itemsOf(source.params, at)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(asText(value))}`)
    .join('&')
  const headers = Object.fromEntries(
    itemsOf(source.headers, at).map(([name, value]) => [name, asText(value)]),
  )
  const url = urlOf(source, at)
  const body = bodyOf(source, at)
  return {
    url: query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`,
    method: (METHODS.has(method) ? method : 'GET') as HttpMethod,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(method === 'GET' || method === 'HEAD' || body === undefined ? {} : { body }),
  }
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
  const whole = body === 'form' ? { ...at.scope.form } : fillJson(body, at)
  return isObject(whole) ? { ...whole, ...items } : whole
}

/**
 * Fills every text in a JSON template; a text that is one single place keeps the type of what it names. An object with `$if` stays
 * only while that rule holds.
 */
export function fillJson(template: Json, at: Pick<RequestContext, 'fill' | 'scope'>): Json | undefined {
  if (typeof template === 'string') return template.includes('{{') ? at.fill(template) : template
  if (Array.isArray(template)) {
    const parts = template.filter((part) => stays(part, at)).map((part) => fillJson(part, at))
    return parts.filter((part) => part !== undefined)
  }
  if (!isObject(template)) return template
  const filled = Object.entries(template).map(([name, part]): [string, Json | undefined] => [
    name,
    part === undefined || name === '$if' || !isSafeName(name) || !stays(part, at)
      ? undefined
      : fillJson(part, at),
  ])
  return Object.fromEntries(filled.filter(([, part]) => part !== undefined))
}

function stays(part: Json, { scope }: Pick<RequestContext, 'scope'>): boolean {
  return !isObject(part) || part.$if === undefined || isTruthy(applyRule(part.$if, scope))
}
