import { useEffect, useLayoutEffect, useState } from 'react'
import { useLayerHeight } from '../layer-height.ts'
import { useLayer } from '../use-layer.ts'

/**
 * What antd-mobile's wheels lack among our layers: they stand as high as those, the one opened last on top, and Escape and
 * Back close them before they close what they were opened from.
 */
export function useWheels(open: boolean, onClose: () => void): { readonly getContainer: () => HTMLElement } {
  const height = useLayerHeight()
  const [layer] = useState(() => document.createElement('div'))
  useLayoutEffect(() => {
    if (!open) return
    layer.style.position = 'relative'
    layer.style.zIndex = String(height)
    document.body.append(layer) // the last one is above
  }, [open, layer, height])
  useEffect(() => () => layer.remove(), [layer])
  useEffect(() => {
    if (!open) return
    const keys = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      onClose()
    }
    document.addEventListener('keydown', keys, true)
    return () => document.removeEventListener('keydown', keys, true)
  }, [open, onClose])
  useLayer(open, onClose)
  const getContainer = () => {
    if (!layer.isConnected) document.body.append(layer) // the wheels are measured as soon as they are there
    return layer
  }
  return { getContainer }
}
