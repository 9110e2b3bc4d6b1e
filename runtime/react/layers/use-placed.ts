import { type RefObject, useLayoutEffect } from 'react'
import { type PlaceSide, placeBeside } from '../../core/widgets/placing.ts'

/** Keeps a panel beside the control that opened it (the one that refers to it by `aria-controls`), also when their sizes change. */
export function usePlaced(panel: RefObject<HTMLElement | null>, id: string | undefined, on: boolean): void {
  useLayoutEffect(() => {
    const element = panel.current
    if (!on || element === null || id === undefined) return
    let side: PlaceSide = 'below'
    const place = () => {
      const field = openerOf(id)?.getBoundingClientRect()
      if (field === undefined) return
      const { clientWidth: width, clientHeight: height } = document.documentElement
      const size = { width: element.offsetWidth, height: element.offsetHeight }
      const spot = placeBeside(field, size, { width, height }, side)
      side = spot.side
      element.style.left = `${spot.left}px`
      element.style.top = `${spot.top}px`
    }
    place()
    const sizes = new ResizeObserver(place)
    sizes.observe(element)
    addEventListener('resize', place)
    return () => {
      sizes.disconnect()
      removeEventListener('resize', place)
    }
  }, [panel, id, on])
}

/** The control that opened the layer `id`. */
function openerOf(id: string): Element | null {
  return document.querySelector(`[aria-controls="${CSS.escape(id)}"]`)
}
