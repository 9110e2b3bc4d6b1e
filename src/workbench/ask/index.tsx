import { createRoot } from 'react-dom/client'
import { AskView } from './ask-view.tsx'
import { type AskHost, type ExplainedPlace, nodeAt, openRemembered } from './asking.ts'
import '../workbench.css'
import './ask.css'

/** How long a finger must rest, in milliseconds, and how far it may move meanwhile, in px. */
const HOLD_MS = 600
const TOLERANCE_PX = 10
/** Elements where users need the browser's own menu, or a widget's own long press. */
const OTHERS = 'input, textarea, select, [contenteditable], .vf-held, .wb, dialog'

/**
 * Lets people who may change forms ask any page why it is in its current state: by a right click, a long press, or Alt W on the focused element.
 *
 * @returns opens a page and records its visit
 */
export function startAsking(host: AskHost): typeof openRemembered {
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  const ask = (target: Element | null): boolean => {
    const explained = host.isAuthor() ? placeAt(target, host) : null
    if (explained === null) return false
    root.render(
      <AskView key={Date.now()} explained={explained} host={host} onClose={() => root.render(null)} />,
    )
    return true
  }
  document.addEventListener('contextmenu', (event) => {
    if (event.defaultPrevented || event.shiftKey || isOthers(event.target)) return
    if (ask(event.target as Element)) event.preventDefault()
  })
  document.addEventListener('keydown', (event) => {
    if (event.altKey && event.code === 'KeyW' && ask(document.activeElement)) event.preventDefault()
  })
  listenToHolding((target) => !isOthers(target) && ask(target))
  return openRemembered
}

const isOthers = (target: EventTarget | null): boolean =>
  !(target instanceof Element) || target.closest(OTHERS) !== null || String(getSelection()) !== ''

/** The widget that an element belongs to; the page itself if there is none. */
function placeAt(target: Element | null, host: AskHost): ExplainedPlace | null {
  if (target?.closest('.wb')) return null
  const section = target?.closest<HTMLElement>('section.page')
  const page = host.pageAt(section?.dataset.page)
  if (page === null) return null
  const at = target?.closest<HTMLElement>('[data-key]')?.dataset.key
  return { ...page, at: at !== undefined && nodeAt(page.engine, at) !== undefined ? at : null }
}

function listenToHolding(ask: (target: Element) => boolean): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let from = { x: 0, y: 0 }
  let hasOpened = false
  const stop = () => clearTimeout(timer)
  addEventListener('pointerdown', ({ pointerType, isPrimary, target, clientX: x, clientY: y }) => {
    stop()
    hasOpened = false
    if (pointerType !== 'touch' || !isPrimary || !(target instanceof Element)) return
    from = { x, y }
    timer = setTimeout(() => {
      hasOpened = ask(target)
    }, HOLD_MS)
  })
  addEventListener('pointermove', ({ clientX, clientY }) => {
    if (Math.abs(clientX - from.x) > TOLERANCE_PX || Math.abs(clientY - from.y) > TOLERANCE_PX) stop()
  })
  for (const end of ['pointerup', 'pointercancel', 'contextmenu']) addEventListener(end, stop)
  // The click that follows would activate the element.
  addEventListener(
    'click',
    (event) => {
      if (!hasOpened) return
      hasOpened = false
      event.preventDefault()
      event.stopPropagation()
    },
    true,
  )
}
