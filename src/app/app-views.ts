import { createRegistry } from '../../runtime/core/widgets/index.ts'
import { createWidgetViews } from '../../runtime/react/widgets/index.ts'
import { GUESTS, PAGE_SIDES, PLAYGROUND, WORKBENCH } from '../contract/workbench-widget.ts'

/** The widgets of the runtime and the guest widgets of the shell, whose views are loaded on demand. */
export function createAppViews() {
  const registry = createRegistry()
  const views = createWidgetViews()
  for (const guest of GUESTS) registry.register(guest)
  views.register(WORKBENCH.type, { load: () => import('../workbench/index.tsx') })
  views.register(PLAYGROUND.type, { load: () => import('../workbench/play/index.tsx') })
  views.register(PAGE_SIDES.type, { load: () => import('../workbench/sides/index.tsx') })
  return { registry, views }
}
