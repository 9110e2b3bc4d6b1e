import { lazy, Suspense, useState } from 'react'
import type { ViewProps } from '../view.ts'

const Layers = lazy(() => import('../popup-layers.tsx'))

/** Nothing until it is opened for the first time. */
export function View({ state, body }: ViewProps) {
  const open = state.options.open === true
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <Layers state={state} body={body} />
    </Suspense>
  )
}
