import { type Json, type JsonObject, numberIn } from '../json.ts'
import type { PageNode, Widget } from './page.ts'
import { upgradeOptions } from './upgrade.ts'
import type { WidgetSpec } from './widget-spec.ts'

const NONE: JsonObject = {}

/** The widget's own options in the newest generation's spelling, without unusable values, and with bounds in order; they override the defaults of its spec. */
export function writtenOptions(spec: WidgetSpec, version: unknown, widget: Widget): JsonObject {
  let options = upgradeOptions(spec.type, version, widget.options ?? NONE, widget)
  for (const name in options) {
    if (spec.options[name]?.fits?.(options[name] as Json) !== false) continue
    const { [name]: _, ...rest } = options
    options = rest
  }
  const { min, max } = options
  const isReversed = numberIn(min) > numberIn(max)
  return isReversed && spec.bounded === undefined ? { ...options, min: max, max: min } : options
}

const known = new WeakMap<WidgetSpec, JsonObject>()

/** The defaults of a spec, by option name. */
export function defaultsOf(spec: WidgetSpec): JsonObject {
  const cached = known.get(spec)
  if (cached !== undefined) return cached
  const defaults: Record<string, Json> = {}
  for (const [name, option] of Object.entries(spec.options)) defaults[name] = option.default
  known.set(spec, defaults)
  return defaults
}

/** A value normalised for the widget. Options are merged only for a widget whose normalisation depends on them. */
export function shapeOf(node: PageNode, value: Json): Json {
  const { normalize } = node.spec
  if (normalize === undefined) return value
  return normalize(value, normalize.length > 1 ? node.options : NONE)
}
