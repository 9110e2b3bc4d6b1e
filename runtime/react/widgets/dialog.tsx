import { lazy, Suspense } from 'react'
import { useWanted } from '../layers/use-wanted.ts'
import { fetchPart } from '../page/fetch-part.ts'
import type { ViewProps } from '../page/view.ts'

const HostingLayer = lazy(() => fetchPart(() => import('../layers/hosting-layer.tsx')))

/** Renders nothing until it is opened for the first time. */
export function View({ state, body }: ViewProps) {
  return useWanted(state) ? (
    <Suspense fallback={null}>
      <HostingLayer state={state} body={body} side="center" opened="dialogOpened" />
    </Suspense>
  ) : null
}
