import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** Codes of texts that are said only by views which are loaded on demand. A test checks that nothing of the start page says one. */
export const SAID_BY_VIEWS =
  /^(?:agenda|calendar|chart|day|media|notice|popup(?!\.title$)|preview(?!\.noNetwork$)|progress|reference|stat|steps|subForm(?!\.(?:count|delete\.\w+)$)|swiper(?!\.(?:page|picture)$)|table|upload|video|list\.(?:empty|end|loading|more|printed|total)|widget\.(?:board|create|date|matrix|number|rate|slider|slots|stars|tree))(?:\.|$)/

interface Files {
  /** The catalogue: in the build it is left with the other texts. */
  readonly catalogue: string
  /** The module that exports the texts of views. */
  readonly ofViews: string
}

/** Takes the texts of views out of the code that a first visit loads. Their file comes with the first view that is loaded on demand. */
export function viewWords({ catalogue, ofViews }: Files): Plugin {
  const texts = (areOfViews: boolean): string => {
    const all = Object.entries(JSON.parse(readFileSync(catalogue, 'utf8')) as Record<string, string>)
    return JSON.stringify(Object.fromEntries(all.filter(([code]) => SAID_BY_VIEWS.test(code) === areOfViews)))
  }
  return {
    name: 'view-words',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id === catalogue) return texts(false)
      return id === ofViews ? `export default ${texts(true)}` : null
    },
  }
}
