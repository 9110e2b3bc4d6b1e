/** The largest factor for text sizes that phones offer. */
export const TEXT_SIZES = [1, 1.5, 2] as const
export type TextSize = (typeof TEXT_SIZES)[number]

const MARK = 'data-wb-text'
/** Elements with text that is not a text node. */
const CONTROLS = new Set(['INPUT', 'TEXTAREA', 'SELECT'])

/**
 * Enlarges every text below an element by a factor and nothing else, as on a phone with large text. Applies also to
 * elements that are drawn later.
 *
 * @returns ends it
 */
export function enlargeText(root: HTMLElement, times: TextSize): () => void {
  if (times === 1) return () => {}
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  let frame = 0
  const clear = () => {
    for (const one of root.querySelectorAll(`[${MARK}]`)) one.removeAttribute(MARK)
  }
  const enlarge = () => {
    frame = 0
    // By their own sizes: nested elements must not be enlarged twice.
    clear()
    const sizes = [...root.querySelectorAll<HTMLElement>('*')].filter(hasText).map((element) => {
      const { fontSize, lineHeight } = getComputedStyle(element)
      return {
        element,
        mark: `${Number.parseFloat(fontSize) * times} ${Number.parseFloat(lineHeight) * times}`,
      }
    })
    for (const { element, mark } of sizes) element.setAttribute(MARK, mark)
    sheet.replaceSync([...new Set(sizes.map(({ mark }) => mark))].map(ruleFor).join('\n'))
  }
  const watcher = new MutationObserver(() => {
    frame ||= requestAnimationFrame(enlarge)
  })
  watcher.observe(root, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ['class', 'style', 'hidden'],
  })
  enlarge()
  return () => {
    watcher.disconnect()
    cancelAnimationFrame(frame)
    clear()
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
  }
}

const hasText = (element: Element): boolean =>
  CONTROLS.has(element.tagName) ||
  [...element.childNodes].some(
    ({ nodeType, data }: ChildNode & { data?: string }) => nodeType === 3 && data?.trim(),
  )

/** Lines without a fixed height grow with their text. */
function ruleFor(mark: string): string {
  const [size, height] = mark.split(' ')
  const line = height === 'NaN' ? '' : `line-height: ${height}px !important;`
  return `[${MARK}="${mark}"] { font-size: ${size}px !important; ${line} }`
}
