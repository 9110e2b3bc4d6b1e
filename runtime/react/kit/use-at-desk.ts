import { createContext, useContext, useSyncExternalStore } from 'react'

/** Narrower or lower windows are phones, whatever holds them. */
const DESK = '(min-width: 500px) and (min-height: 500px)'

/** From this width on there is room for the menus beside the page and for rows as a table. */
const WIDE_PX = 1024
const WIDE = `(min-width: ${WIDE_PX}px)`

/** How wide the frame is that a page is shown in; null for the window itself. */
export const FrameWidth = createContext<number | null>(null)

/** Whether the window, or the frame in it, is as wide as a desk's, whatever holds it: a tablet that lies is one. */
export function useWideWindow(): boolean {
  const isWide = useSyncExternalStore(watchWide, isWideWindow)
  const frame = useContext(FrameWidth)
  return frame === null ? isWide : frame >= WIDE_PX
}

/** Whether it is now. */
export const isWideWindow = (): boolean => matchMedia(WIDE).matches

function watchWide(listener: () => void): () => void {
  return watch(WIDE, listener)
}

/** Whether the page is read at a desk: a large window of a browser that does not call itself mobile. */
export function useAtDesk(): boolean {
  return useSyncExternalStore(watchDesk, isAtDesk)
}

const isAtDesk = (): boolean => !/mobile/i.test(navigator.userAgent) && matchMedia(DESK).matches

function watchDesk(listener: () => void): () => void {
  return watch(DESK, listener)
}

function watch(media: string, listener: () => void): () => void {
  const window = matchMedia(media)
  window.addEventListener('change', listener)
  return () => window.removeEventListener('change', listener)
}
