import type { JsonObject } from '../../runtime/core/json.ts'

/** True for a module of the tenant's own: its calls are below `/mini/m/`. */
export type IsOwn = (module: string) => boolean

/** The path of a call on a module of a tenant's own. */
export const ownCall = (name: string, verb: string): string => `/mini/m/${name}/${verb}`

/** A variable of a request. */
export const variable = (name: string, value: string): JsonObject => ({ name, type: 'Variable', value })

/** A data source that only reads. */
export const getSource = (
  uniqueName: string,
  requestURL: string,
  params: readonly JsonObject[] = [],
): JsonObject => ({ uniqueName, requestURL, requestMethod: 'get', params })

/** A widget that holds a value. */
export const formField = (type: string, options: JsonObject): JsonObject => ({
  type,
  formItemFlag: true,
  options,
})

/** Sources that several widgets ask for are there once. */
export const distinct = (sources: readonly JsonObject[]): readonly JsonObject[] => [
  ...new Map(sources.map((source) => [source.uniqueName, source])).values(),
]
