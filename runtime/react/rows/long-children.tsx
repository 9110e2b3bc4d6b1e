import { useCallback, useMemo } from 'react'
import type { Engine } from '../../core/engine.ts'
import type { NodeKey, PageNode } from '../../core/page/page.ts'
import { usePage } from '../page/page-context.ts'
import { WidgetView } from '../page/widget-view.tsx'
import { Windowed } from './windowed.tsx'

interface Props {
  readonly container: NodeKey
  readonly keys: readonly NodeKey[]
}

const DEFAULT_HEIGHT = 52

/** What is known of a widget without making its state: most of a long page is never looked at. */
const nodeOf = (engine: Engine, key: NodeKey): PageNode => engine.page.nodes.get(key) ?? engine.node(key).node

/** Many children: those near the viewport and the pinned ones. */
export function LongChildren({ container, keys }: Props) {
  const { engine, views, revealer } = usePage()
  const [flowing, pinned] = useMemo(() => {
    const isPinned = (key: NodeKey) => views.isPinned(nodeOf(engine, key).type)
    return [keys.filter((key) => !isPinned(key)), keys.filter(isPinned)]
  }, [engine, views, keys])
  const onReady = useCallback(
    (mount: (index: number) => void) =>
      revealer.register(container, (child) => {
        const index = flowing.indexOf(child)
        if (index >= 0) mount(index)
      }),
    [revealer, container, flowing],
  )
  const estimate = useCallback(
    (index: number) => {
      const key = flowing[index] ?? ''
      return engine.hidden(key) ? 0 : (nodeOf(engine, key).spec.estimatedHeight ?? DEFAULT_HEIGHT)
    },
    [engine, flowing],
  )
  const keyAt = useCallback((index: number) => flowing[index] ?? '', [flowing])
  const draw = useCallback((index: number) => <WidgetView nodeKey={flowing[index] ?? ''} />, [flowing])
  return (
    <>
      <Windowed count={flowing.length} keyAt={keyAt} estimate={estimate} draw={draw} onReady={onReady} />
      {pinned.map((key) => (
        <WidgetView key={key} nodeKey={key} />
      ))}
    </>
  )
}
