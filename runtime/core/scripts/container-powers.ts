import type { Json } from '../json.ts'
import { flag, nodeOf, type Power, type PowerContext, type Powers, text } from './power.ts'
import { COMMON, setOption } from './widget-powers.ts'

const at = (value: Json | undefined): number => Math.trunc(Number(value ?? 0)) || 0

/** Writes an option of the child with that index; ignored if there is none. */
const childFlag =
  (option: string, fixed?: boolean): Power =>
  (context, [key, index, on]) => {
    const child = nodeOf(context, text(key)).children[at(index)]
    if (child !== undefined) setOption(context, child, option, fixed ?? flag(on))
    return undefined
  }

const shown =
  (open: boolean): Power =>
  (context, [key]) => {
    setOption(context, text(key), 'open', open)
    return undefined
  }

function activeIndex(context: PowerContext, key: string): number {
  const { children, options } = nodeOf(context, key)
  const active = context.model.node(key).options.active ?? options.active
  const found = children.findIndex((child) => {
    const pane = context.model.node(child).options
    return typeof active === 'string' ? pane.name === active : pane.active === true
  })
  return Math.max(0, found)
}

/** Methods of containers: grids, tabs, collapses (HOOKS 4.3). */
export const CONTAINER: Powers = {
  ...COMMON,
  activeTab: (context, [key, index]) => {
    const child = nodeOf(context, text(key)).children[at(index)]
    if (child === undefined) return undefined
    setOption(context, text(key), 'active', context.model.node(child).options.name ?? '')
    return undefined
  },
  getActiveTabIndex: (context, [key]) => activeIndex(context, text(key)),
  disableTab: childFlag('disabled', true),
  enableTab: childFlag('disabled', false),
  hideTab: childFlag('hidden', true),
  showTab: childFlag('hidden', false),
  setCollapseItemDisabled: childFlag('disabled'),
  setCollapseItemReadonly: childFlag('readonly'),
  show: shown(true),
  close: shown(false),
}
