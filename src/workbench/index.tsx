import { useContext, useEffect, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { textOf } from '../../runtime/react/page/options.ts'
import { PageVisible, useEngine } from '../../runtime/react/page/page-context.ts'
import type { ViewProps } from '../../runtime/react/page/view.ts'
import { openBench } from './bench.ts'
import type { Bench } from './bench-state.ts'
import { BenchContext } from './context.ts'
import { createCalls } from './create-calls.ts'
import { Workbench } from './workbench.tsx'
import './workbench.css'

/** The workbench as a widget of a page: a guest of the runtime, loaded when it is opened. */
export function View({ state }: ViewProps) {
  const { ports } = useEngine()
  const path = textOf(state.options.path)
  const calls = useMemo(() => createCalls(ports), [ports])
  const [bench, setBench] = useState<Bench | null>(null)
  useEffect(() => {
    if (path === '') return
    const opened = openBench(path, calls, ports)
    setBench(opened)
    return opened.close
  }, [path, calls, ports])
  const inSight = useContext(PageVisible)
  if (bench === null || !inSight) return null
  // Rendered outside the app: the page on the canvas has the layout of its frame, whatever layout the app uses in a wide window.
  return createPortal(
    <BenchContext.Provider value={bench}>
      <Workbench />
    </BenchContext.Provider>,
    document.body,
  )
}
