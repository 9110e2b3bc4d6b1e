import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

const drawers = new Set<() => void>()
let isPrinting = false
let scrolled = 0

/** Whether the window is being printed: paper has all items, whatever the screen shows. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting)

/** Listens for good, once: what is drawn for the paper may have items of its own. */
function subscribe(draw: () => void): () => void {
  window.addEventListener('beforeprint', follow)
  window.addEventListener('afterprint', follow)
  drawers.add(draw)
  return () => void drawers.delete(draw)
}

/** The browser prints what is drawn when the event ends. */
function follow({ type }: Event): void {
  isPrinting = type === 'beforeprint'
  if (isPrinting) scrolled = window.scrollY
  flushSync(() => drawers.forEach((draw) => void draw()))
  if (!isPrinting) window.scrollTo(0, scrolled)
}
