import { useEffect, useRef } from 'react'
import { addLayer } from './layers.ts'

/** While `on`, the user's Back calls `onClose` before it leaves the page. */
export function useLayer(on: boolean, onClose: () => void): void {
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => (on ? addLayer(() => close.current()) : undefined), [on])
}
