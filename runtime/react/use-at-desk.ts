import { useSyncExternalStore } from 'react'

/** Narrower or lower windows are phones, whatever holds them. */
const DESK = '(min-width: 500px) and (min-height: 500px)'

/** Whether the page is read at a desk: a large window of a browser that does not call itself mobile. */
export function useAtDesk(): boolean {
  return useSyncExternalStore(watchDesk, isAtDesk)
}

const isAtDesk = (): boolean => !/mobile/i.test(navigator.userAgent) && matchMedia(DESK).matches

function watchDesk(listener: () => void): () => void {
  const desk = matchMedia(DESK)
  desk.addEventListener('change', listener)
  return () => desk.removeEventListener('change', listener)
}
