import { type RefObject, useLayoutEffect } from 'react'
import { type PlaceSide, placeBeside } from '../../core/widgets/placing.ts'

/** Keeps a panel beside the control that opened it (the one that refers to it by `aria-controls`), also when their sizes change. */
export function usePlaced(panel: RefObject<HTMLElement | null>, id: string | undefined, on: boolean): void {
  useLayoutEffect(() => {
    const own = panel.current
    if (!on || own === null || id === undefined) return
    let side: PlaceSide = 'below'
    const place = () => {
      const field = openerOf(id)?.getBoundingClientRect()
      if (field === undefined) return
      const { clientWidth: width, clientHeight: height } = document.documentElement
      const size = { width: own.offsetWidth, height: own.offsetHeight }
      const spot = placeBeside(field, size, { width, height }, side)
      side = spot.side
      own.style.left = `${spot.left}px`
      own.style.top = `${spot.top}px`
    }
    place()
    const sizes = new ResizeObserver(place)
    sizes.observe(own)
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
