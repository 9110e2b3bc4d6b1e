import { failure } from '../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'
import type { Outcome } from '../core/ports.ts'
import type { Cloud } from './cloud.ts'
import { toCloudError } from './cloud-error.ts'
import type { ObjectOptions } from './cloud-object.ts'
import { type CloudQuery, runQuery } from './paged-query.ts'

/** The target of a `cloud:` address. */
export type CloudTarget =
  | { readonly kind: 'function'; readonly space?: string; readonly name: string }
  | { readonly kind: 'object'; readonly space?: string; readonly name: string; readonly method: string }
  | { readonly kind: 'db'; readonly space?: string; readonly name: string }
  | { readonly kind: 'upload'; readonly space?: string }

const FORM = /^cloud:(?:\/\/([^/]+)\/)?(.+)$/

/**
 * Parses a `cloud:` address: `cloud:function/<name>`, `cloud:object/<name>/<method>`, `cloud:db/<collection>`, `cloud:upload`; `cloud://<space>/…`
 * names a space other than the first.
 * @returns undefined for anything else
 */
export function parseCloudUrl(url: string): CloudTarget | undefined {
  const [, space, rest] = FORM.exec(url) ?? []
  const [kind, name, method, ...more] = rest?.split('/') ?? []
  const inSpace = space === undefined ? {} : { space }
  if (more.length > 0) return undefined
  if (kind === 'upload' && name === undefined) return { kind, ...inSpace }
  if (!name) return undefined
  if (kind === 'object') return method ? { kind, ...inSpace, name, method } : undefined
  return (kind === 'function' || kind === 'db') && method === undefined
    ? { kind, ...inSpace, name }
    : undefined
}

/**
 * Runs the `cloud:` address of a data source: `data` are the function's arguments, the method's only parameter or the query's options. Never rejects;
 * a failure has the cloud's code in `type`, and `shown` if the user has seen a message.
 */
export async function runCloudUrl(
  cloud: Cloud,
  url: string,
  data: JsonObject,
  options: ObjectOptions = { customUI: true },
): Promise<Outcome<Json>> {
  const target = parseCloudUrl(url)
  if (!target || target.kind === 'upload') {
    return { ok: false, error: failure('REFUSED', { reason: `"${url}" is no call of the cloud` }) }
  }
  try {
    const client = target.space === undefined ? cloud : cloud.space(target.space)
    if (target.kind === 'function') {
      return { ok: true, value: (await client.callFunction({ name: target.name, data })).result }
    }
    if (target.kind === 'object') {
      const call = { objectName: target.name, methodName: target.method, params: [data] }
      return { ok: true, value: await client.callObject(call, options) }
    }
    return { ok: true, value: await queryRows(client, target.name, data) }
  } catch (thrown) {
    const error = toCloudError(thrown)
    const shown = target.kind === 'object' && !options.customUI
    const more = { message: error.errMsg, type: String(error.errCode), cause: error, shown }
    return { ok: false, error: failure('REFUSED', { reason: error.errMsg }, more) }
  }
}

async function queryRows(cloud: Cloud, collection: string, data: JsonObject): Promise<Json> {
  const query = readQuery(data)
  const page = await runQuery(cloud.databaseForJQL(), { ...query, collection })
  // `list` and `nextPage` are the names that lists and pickers of a page expect.
  return { ...page, list: page.data, nextPage: page.ended ? null : (query.pageCurrent ?? 1) + 1 }
}

function readQuery(data: JsonObject): Omit<CloudQuery, 'collection'> {
  const text = (name: string) => (typeof data[name] === 'string' ? { [name]: data[name] } : {})
  // Parameters in the address (`cloud:db/tasks?pageSize=7`) are texts.
  const number = (name: string) => {
    const value = data[name]
    const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    return typeof read === 'number' && Number.isFinite(read) ? { [name]: read } : {}
  }
  const flag = (name: string) => {
    const value = data[name]
    const read = value === 'true' || (value === 'false' ? false : value)
    return typeof read === 'boolean' ? { [name]: read } : {}
  }
  return {
    ...Object.assign(
      {},
      ...['action', 'field', 'foreignKey', 'groupby', 'groupField', 'orderby', 'startwith'].map(text),
    ),
    ...Object.assign({}, ...['pageCurrent', 'pageSize', 'limitlevel'].map(number)),
    ...Object.assign({}, ...['distinct', 'getcount', 'gettree', 'gettreepath'].map(flag)),
    ...(typeof data.where === 'string' || isObject(data.where) ? { where: data.where } : {}),
  }
}
