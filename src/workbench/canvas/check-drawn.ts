import { above, type Colour, contrast, contrastNeeded, readColour } from './contrast.ts'

/** Something on the drawn page that is hard to tap or to read. */
export interface DrawnProblem {
  readonly name: 'target-small' | 'text-faint'
  /** The widget concerned, by its key in the page. */
  readonly node: string
  readonly words: Readonly<Record<string, string | number>>
}

const TAPPED =
  'a[href], button, input:not([type=hidden]), select, textarea, [role=button], [role=link], [role=switch], [role=slider]'
/** Minimum size for a finger in px; half a px is rounding. */
const FINGER_PX = 44
const SLACK_PX = 0.5

/** Checks the drawn page: reports each kind of problem once per widget. */
export function checkDrawn(
  paper: HTMLElement,
  nodeOf: (element: HTMLElement) => string,
): readonly DrawnProblem[] {
  const zoom = paper.getBoundingClientRect().width / (paper.offsetWidth || 1)
  const found = new Map<string, DrawnProblem>()
  const report = (element: Element, one: Omit<DrawnProblem, 'node'>): void => {
    const holder = element.closest<HTMLElement>('[data-key]')
    if (holder === null) return
    const node = nodeOf(holder)
    if (!found.has(`${one.name} ${node}`)) found.set(`${one.name} ${node}`, { ...one, node })
  }
  for (const element of targetsIn(paper)) {
    const { width, height } = reachOf(element, zoom)
    if (width < FINGER_PX - SLACK_PX || height < FINGER_PX - SLACK_PX)
      report(element, {
        name: 'target-small',
        words: { width: Math.round(width), height: Math.round(height) },
      })
  }
  for (const element of textsIn(paper)) {
    const ratio = ratioOf(element)
    if (ratio !== null) report(element, { name: 'text-faint', words: { ratio: ratio.toFixed(1) } })
  }
  return [...found.values()]
}

const isShown = (element: Element): boolean =>
  element.checkVisibility({ opacityProperty: true, visibilityProperty: true })

function targetsIn(paper: HTMLElement): Element[] {
  // The label belongs to its box, and the whole line of a slider to its handle.
  const units = [...paper.querySelectorAll(TAPPED)].map((one) => one.closest('label, .vf-slider') ?? one)
  return [...new Set(units)].filter((one) => {
    // The points of a chart are as wide as there is room; the author of the page cannot change that.
    if (!isShown(one) || one.matches(':disabled') || one.closest('[aria-hidden=true], svg') !== null)
      return false
    const style = getComputedStyle(one)
    const around = one.parentElement?.textContent?.trim().length ?? 0
    const isInText = style.display === 'inline' && around > (one.textContent?.trim().length ?? 0)
    return style.pointerEvents !== 'none' && !isInText
  })
}

/** The size for a finger: an element may have an invisible part around it that can be tapped. */
function reachOf(element: Element, zoom: number): { readonly width: number; readonly height: number } {
  const box = element.getBoundingClientRect()
  const reach = { width: box.width / zoom, height: box.height / zoom }
  for (const part of ['::before', '::after']) {
    const { content, position, top, right, bottom, left } = getComputedStyle(element, part)
    if (content === 'none' || position !== 'absolute') continue
    const grown = (one: string, other: string): number =>
      Math.max(0, -Number.parseFloat(one) || 0) + Math.max(0, -Number.parseFloat(other) || 0)
    reach.width = Math.max(reach.width, box.width / zoom + grown(left, right))
    reach.height = Math.max(reach.height, box.height / zoom + grown(top, bottom))
  }
  return reach
}

function textsIn(paper: HTMLElement): Element[] {
  return [...paper.querySelectorAll('[data-key], [data-key] *')].filter(
    (one) =>
      one instanceof HTMLElement &&
      [...one.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim()) &&
      isShown(one) &&
      one.closest(':disabled, [aria-disabled=true], [aria-hidden=true]') === null,
  )
}

/** The contrast between a text and its background if it is too low; otherwise null, also if the background is a picture. */
function ratioOf(element: Element): number | null {
  const { color, fontSize, fontWeight } = getComputedStyle(element)
  const [foreground, background] = [readColour(color), behindOf(element)]
  if (foreground === null || background === null) return null
  const ratio = contrast(above(foreground, background), background)
  return ratio < contrastNeeded(Number.parseFloat(fontSize), Number(fontWeight)) ? ratio : null
}

function behindOf(element: Element): Colour | null {
  const layers: Colour[] = []
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const { backgroundColor, backgroundImage } = getComputedStyle(at)
    if (backgroundImage !== 'none') return null
    const colour = readColour(backgroundColor)
    if (colour === null) return null
    layers.push(colour)
    if (colour[3] === 1) break
  }
  return layers.reduceRight<Colour>((below, one) => above(one, below), [255, 255, 255, 1])
}
