import { lazy, Suspense } from 'react'
import { useWanted } from '../layers/use-wanted.ts'
import { fetchPart } from '../page/fetch-part.ts'
import type { ViewProps } from '../page/view.ts'

const Layers = lazy(() => fetchPart(() => import('../layers/popup-layers.tsx')))

/** Renders nothing until it is opened for the first time. */
export function View({ state, body }: ViewProps) {
  return useWanted(state) ? (
    <Suspense fallback={null}>
      <Layers state={state} body={body} />
    </Suspense>
  ) : null
}
