import { type Json, type JsonObject, sameJson } from '../core/json.ts'
import type { WidgetRegistry, WidgetSpec } from '../core/page/widget-spec.ts'
import type { Ports } from '../core/ports.ts'
import type { ViewRegistry } from '../react/page/view-registry.ts'
import { controlsOf, inside, labelled, shut } from './drawn-checks.ts'
import { type MountedPage, mountPage } from './mount-page.tsx'

/** The widget that is checked, and what it is drawn with. */
export interface CheckOptions {
  readonly registry: WidgetRegistry
  readonly views: ViewRegistry
  readonly ports: Ports
  /** A value as it is stored when somebody has filled it in. */
  readonly value: Json
  /** Options that it needs to show anything (choices …). */
  readonly options?: JsonObject
  /** How long a view may take until it stands as it is judged, in ms; default 2000. */
  readonly waitMs?: number
}

const NAME = 'checked'
/** A phone of the narrowest kind, less the page's edges. */
const WIDTH = '320px'
/** Values that a document, a script or an older server may hand in. */
const STRAY: readonly Json[] = [
  null,
  '',
  'text',
  0,
  -1.5,
  true,
  [],
  ['a', 1],
  {},
  { a: 1 },
  '2026-02-30',
  '<b>',
]

/**
 * Checks that a widget keeps what every page relies on, in the document it is called in. Without a fault the list is empty.
 *
 * Of the spec: a value once brought into shape stays as it is, whatever came in; what clearing stores is such a value; every stray value has
 * a text. Of a field's view: its root is named; a control has an accessible name; the message of a fault is tied to it; disabled,
 * and while it is read, nothing takes a value; nothing stands out of a phone of 320 px.
 */
export async function checkWidget(type: string, options: CheckOptions): Promise<readonly string[]> {
  const spec = options.registry.get(type)
  if (spec === undefined) return [`no spec is registered for "${type}"`]
  if (!options.views.list().includes(spec.type)) return [`no view is registered for "${type}"`]
  return [...specFaults(spec, options), ...(await drawnFaults(spec, options))]
}

function specFaults(spec: WidgetSpec, { value, options = {} }: CheckOptions): readonly string[] {
  const shaped = (given: Json): Json => spec.normalize?.(given, options) ?? given
  const faults: string[] = []
  for (const given of [...STRAY, value, spec.emptyValue ?? null]) {
    const once = shaped(given)
    if (!sameJson(shaped(once), once))
      faults.push(`normalize is not done after one time: ${JSON.stringify(given)}`)
    const text = spec.text?.(once, options, [])
    if (text !== undefined && typeof text !== 'string')
      faults.push(`text is no text for ${JSON.stringify(given)}`)
  }
  if (!sameJson(shaped(spec.emptyValue ?? null), spec.emptyValue ?? null))
    faults.push('emptyValue is not in the shape that normalize makes')
  if (!sameJson(shaped(value), value)) faults.push('the given value is not in the shape that normalize makes')
  return faults
}

const named = (root: HTMLElement): readonly string[] =>
  root.closest(`[data-field="${NAME}"]`) === null ? [`no element has data-field="${NAME}"`] : []

/** The states in which a widget is drawn, and what must hold in each. */
const STATES: readonly (readonly [
  name: string,
  options: JsonObject,
  check: (root: HTMLElement) => readonly string[],
])[] = [
  ['filled', {}, (root) => [...named(root), ...labelled(root), ...inside(root)]],
  ['with a long label', { label: 'A long name '.repeat(6) }, inside],
  ['disabled', { disabled: true }, shut],
  ['read', { readMode: true }, shut],
]

async function drawnFaults(spec: WidgetSpec, given: CheckOptions): Promise<readonly string[]> {
  const faults: string[] = []
  for (const [name, options, check] of spec.kind === 'field' ? STATES : STATES.slice(0, 1)) {
    const found = await drawn(spec, given, options, async ({ root }) => check(root))
    faults.push(...found.map((fault) => `${name}: ${fault}`))
  }
  if (spec.kind !== 'field') return faults
  const empty = { ...given, value: spec.emptyValue ?? null }
  const missed = await drawn(spec, empty, { required: true }, messageFaults)
  return [...faults, ...missed.map((fault) => `empty and at fault: ${fault}`)]
}

/** Draws the widget alone on a page, looks, and takes it off again. */
async function drawn(
  spec: WidgetSpec,
  { registry, views, ports, value, options = {}, waitMs = 2000 }: CheckOptions,
  further: JsonObject,
  look: (seen: { readonly root: HTMLElement; readonly mounted: MountedPage }) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const place = document.createElement('div')
  place.style.width = WIDTH
  document.body.append(place)
  const widget = {
    type: spec.type,
    id: NAME,
    ...(spec.kind === 'field' ? { formItemFlag: true } : {}),
    options: { name: NAME, label: 'Name', ...options, ...further },
  }
  const page = { widgetList: [widget], formConfig: { jsonVersion: -3, layoutType: 'H5' } }
  const mounted = await mountPage(page, place, { ports, registry, views, values: { [NAME]: value } })
  try {
    const root = await settled(() => place.querySelector<HTMLElement>(`[data-widget="${spec.type}"]`), waitMs)
    return root === null
      ? [`nothing on the page has data-widget="${spec.type}"`]
      : await look({ root, mounted })
  } finally {
    mounted.unmount()
    place.remove()
  }
}

/** What `find` finds, as soon as it does; null when the time is over. */
async function settled<T>(find: () => T | null, waitMs: number): Promise<T | null> {
  for (let waited = 0; waited <= waitMs; waited += 20) {
    const found = find()
    if (found !== null) return found
    await new Promise((done) => setTimeout(done, 20))
  }
  return null
}

async function messageFaults({
  root,
  mounted,
}: {
  readonly root: HTMLElement
  readonly mounted: MountedPage
}): Promise<readonly string[]> {
  mounted.engine.setErrors({ [NAME]: 'a fault' })
  const message = await settled(() => root.querySelector('[role="alert"]'), 1000)
  if (message === null) return ['its message is not shown as an alert']
  const tied = controlsOf(root).some((control) =>
    (control.getAttribute('aria-describedby') ?? '').split(' ').includes(message.id),
  )
  return tied ? [] : ['its message is not tied to a control (aria-describedby)']
}
