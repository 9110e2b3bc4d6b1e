import type { Json, JsonObject } from '../json.ts'
import type { Widget } from './page.ts'
import { upgradeOptions } from './upgrade.ts'
import type { WidgetSpec } from './widget-spec.ts'

const NONE: JsonObject = {}

/** The widget's options as the newest generation writes them, over the defaults of its spec. */
export function effectiveOptions(spec: WidgetSpec, version: unknown, widget: Widget): JsonObject {
  const written = widget.options ?? NONE
  return { ...defaultsOf(spec), ...upgradeOptions(spec.type, version, written, widget) }
}

const known = new WeakMap<WidgetSpec, JsonObject>()

function defaultsOf(spec: WidgetSpec): JsonObject {
  const cached = known.get(spec)
  if (cached !== undefined) return cached
  const defaults: Record<string, Json> = {}
  for (const [name, option] of Object.entries(spec.options)) defaults[name] = option.default
  known.set(spec, defaults)
  return defaults
}
