import { createRegistry } from '../../runtime/core/widgets/index.ts'
import { createWidgetViews } from '../../runtime/react/widgets/index.ts'
import catalogue from '../../schemas/text/zh-hans.json'
import { GUESTS, PAGE_SIDES, PLAYGROUND, WORKBENCH } from '../contract/workbench-widget.ts'

/** The widgets of the runtime and the guest widgets of the shell, whose views are loaded on demand. */
export function createAppViews() {
  const registry = createRegistry()
  const views = createWidgetViews(withWords)
  for (const guest of GUESTS) registry.register(guest)
  views.register(WORKBENCH.type, { load: () => withWords(() => import('../workbench/index.tsx')) })
  views.register(PLAYGROUND.type, { load: () => withWords(() => import('../workbench/play/index.tsx')) })
  views.register(PAGE_SIDES.type, { load: () => withWords(() => import('../workbench/sides/index.tsx')) })
  return { registry, views }
}

/** A view is there when its texts are. */
async function withWords<T>(load: () => Promise<T>): Promise<T> {
  const [view, words] = await Promise.all([load(), import('./words/view-words.ts')])
  Object.assign(catalogue, words.default)
  return view
}
