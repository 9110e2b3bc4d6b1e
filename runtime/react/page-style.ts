import { useLayoutEffect, useState } from 'react'
import type { Page } from '../core/page/page.ts'
import { scopeCss } from '../core/page/scope-css.ts'
import { customClasses } from './custom-class.ts'
import { textOf } from './options.ts'

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

/** The page's css as a sheet of the document while the page is drawn; it reaches only what carries the scope. */
export function usePageStyle({ config }: Page): PageStyle {
  const code = textOf(config.cssCode)
  const [name] = useState(nextName)
  const scope = code.trim() === '' ? '' : name
  useLayoutEffect(() => {
    if (scope === '' || !('adoptedStyleSheets' in document)) return
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(scopeCss(code, scope))
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [code, scope])
  const classes = [...(scope === '' ? [] : ['vf-styled', scope]), ...customClasses(config.customClass)]
  return { root: classes.join(' '), scope }
}
