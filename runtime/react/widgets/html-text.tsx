import { useMemo } from 'react'
import { drawHtml } from '../html-tree.tsx'
import { textOf } from '../options.ts'
import type { ViewProps } from '../view.ts'

export function View({ state }: ViewProps) {
  const html = textOf(state.options.htmlContent)
  const tree = useMemo(() => drawHtml(html), [html])
  return <div className="vf-html">{tree}</div>
}
