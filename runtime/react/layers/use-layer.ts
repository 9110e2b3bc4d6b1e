import { type RefObject, useEffect, useRef } from 'react'
import { addLayer, type Layer } from './layers.ts'

/** While `on`, the user's Back calls `onClose` instead of leaving the page. @returns the layer, while it is open */
export function useLayer(on: boolean, onClose: () => void): RefObject<Layer | null> {
  const close = useRef(onClose)
  close.current = onClose
  const layer = useRef<Layer | null>(null)
  useEffect(() => {
    if (!on) return
    const own = addLayer(() => close.current())
    layer.current = own
    return () => {
      layer.current = null
      own.remove()
    }
  }, [on])
  return layer
}
