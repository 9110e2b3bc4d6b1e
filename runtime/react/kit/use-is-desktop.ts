import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'

/** Smaller windows count as phones, whatever the device. */
const DESK = '(min-width: 500px) and (min-height: 500px)'

/** Width from which on the menus fit beside the page and rows are a table. */
export const DESKTOP_MIN_PX = 1024

/** Width of the frame around a page; null for the window. */
export const FrameWidth = createContext<number | null>(null)

/** Whether the window, or the frame, is as wide as a desktop's, whatever the device: a tablet in landscape counts. */
export const useWideWindow = (): boolean => useAtLeast(DESKTOP_MIN_PX)

/** Whether the window, or the frame, has at least this width. */
export function useAtLeast(px: number): boolean {
  const media = atLeast(px)
  const subscribe = useCallback((listener: () => void) => watch(media, listener), [media])
  const isWide = useSyncExternalStore(subscribe, () => matchMedia(media).matches)
  const frame = useContext(FrameWidth)
  return frame === null ? isWide : frame >= px
}

const atLeast = (px: number): string => `(min-width: ${px}px)`

/** The current state, without a subscription. */
export const isWideWindow = (): boolean => matchMedia(atLeast(DESKTOP_MIN_PX)).matches

/** Whether it is a desktop: a large window of a browser that is not mobile. */
export function useIsDesktop(): boolean {
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
