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

/** The style of a page by its own `cssCode` and `customClass`. */
export interface PageStyle {
  /** Classes of its root element. */
  readonly root: string
  /** The class that limits its CSS; its layers have it too. '' without CSS. */
  readonly scope: string
}

const hasCss = ({ config }: Page): boolean => textOf(config.cssCode).trim() !== ''

/** Loads the parser of a page's own CSS; null if the page has none or it is loaded. If it cannot be loaded the page is drawn without its CSS. */
export function prepareStyle(page: Page): Promise<void> | null {
  if (!hasCss(page) || reader !== null) return null
  return fetchPart<CssReader>(() => import('../../core/page/scope-css.ts')).then(
    (fetched) => {
      reader = fetched
    },
    () => undefined,
  )
}

/** The page's CSS as a style sheet of the document while the page is mounted and `ready`; it only applies to elements within the scope. */
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
