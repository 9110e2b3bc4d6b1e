import { useLayoutEffect, useState } from 'react'
import type { Page } from '../../core/page/page.ts'
import { customClasses } from './custom-class.ts'
import { fetchPart } from './fetch-part.ts'
import { textOf } from './options.ts'

type CssReader = typeof import('../../core/page/scope-css.ts')

let reader: CssReader | null = null
let count = 0

const nextName = (): string => {
  count += 1
  return `vf-own-${count}`
}

/** How a page looks by its own `cssCode` and `customClass`. */
export interface PageStyle {
  /** Classes of its root. */
  readonly root: string
  /** The class that its css is for; its layers carry it too. '' without css. */
  readonly scope: string
}

const hasCss = ({ config }: Page): boolean => textOf(config.cssCode).trim() !== ''

/** Fetches what a page's own css is read with; null when the page has none or it is there. Without it the page is drawn without its css. */
export function prepareStyle(page: Page): Promise<void> | null {
  if (!hasCss(page) || reader !== null) return null
  return fetchPart<CssReader>(() => import('../../core/page/scope-css.ts')).then(
    (fetched) => {
      reader = fetched
    },
    () => undefined,
  )
}

/** The page's css as a sheet of the document while the page is drawn, from when it is `ready`; it reaches only what carries the scope. */
export function usePageStyle(page: Page, ready: boolean): PageStyle {
  const { config } = page
  const code = textOf(config.cssCode)
  const [name] = useState(nextName)
  const scope = hasCss(page) ? name : ''
  useLayoutEffect(() => {
    if (scope === '' || !ready || reader === null || !('adoptedStyleSheets' in document)) return
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(reader.scopeCss(code, scope))
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [code, scope, ready])
  const classes = [...(scope === '' ? [] : ['vf-styled', scope]), ...customClasses(config.customClass)]
  return { root: classes.join(' '), scope }
}
