import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { PageVisible, useEngine, usePage } from '../page/page-context.ts'
import { useLayerHeight } from './layer-height.ts'
import type { Layer } from './layers.ts'
import '../styles/layer.css'
import { useLayer } from './use-layer.ts'
import { usePlaced } from './use-placed.ts'

/** The side a layer comes from; `beside`: next to the control that opened it. */
export type Side = 'top' | 'bottom' | 'left' | 'right' | 'center' | 'beside'

interface Props {
  readonly id?: string | undefined
  readonly open: boolean
  readonly side: Side
  /** Called for Escape, and for a tap on the mask if `maskCloses`. */
  readonly onClose: () => void
  readonly onMask?: () => void
  /** Called for keys other than Escape and Tab. */
  readonly onKey?: (event: KeyboardEvent) => void
  /** A tap on the mask closes it; default true. */
  readonly maskCloses?: boolean
  /** Escape closes it; default true. */
  readonly escapeCloses?: boolean
  readonly animated?: boolean
  /** A passing message: without mask, without taking the focus. */
  readonly light?: boolean
  readonly maskColor?: string | undefined
  readonly className?: string
  readonly style?: CSSProperties | undefined
  readonly role?: 'dialog' | 'alertdialog' | 'status'
  readonly naming: { readonly 'aria-label'?: string; readonly 'aria-labelledby'?: string }
  readonly children: ReactNode
}

/** Duration of a popup's transition, in milliseconds. */
const LEAVE_MS = 300
/** The element that gets the focus when a layer opens; default: the layer itself. */
const FIRST = '[data-first]'
const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), [tabindex="0"]'

/**
 * A layer above the page. It traps the focus while it is open and returns it; Escape, Back and a tap on the mask close it; the page below does not
 * scroll. It stays mounted for 300 ms after closing. While its page is hidden, so is the layer.
 */
export function Overlay(props: Props) {
  const { open, side, animated = true, light = false } = props
  const { ports } = useEngine()
  const zIndex = useLayerHeight()
  const inSight = useContext(PageVisible)
  const [leaving, setLeaving] = useState(false)
  const [shown, setShown] = useState(open)
  if (open && !shown) setShown(true)
  if (open && leaving) setLeaving(false)
  if (!open && shown && !leaving) setLeaving(true)
  useEffect(() => {
    if (!leaving) return
    return ports.clock.after(LEAVE_MS, () => {
      setLeaving(false)
      setShown(false)
    })
  }, [leaving, ports.clock])
  useScrollLock(open && !light && inSight)
  // Back closes it like Escape; if Escape does not close it, Back has no effect.
  const layer = useLayer(open && !light && inSight, props.escapeCloses === false ? stay : props.onClose)
  if (!shown && !open) return null
  return createPortal(
    <div
      className={`vf-layer vf-layer-${side}${leaving ? ' vf-leaving' : ''}${animated ? '' : ' vf-still'}${light ? ' vf-layer-light' : ''}`}
      style={inSight ? { zIndex } : { display: 'none' }}
    >
      {light ? null : <Mask {...props} />}
      <Panel {...props} open={open && inSight} layer={layer} />
    </div>,
    document.body,
  )
}

function Mask({ maskColor, maskCloses = true, onMask, onClose }: Props) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a second way for fingers; keys have Escape and the buttons inside
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div
      className="vf-layer-mask"
      style={maskColor ? { background: maskColor } : undefined}
      onMouseDown={(event) => event.preventDefault()} // keeps the focus in the panel
      onClick={() => {
        onMask?.()
        if (maskCloses) onClose()
      }}
    />
  )
}

function Panel({
  id,
  open,
  light = false,
  role = 'dialog',
  naming,
  className = '',
  style,
  escapeCloses = true,
  onClose,
  onKey,
  children,
  side,
  layer,
}: Props & { readonly layer: RefObject<Layer | null> }) {
  const panel = useRef<HTMLDivElement>(null)
  const { scope } = usePage()
  const modal = open && !light
  usePlaced(panel, id, open && side === 'beside')
  useLostKeys(panel, layer, modal, escapeCloses ? onClose : null)
  useEffect(() => {
    const element = panel.current
    if (!modal || element === null) return
    const before = document.activeElement
    if (!element.contains(before)) {
      const first = element.querySelector<HTMLElement>(FIRST) ?? element
      first.focus({ preventScroll: true })
    }
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [modal])
  const keys = (event: KeyboardEvent) => {
    if (layer.current?.isTop() === false) return // the key belongs to a layer above it, which is its child in React's tree
    if (event.key === 'Escape' && escapeCloses) {
      event.stopPropagation()
      onClose()
    }
    if (event.key === 'Tab') keepInside(event, panel.current)
    onKey?.(event)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is an interactive one, handed in
    <div
      ref={panel}
      id={id}
      role={role}
      {...(role === 'status' ? {} : { 'aria-modal': true })}
      {...naming}
      tabIndex={-1}
      className={`vf-layer-panel ${className} ${scope}`.trim()}
      style={style}
      onKeyDown={keys}
    >
      {children}
    </div>
  )
}

/**
 * The focused element may have been removed (a tapped level): keys then reach no element. The topmost panel takes the focus back, and Escape closes
 * it.
 */
function useLostKeys(
  panel: RefObject<HTMLElement | null>,
  layer: RefObject<Layer | null>,
  open: boolean,
  onEscape: (() => void) | null,
): void {
  const leave = useRef(onEscape)
  useEffect(() => {
    leave.current = onEscape
  })
  useEffect(() => {
    if (!open) return
    const keys = (event: globalThis.KeyboardEvent) => {
      if (event.target !== document.body || !layer.current?.isTop()) return
      panel.current?.focus({ preventScroll: true })
      if (event.key === 'Escape') leave.current?.()
    }
    document.addEventListener('keydown', keys)
    return () => document.removeEventListener('keydown', keys)
  }, [panel, layer, open])
}

/** Keeps Tab inside the panel. */
function keepInside(event: KeyboardEvent, panel: HTMLElement | null): void {
  const stops = [...(panel?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].filter(
    (stop) => stop.tabIndex >= 0 && stop.offsetParent !== null,
  )
  const [first] = stops
  const last = stops.at(-1)
  const at = document.activeElement
  const next = event.shiftKey ? (at === first || at === panel ? last : null) : at === last ? first : null
  if (stops.length === 0) event.preventDefault()
  if (!next) return
  event.preventDefault()
  next.focus()
}

const stay = () => {}

let locks = 0

/** Stops the page below from scrolling while a layer is open. */
function useScrollLock(on: boolean): void {
  useEffect(() => {
    if (!on) return
    locks += 1
    document.body.style.overflow = 'hidden'
    return () => {
      locks -= 1
      if (locks === 0) document.body.style.overflow = ''
    }
  }, [on])
}
