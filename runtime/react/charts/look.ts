/** Colours and fonts of the page for a picture, which does not use the page's style sheet. */
export interface Look {
  readonly text: string
  readonly quiet: string
  readonly line: string
  readonly fill: string
  readonly palette: readonly string[]
  /** Size of small text in px; follows the user's text size. */
  readonly fontSize: number
  readonly fontFamily: string
  readonly language: string
}

const TONES = ['brand', 'green', 'orange', 'violet', 'teal', 'red'] as const
const TONE_NAMES: Readonly<Record<string, number>> = {
  primary: 0,
  success: 1,
  warning: 2,
  violet: 3,
  teal: 4,
  danger: 5,
}

/** The look of the page around an element. */
export function lookOf(element: Element): Look {
  const style = getComputedStyle(element)
  const read = (name: string) => style.getPropertyValue(`--vf-${name}`).trim() || '#888888'
  return {
    text: read('text-2'),
    quiet: read('text-3'),
    line: read('line'),
    fill: read('fill'),
    palette: TONES.map(read),
    fontSize: Math.round(Number.parseFloat(style.fontSize) || 12),
    fontFamily: style.fontFamily.replaceAll('"', "'"),
    language: document.documentElement.lang || 'zh-Hans',
  }
}

/** The colour of a series: by its tone, or by its index. */
export function colourOf({ palette }: Look, tone: string, at: number): string {
  return palette[TONE_NAMES[tone] ?? at % palette.length] ?? '#888888'
}
