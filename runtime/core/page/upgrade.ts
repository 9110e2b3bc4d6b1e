import type { JsonObject } from '../json.ts'
import type { Widget } from './page.ts'

/** One difference between generations of the format. Steps are pure and change only the options in effect, never the document. */
interface UpgradeStep {
  /** Registry name of the widget it concerns. */
  readonly type: string
  /** `jsonVersion` values it concerns; undefined stands for the oldest documents, which carry none. */
  readonly versions: readonly (number | undefined)[]
  readonly apply: (options: JsonObject, widget: Widget) => JsonObject
}

const HOSTING = ['dialog', 'drawer'] as const

/** All steps, oldest first (PAGE-FORMAT, VForm, HOOKS 7). */
const UPGRADES: readonly UpgradeStep[] = [
  ...HOSTING.map((type) => ({
    type,
    versions: [undefined, -2, -3, 3],
    apply: (options: JsonObject): JsonObject => ({
      ...(options.visible === true ? { open: true } : {}),
      ...(options.disabledMode === true ? { disabled: true } : {}),
      ...options,
    }),
  })),
  {
    type: 'tab',
    versions: [undefined, 3],
    apply: (options, widget) =>
      typeof widget.displayType === 'string' ? { displayType: widget.displayType, ...options } : options,
  },
  {
    type: 'switch',
    versions: [undefined, -2, -3, 3],
    apply: (given) => {
      if (given.activeLabel === undefined && given.inactiveLabel === undefined) return given
      const { activeLabel, inactiveLabel, ...options } = given
      return {
        ...options,
        ...(activeLabel === undefined || options.activeText ? {} : { activeText: activeLabel }),
        ...(inactiveLabel === undefined || options.inactiveText ? {} : { inactiveText: inactiveLabel }),
      }
    },
  },
]

/** The options of a widget as the newest generation writes them; the same object when nothing differs. */
export function upgradeOptions(
  type: string,
  version: unknown,
  options: JsonObject,
  widget: Widget,
): JsonObject {
  let upgraded = options
  for (const step of UPGRADES) {
    if (step.type !== type || !step.versions.some((known) => known === version)) continue
    upgraded = step.apply(upgraded, widget)
  }
  return upgraded
}
