import { useCallback, useContext } from 'react'
import type { Engine } from '../../core/engine.ts'
import type { NodeKey, PageNode } from '../../core/page/page.ts'
import { usePage, WindowScroll } from '../page/page-context.ts'
import { WidgetView } from '../page/widget-view.tsx'
import { LazyItems } from './lazy-items.tsx'

interface Props {
  readonly container: NodeKey
  readonly keys: readonly NodeKey[]
}

/** Maximum number of children that are all drawn at once. */
const PLAIN = 30
const DEFAULT_HEIGHT = 52

/** The children of a container: all of them, or, if there are more, first those near the viewport and the pinned ones. */
export function WindowedChildren({ container, keys }: Props) {
  const scrollsWithWindow = useContext(WindowScroll)
  if (keys.length <= PLAIN || !scrollsWithWindow)
    return keys.map((key) => <WidgetView key={key} nodeKey={key} />)
  return <LongChildren container={container} keys={keys} />
}

/** The node of a widget without computing its state: most of a long page is never shown. */
const nodeOf = (engine: Engine, key: NodeKey): PageNode => engine.page.nodes.get(key) ?? engine.node(key).node

function heightOf(node: PageNode): number {
  const { estimatedHeight = DEFAULT_HEIGHT } = node.spec
  return typeof estimatedHeight === 'number' ? estimatedHeight : estimatedHeight((name) => node.option(name))
}

function LongChildren({ container, keys }: Props) {
  const { engine, views, revealer } = usePage()
  const onReady = useCallback(
    (mount: (index: number) => void) =>
      revealer.register(container, (child) => {
        const index = keys.indexOf(child)
        if (index >= 0) mount(index)
      }),
    [revealer, container, keys],
  )
  const estimate = (index: number) => {
    const key = keys[index] ?? ''
    return engine.hidden(key) ? 0 : heightOf(nodeOf(engine, key))
  }
  return (
    <LazyItems
      keys={keys}
      estimate={estimate}
      draw={(index) => <WidgetView key={keys[index]} nodeKey={keys[index] ?? ''} />}
      isPinned={(index) => views.isPinned(nodeOf(engine, keys[index] ?? '').type)}
      onReady={onReady}
    />
  )
}
