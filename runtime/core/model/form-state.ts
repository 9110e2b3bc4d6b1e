import { isObject, isSafeName, type Json, type JsonObject, valueAt } from '../json.ts'
import type { DataSource } from '../page/page.ts'
import type { Write } from '../ports.ts'
import { dataCell, optionCell, parseCell } from '../state/cells.ts'
import { checkReads } from './check-reads.ts'
import type { Model } from './model.ts'

/**
 * The state of a form, as far as its checks read it and the server cannot determine it. It is sent with the write, so that the server judges with the
 * same inputs as the user had.
 */
export interface FormState {
  /** Entries of the page's `data`. */
  readonly data: JsonObject
  readonly params: JsonObject
  /** Flags of fields set by the page's code, by address: `hidden`, `required`. */
  readonly options: Readonly<Record<string, JsonObject>>
}

/** The request header with the state: JSON, percent-encoded. */
export const FORM_STATE_HEADER = 'X-Form-State'
/** Maximum length: servers and proxies refuse long headers. */
const MAX_LENGTH = 6_000
const OPTIONS: ReadonlySet<string> = new Set(['hidden', 'required'])

/** The header's text; null for a page whose checks need none, and for a state that is too long. */
export function printFormState(model: Model): string | null {
  const reads = checkReads(model.page)
  const given = [...reads.data].flatMap(([name, paths]) =>
    isCalledByServer(model.page.dataSources.get(name)) ? [] : [...paths],
  )
  if (given.length === 0 && reads.params.size === 0 && !reads.code) return null
  const { data = {}, params = {} } = model.scope()
  const state: FormState = {
    data: picked({ data }, given).data ?? {},
    params: picked({ params }, [...reads.params]).params ?? {},
    options: reads.code ? optionsOf(model) : {},
  }
  const written = encodeURIComponent(JSON.stringify(state))
  return written.length > MAX_LENGTH ? null : written
}

/** Parses the header; null if it is invalid. */
export function parseFormState(written: unknown): FormState | null {
  if (typeof written !== 'string' || written.length > MAX_LENGTH) return null
  try {
    const state: Json = JSON.parse(decodeURIComponent(written))
    if (!isObject(state)) return null
    const { data, params, options } = state
    if (!isObject(data) || !isObject(params) || !isObject(options)) return null
    return { data, params, options: options as FormState['options'] }
  } catch {
    return null
  }
}

/** Makes a model of the submitted values equal to the user's; options are used only for pages whose code could have set them. */
export function formStateWrites(model: Model, { data, options }: FormState): readonly Write[] {
  const isData = (name: string): boolean => checkReads(model.page).data.has(name)
  const set = checkReads(model.page).code ? Object.entries(options) : []
  return [
    ...Object.entries(data).flatMap(([name, value]) =>
      isData(name) ? [{ cell: dataCell(name), value: value ?? null }] : [],
    ),
    ...set.flatMap(([address, given]) => {
      const key = model.find(address)
      if (key === undefined || !isObject(given)) return []
      return Object.entries(given).flatMap(([option, value]) =>
        OPTIONS.has(option) && typeof value === 'boolean' ? [{ cell: optionCell(key, option), value }] : [],
      )
    }),
  ]
}

/** True for a source of our own server, which the server calls itself instead of trusting a copy. */
export function isCalledByServer(source: DataSource | undefined): boolean {
  return source !== undefined && source.requestURLType !== 'Variable' && isOwnAddress(source.requestURL)
}

/** A path of our own server. */
export const isOwnAddress = (url: string): boolean => url.startsWith('/') && !url.startsWith('//')

/** The values at these paths, in their structure; missing ones are left out. */
function picked(from: JsonObject, paths: readonly string[]): Record<string, Record<string, Json>> {
  const found = {}
  for (const path of paths) {
    const steps = path.split('.')
    if (!steps.every(isSafeName) || paths.some((prefix) => path.startsWith(`${prefix}.`))) continue
    let at: Record<string, Json> = found
    const last = steps.pop() ?? ''
    for (const step of steps) {
      const below = at[step]
      at[step] = isObject(below) ? below : {}
      at = at[step] as Record<string, Json>
    }
    at[last] = valueAt(from, path) ?? null
  }
  return found
}

function optionsOf(model: Model): FormState['options'] {
  const found: Record<string, Record<string, Json>> = {}
  for (const { cell, value } of model.snapshot()) {
    const target = parseCell(cell)
    if (target?.kind !== 'option' || !OPTIONS.has(target.option) || typeof value !== 'boolean') continue
    const address = model.address(target.key)
    if (address === '') continue
    found[address] = { ...found[address], [target.option]: value }
  }
  return found
}
