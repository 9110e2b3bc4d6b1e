import { lazy, Suspense } from 'react'
import { fetchPart } from '../fetch-part.ts'
import { useWanted } from '../use-wanted.ts'
import type { ViewProps } from '../view.ts'

const Layers = lazy(() => fetchPart(() => import('../popup-layers.tsx')))

/** Nothing until it is opened for the first time. */
export function View({ state, body }: ViewProps) {
  return useWanted(state) ? (
    <Suspense fallback={null}>
      <Layers state={state} body={body} />
    </Suspense>
  ) : null
}
