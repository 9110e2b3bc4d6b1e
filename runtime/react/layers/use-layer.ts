import { type RefObject, useEffect, useRef } from 'react'
import { addLayer, type Layer } from './layers.ts'

/** While `on`, the user's Back calls `onClose` instead of leaving the page. @returns the layer, while it is open */
export function useLayer(on: boolean, onClose: () => void): RefObject<Layer | null> {
  const close = useRef(onClose)
  close.current = onClose
  const layer = useRef<Layer | null>(null)
  useEffect(() => {
    if (!on) return
    const handle = addLayer(() => close.current())
    layer.current = handle
    return () => {
      layer.current = null
      handle.remove()
    }
  }, [on])
  return layer
}
