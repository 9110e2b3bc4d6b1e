import { type CSSProperties, type KeyboardEvent, useEffect, useRef } from 'react'

interface TabEntry {
  readonly key: string
  readonly label: string
  readonly disabled?: boolean
  /** Shown after the label. */
  readonly count?: number | undefined
}

interface Props {
  readonly id: string
  readonly tabs: readonly TabEntry[]
  readonly active: string
  readonly look?: 'line' | 'card' | 'chips'
  readonly label?: string
  /** Colour of the line under the active tab; default: the brand colour. */
  readonly colour?: string
  /** Truncates long labels. */
  readonly ellipsis?: boolean
  readonly onPick: (key: string) => void
}

/** Width in px of the neighbouring tab that stays visible, so that users see that there are more. */
const GLIMPSE = 32

/** The scroll position at which a tab is fully visible; unchanged if it is visible already. */
function placeFor(now: number, width: number, left: number, size: number): number {
  if (left >= now && left + size <= now + width) return now
  const margin = Math.max(0, Math.min(GLIMPSE, (width - size) / 2))
  return left < now ? left - margin : left + size + margin - width
}

/**
 * Tabs in a line that scrolls sideways. The active tab is scrolled into view; a visible one does not move under the finger. Arrow keys work as in any
 * tab list.
 */
export function TabStrip({
  id,
  tabs,
  active,
  look = 'line',
  label,
  colour = '',
  ellipsis = false,
  onPick,
}: Props) {
  const strip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = strip.current
    const tab = box?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(active)}"]`)
    if (!box || !tab) return
    // Arriving counts shift the tabs after them. Once the user has scrolled the strip it is not scrolled automatically.
    let isHeld = false
    const hold = () => {
      isHeld = true
    }
    box.addEventListener('pointerdown', hold)
    box.addEventListener('wheel', hold, { passive: true })
    // The position of a tab is final once fonts and counts before it are loaded; then reading it costs no layout.
    const size = new ResizeObserver(() => {
      if (!isHeld) box.scrollLeft = placeFor(box.scrollLeft, box.clientWidth, tab.offsetLeft, tab.offsetWidth)
    })
    for (const each of box.children) size.observe(each)
    return () => {
      size.disconnect()
      box.removeEventListener('pointerdown', hold)
      box.removeEventListener('wheel', hold)
    }
  }, [active])
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    const open = tabs.filter((tab) => tab.disabled !== true)
    const next = open[(open.findIndex((tab) => tab.key === active) + by + open.length) % open.length]
    if (next === undefined) return
    onPick(next.key)
    strip.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.key)}"]`)?.focus()
  }
  return (
    <div
      ref={strip}
      className={`vf-tabs vf-tabs-${look}${ellipsis ? ' vf-tabs-cut' : ''}`}
      style={colour === '' ? undefined : ({ '--vf-tab-line': colour } as CSSProperties)}
      role="tablist"
      aria-label={label}
      onKeyDown={move}
    >
      {tabs.map((tab) => (
        <button
          key={tab.key}
          type="button"
          role="tab"
          id={`${id}-${tab.key}`}
          data-tab={tab.key}
          aria-selected={tab.key === active}
          tabIndex={tab.key === active ? 0 : -1}
          disabled={tab.disabled}
          onClick={() => onPick(tab.key)}
        >
          <span className="vf-tab-label">{tab.label}</span>
          {tab.count === undefined ? null : (
            <span className="vf-tab-count">{tab.count > 999 ? '999+' : tab.count}</span>
          )}
        </button>
      ))}
    </div>
  )
}
