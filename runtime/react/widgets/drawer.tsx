import { lazy, Suspense } from 'react'
import type { Side } from '../layers/overlay.tsx'
import { useWanted } from '../layers/use-wanted.ts'
import { fetchPart } from '../page/fetch-part.ts'
import { textOf } from '../page/options.ts'
import type { ViewProps } from '../page/view.ts'

const HostingLayer = lazy(() => fetchPart(() => import('../layers/hosting-layer.tsx')))

const SIDES: Readonly<Record<string, Side>> = { rtl: 'right', ltr: 'left', ttb: 'top', btt: 'bottom' }

/** Renders nothing until it is opened for the first time. */
export function View({ state, body }: ViewProps) {
  const side = SIDES[textOf(state.options.direction)] ?? 'right'
  return useWanted(state) ? (
    <Suspense fallback={null}>
      <HostingLayer state={state} body={body} side={side} opened="drawerOpened" />
    </Suspense>
  ) : null
}
