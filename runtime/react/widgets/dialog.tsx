import { lazy, Suspense } from 'react'
import { fetchPart } from '../fetch-part.ts'
import { useWanted } from '../use-wanted.ts'
import type { ViewProps } from '../view.ts'

const HostingLayer = lazy(() => fetchPart(() => import('../hosting-layer.tsx')))

/** Nothing until it is opened for the first time. */
export function View({ state, body }: ViewProps) {
  return useWanted(state) ? (
    <Suspense fallback={null}>
      <HostingLayer state={state} body={body} side="center" opened="dialogOpened" />
    </Suspense>
  ) : null
}
