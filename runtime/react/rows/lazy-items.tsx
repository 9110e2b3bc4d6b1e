import { type ReactElement, useContext, useLayoutEffect, useState } from 'react'
import { PageVisible } from '../page/page-context.ts'
import { usePrinting } from './use-printing.ts'
import { createViewportWatch, firstScreen, gapsIn } from './viewport-watch.ts'

export interface NearItems {
  /** Keys of the items, in order; an item keeps its key when others are added or removed. */
  readonly keys: readonly string[]
  /** Estimated height in px of an item that was not drawn yet. */
  readonly estimate: (index: number) => number
  /** Number of fields in an item. Default 1. */
  readonly weight?: number
  /** Space between items in px. */
  readonly gap?: number
  /** Items that are always drawn. */
  readonly isPinned?: (index: number) => boolean
}

interface Props extends NearItems {
  /** The returned element has the key of the item. */
  readonly draw: (index: number) => ReactElement
  /** Gets a function that draws an item and its surroundings. */
  readonly onReady?: (mount: (index: number) => void) => () => void
}

/**
 * Draws large containers piece by piece: first the items of the first screen, then those near the viewport while scrolling, and forms of moderate
 * size completely in idle time. Items that are not drawn are an empty space of their estimated height. Drawn items stay mounted, so that focus and
 * input are not lost. Nothing is measured, and scrolling itself runs no code.
 */
export function LazyItems(props: Props) {
  const { keys, estimate, draw, gap = 0, isPinned, onReady } = props
  const visible = useContext(PageVisible)
  const [drawn, setDrawn] = useState<ReadonlySet<string>>(() => new Set(firstScreen(props)))
  const [watch] = useState(() => createViewportWatch(setDrawn))
  const printing = usePrinting() && visible
  const gaps = gapsIn(keys, (index) => printing || drawn.has(keys[index] ?? '') || isPinned?.(index))
  useLayoutEffect(() => watch.follow(props, gaps, visible))
  useLayoutEffect(() => watch.stop, [watch])
  useLayoutEffect(() => onReady?.(watch.mount), [watch, onReady])

  const parts: ReactElement[] = []
  let at = 0
  const drawTo = (end: number) => {
    for (; at < end; at += 1) parts.push(draw(at))
  }
  for (const { from, to } of gaps) {
    drawTo(from)
    let height = -gap
    for (; at <= to; at += 1) height += estimate(at) + gap
    // Keyed by the item after it: it is the same space while it shrinks from above.
    const name = `before ${keys[at] ?? ''}`
    parts.push(
      <div
        key={name}
        ref={watch.space}
        className="vf-space"
        data-from={from}
        data-to={to}
        style={{ height }}
      />,
    )
  }
  drawTo(keys.length)
  return parts
}
