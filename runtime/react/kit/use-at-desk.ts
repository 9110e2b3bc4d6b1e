import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'

/** Narrower or lower windows are phones, whatever holds them. */
const DESK = '(min-width: 500px) and (min-height: 500px)'

/** From this width on there is room for the menus beside the page and for rows as a table. */
export const WIDE_PX = 1024

/** How wide the frame is that a page is shown in; null for the window itself. */
export const FrameWidth = createContext<number | null>(null)

/** Whether the window, or the frame in it, is as wide as a desk's, whatever holds it: a tablet that lies is one. */
export const useWideWindow = (): boolean => useAtLeast(WIDE_PX)

/** Whether the window, or the frame in it, is so wide. */
export function useAtLeast(px: number): boolean {
  const media = atLeast(px)
  const subscribe = useCallback((listener: () => void) => watch(media, listener), [media])
  const isWide = useSyncExternalStore(subscribe, () => matchMedia(media).matches)
  const frame = useContext(FrameWidth)
  return frame === null ? isWide : frame >= px
}

const atLeast = (px: number): string => `(min-width: ${px}px)`

/** Whether it is now. */
export const isWideWindow = (): boolean => matchMedia(atLeast(WIDE_PX)).matches

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
