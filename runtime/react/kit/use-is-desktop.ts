import { createContext, useContext, useSyncExternalStore } from 'react'

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
  const isWide = useMedia(atLeast(px))
  const frame = useContext(FrameWidth)
  return frame === null ? isWide : frame >= px
}

const atLeast = (px: number): string => `(min-width: ${px}px)`

/** The current state, without a subscription. */
export const isWideWindow = (): boolean => matchMedia(atLeast(DESKTOP_MIN_PX)).matches

/** Whether it is a desktop: a large window of a browser that is not mobile. */
export const useIsDesktop = (): boolean => useMedia(DESK) && !/mobile/i.test(navigator.userAgent)

/** A query's changes are not followed, but the window's: paper, narrower than the window, shows what the screen shows, a table for example. */
const useMedia = (media: string): boolean => useSyncExternalStore(onResize, () => matchMedia(media).matches)

function onResize(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}
