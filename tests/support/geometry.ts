import type { Page } from 'playwright-core'

/** Minimum size of a touch target in px. */
const FINGER_PX = 44
/** Tolerated overlap: borders, shadows, rounding. */
const TOUCH_PX = 4

/**
 * Layout errors of the visible page: elements that overflow the screen, cover another touch target, are too small for a
 * finger, or cannot be scrolled out from under a bar at the bottom. One line for each.
 *
 * @param touch  whether it is a touch screen; a mouse may have smaller targets
 */
export async function faultsOfLayout(page: Page, touch: boolean): Promise<readonly string[]> {
  // A phone zooms out to show overflowing elements, so its width is passed in.
  const width = page.viewportSize()?.width ?? 0
  const given = { touch, width, finger: FINGER_PX, slack: TOUCH_PX }
  await page.evaluate(() => scrollTo(0, 0))
  const above = await page.evaluate(look, { ...given, atEnd: false })
  const atEnd = (await reachEnd(page)) ? await page.evaluate(look, { ...given, atEnd: true }) : []
  // Rows were loaded meanwhile: this was not the end.
  const below = (await isAtEnd(page)) ? atEnd : []
  await page.evaluate(() => scrollTo(0, 0))
  return [...new Set([...above, ...below])]
}

/** Scrolls until nothing more is loaded. @returns false for a page that fits the screen, and for one too long to be read to its end */
async function reachEnd(page: Page): Promise<boolean> {
  for (let round = 0; round < 3; round++) {
    const isLong = await page.evaluate(() => {
      const end = document.documentElement.scrollHeight - innerHeight
      scrollTo(0, end)
      return end > 0
    })
    if (!isLong) return false
    // The reserved space disappears after its transition, and more rows are loaded.
    await page.waitForTimeout(350)
    if (await isAtEnd(page)) return true
  }
  return false
}

const isAtEnd = (page: Page): Promise<boolean> =>
  page.evaluate(() => scrollY >= document.documentElement.scrollHeight - innerHeight - 2)

interface Given {
  readonly touch: boolean
  readonly width: number
  readonly finger: number
  readonly slack: number
  /** The page is scrolled to its end: bars at the bottom cover nothing any more. */
  readonly atEnd: boolean
}

/** Runs in the browser, so it uses nothing outside itself. */
function look({ touch, width, finger, slack, atEnd }: Given): string[] {
  const TAPPED =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=link], [role=tab], [role=switch], [role=checkbox], [role=radio], [role=option], [role=menuitem], [role=slider]'
  interface Box {
    readonly left: number
    readonly top: number
    readonly right: number
    readonly bottom: number
  }
  const root = document.documentElement
  const shown = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })
  const nameOf = (element: Element): string => {
    const label = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''
    const held = element.closest('[data-field], [data-widget]')
    const where = held?.getAttribute('data-field') ?? held?.getAttribute('data-widget') ?? ''
    return `${element.tagName.toLowerCase()}.${element.classList[0] ?? ''} "${label.slice(0, 16)}" (${where})`
  }
  /** The part of an element that its scrolling and clipping ancestors leave visible. */
  const seen = (element: Element): Box | null => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const box = { left, top, right, bottom }
    for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at)
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue
      const clip = at.getBoundingClientRect()
      box.left = Math.max(box.left, clip.left)
      box.right = Math.min(box.right, clip.right)
      box.top = Math.max(box.top, clip.top)
      box.bottom = Math.min(box.bottom, clip.bottom)
    }
    return box.right - box.left > 1 && box.bottom - box.top > 1 ? box : null
  }
  /** The fixed ancestors of an element, nearest first; null for the page itself. */
  const layerOf = (element: Element): Element | null => {
    for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement)
      if (/fixed|sticky/.test(getComputedStyle(at).position)) return at
    return null
  }
  // A label counts as the target of its box, and the whole track of a slider as that of its handle.
  const unitOf = (element: Element): Element => element.closest('label, .vf-slider') ?? element
  const tapped = [...new Set([...document.querySelectorAll(TAPPED)].map(unitOf))].flatMap((element) => {
    if (!element.closest('section.page:not([hidden]), .tab-bar, .side-nav, .vf-layer') || !shown(element))
      return []
    if (element.closest('[inert], [aria-hidden=true]') !== null) return []
    if (getComputedStyle(element).pointerEvents === 'none') return []
    const box = seen(element)
    return box === null ? [] : [{ element, box, layer: layerOf(element) }]
  })
  const faults: string[] = []

  if (!atEnd && root.scrollWidth > width + 1)
    for (const element of [...document.querySelectorAll('section.page:not([hidden]) *')]
      .filter((one) => (seen(one)?.right ?? 0) > width + 1)
      .slice(0, 3))
      faults.push(`sticks out: ${nameOf(element)}`)

  const across = (a: Box, b: Box): boolean =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack
  for (const [at, one] of tapped.entries())
    for (const other of tapped.slice(at + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue
      if (!across(one.box, other.box)) continue
      if (one.layer !== other.layer) {
        // Until the end is reached, bars may cover the rest; at the end only those at the top may.
        const pinned = one.layer === null ? other : other.layer === null ? one : null
        const under = pinned === one ? other : one
        if (!atEnd || pinned === null || pinned.box.top < innerHeight / 2) continue
        faults.push(`covered at the end: ${nameOf(under.element)} by ${nameOf(pinned.element)}`)
      } else if (!atEnd) faults.push(`overlap: ${nameOf(one.element)} and ${nameOf(other.element)}`)
    }

  if (touch && !atEnd)
    for (const { element } of tapped) {
      const rect = element.getBoundingClientRect()
      if (rect.width >= finger - 0.5 && rect.height >= finger - 0.5) continue
      const text = element.parentElement?.textContent?.trim() ?? ''
      const isInText =
        getComputedStyle(element).display === 'inline' &&
        text.length > (element.textContent?.trim().length ?? 0)
      if (isInText || element.matches(':disabled')) continue
      element.scrollIntoView({ block: 'center', inline: 'center' })
      const { left, top, width, height } = element.getBoundingClientRect()
      const x = left + width / 2
      const y = top + height / 2
      const reach = finger / 2 - 1
      const hits = (dx: number, dy: number): boolean => {
        const hit = document.elementFromPoint(x + dx, y + dy)
        return hit !== null && (element.contains(hit) || hit.closest('label') === element)
      }
      const wide = rect.width >= finger - 0.5 || (hits(-reach, 0) && hits(reach, 0))
      const high = rect.height >= finger - 0.5 || (hits(0, -reach) && hits(0, reach))
      if (!wide || !high)
        faults.push(`too small: ${nameOf(element)} ${Math.round(rect.width)}×${Math.round(rect.height)}`)
    }
  return faults
}
