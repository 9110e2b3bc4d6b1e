import { type ComponentType, useContext } from 'react'
import type { NodeKey, Page } from '../../core/page/page.ts'
import { WindowScroll } from '../page/page-context.ts'
import { WidgetView } from '../page/widget-view.tsx'

interface Props {
  readonly container: NodeKey
  readonly keys: readonly NodeKey[]
}

/** Number of children up to which all are drawn: a window has its own cost. */
const PLAIN = 30

let LongChildren: ComponentType<Props> | null = null

/** Fetches what long containers are drawn with; null when the page has none or it is there. Without it all is simply drawn. */
export function prepareWindow(page: Page): Promise<void> | null {
  const long =
    page.roots.length > PLAIN || [...page.nodes.values()].some(({ children }) => children.length > PLAIN)
  if (!long || LongChildren !== null) return null
  return import('./long-children.tsx').then(
    (module) => {
      LongChildren = module.LongChildren
    },
    () => undefined,
  )
}

/** The children of a container: all of them, or, when they are many, those near the viewport and the pinned ones. */
export function WindowedChildren({ container, keys }: Props) {
  const scrollsWithWindow = useContext(WindowScroll)
  if (keys.length <= PLAIN || !scrollsWithWindow || LongChildren === null) {
    return keys.map((key) => <WidgetView key={key} nodeKey={key} />)
  }
  return <LongChildren container={container} keys={keys} />
}
