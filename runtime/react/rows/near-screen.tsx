import { type ReactElement, useContext, useLayoutEffect, useState } from 'react'
import { PageVisible } from '../page/page-context.ts'
import { createNearWatch, firstScreen, gapsIn } from './near-watch.ts'

export interface NearItems {
  /** Of the items, in order; an item keeps its key when others come and go. */
  readonly keys: readonly string[]
  /** Px of an item that was not drawn yet. */
  readonly estimate: (index: number) => number
  /** Fields in an item. Default 1. */
  readonly weight?: number
  /** Px between items. */
  readonly gap?: number
  /** Drawn from the beginning, wherever it stands. */
  readonly isPinned?: (index: number) => boolean
}

interface Props extends NearItems {
  /** Its key is that of the item. */
  readonly draw: (index: number) => ReactElement
  /** Receives the function that draws an item and what will stand around it. */
  readonly onReady?: (mount: (index: number) => void) => () => void
}

/**
 * Draws many items a screen at a time: at once those that fill the first screen, then what scrolling comes near, and a form of some length
 * whole while nothing else is to be done. What is not drawn is an empty space of the height it will probably have. What was drawn stays:
 * nothing that has the focus, or holds what is half typed, goes away. Nothing is measured, and scrolling itself runs no code.
 */
export function NearScreen(props: Props) {
  const { keys, estimate, draw, gap = 0, isPinned, onReady } = props
  const visible = useContext(PageVisible)
  const [drawn, setDrawn] = useState<ReadonlySet<string>>(() => new Set(firstScreen(props)))
  const [watch] = useState(() => createNearWatch(setDrawn))
  const gaps = gapsIn(keys, (index) => drawn.has(keys[index] ?? '') || isPinned?.(index) === true)
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
    // Named by what follows: the space is the same one while it shrinks from above.
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
