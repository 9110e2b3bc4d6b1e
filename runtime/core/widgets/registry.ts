import { RuntimeError } from '../errors.ts'
import type { WidgetRegistry, WidgetSpec } from '../page/widget-spec.ts'

/** The registry name for a stored type: a leading `m-` has no meaning (PAGE-FORMAT, VForm). */
function plainType(stored: string): string {
  return stored.startsWith('m-') ? stored.slice(2) : stored
}

/**
 * An empty registry. A guest's widgets and ours are registered in the same way.
 *
 * @throws WIDGET_REPEATED if a type or an alias is already registered
 */
export function createWidgetRegistry(): WidgetRegistry {
  const byType = new Map<string, WidgetSpec>()
  const specs: WidgetSpec[] = []
  return {
    register(spec) {
      const names = [spec.type, ...(spec.aliases ?? [])]
      for (const type of names) {
        if (byType.has(type)) throw new RuntimeError('WIDGET_REPEATED', { type })
      }
      for (const type of names) byType.set(type, spec)
      specs.push(spec)
    },
    get: (type) => byType.get(plainType(type)),
    list: () => specs,
  }
}
