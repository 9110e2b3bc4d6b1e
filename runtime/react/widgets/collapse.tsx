import { useLayoutEffect, useRef } from 'react'
import { textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

/** Panels. If the document lists open ones (`defaultValue`, `expandName`), only those start open. */
export function View({ state, body }: ViewProps) {
  const engine = useEngine()
  const { options, children } = state
  const named = [options.defaultValue, options.expandName].flat().map(textOf).filter(Boolean)
  const started = useRef(named.length === 0)
  useLayoutEffect(() => {
    if (started.current) return
    started.current = true
    for (const key of children)
      engine.setOption(key, 'expand', named.includes(textOf(engine.node(key).options.name)))
  })
  return <div className={`vf-collapse${options.border === false ? ' vf-bare' : ''}`}>{body}</div>
}
