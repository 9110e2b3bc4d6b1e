import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { OPEN_LAYER } from '../layers/layers.ts'
import { PageVisible } from '../page/page-context.ts'

interface Acts {
  readonly open: (index: number) => void
  /** A row got the focus by keyboard. */
  readonly reach?: (index: number) => void
  readonly toggle: (index: number) => void
  readonly edit: (index: number) => void
  readonly stop: () => void
  /** Rows are being selected. */
  readonly selecting: boolean
}

const TYPED = 'input, textarea, select, [contenteditable], dialog, .vf-layer'
/** Number of rows that a key moves the focus by. */
const STEPS: Readonly<Record<string, number>> = {
  j: 1,
  ArrowDown: 1,
  k: -1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/**
 * Keyboard navigation of a table: j and k or the arrows move between rows, Enter opens, x selects, Escape ends the selection. j, k and, while rows are
 * being selected, Escape work everywhere outside of inputs and layers.
 */
export function useRowKeys(root: RefObject<HTMLElement | null>, count: number, acts: Acts) {
  const [current, setCurrent] = useState(0)
  const mount = useRef<((index: number) => void) | null>(null)
  const visible = useContext(PageVisible)
  const go = (index: number) => {
    const to = Math.max(0, Math.min(count - 1, index))
    mount.current?.(to)
    flushSync(() => setCurrent(to))
    const row = root.current?.querySelector<HTMLElement>(`[data-row="${to}"]`)
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
    acts.reach?.(to)
  }
  const move = (by: number) => {
    const isThere = acts.reach !== undefined || root.current?.contains(document.activeElement) === true
    go(isThere ? Math.min(current, count - 1) + by : current)
  }
  const keys = (event: KeyboardEvent | globalThis.KeyboardEvent): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey || count === 0) return false
    const by = STEPS[event.key]
    if (by !== undefined) move(by)
    else if (event.key === 'x') acts.toggle(current)
    else if (event.key === 'e' || event.key === 'F2') acts.edit(current)
    else if (event.key === 'Escape') acts.stop()
    else if (event.key === 'Enter' && isRow(event.target)) acts.open(current)
    else return false
    event.preventDefault()
    return true
  }
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    if (!visible) return
    const anywhere = (event: globalThis.KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest(TYPED) !== null
      const ends = event.key === 'Escape' && acts.selecting && document.querySelector(OPEN_LAYER) === null
      if (event.defaultPrevented || isTyping || (event.key !== 'j' && event.key !== 'k' && !ends)) return
      latest.current(event)
    }
    document.addEventListener('keydown', anywhere)
    return () => document.removeEventListener('keydown', anywhere)
  }, [visible, acts.selecting])
  const onReady = useCallback((given: (index: number) => void) => {
    mount.current = given
    return () => {
      mount.current = null
    }
  }, [])
  return { current: Math.min(current, Math.max(0, count - 1)), setCurrent, keys, onReady }
}

const isRow = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.dataset.row !== undefined
