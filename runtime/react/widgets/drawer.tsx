import { lazy, Suspense } from 'react'
import { fetchPart } from '../fetch-part.ts'
import { textOf } from '../options.ts'
import type { Side } from '../overlay.tsx'
import { useWanted } from '../use-wanted.ts'
import type { ViewProps } from '../view.ts'

const HostingLayer = lazy(() => fetchPart(() => import('../hosting-layer.tsx')))

const SIDES: Readonly<Record<string, Side>> = { rtl: 'right', ltr: 'left', ttb: 'top', btt: 'bottom' }

/** Nothing until it is opened for the first time. */
export function View({ state, body }: ViewProps) {
  const side = SIDES[textOf(state.options.direction)] ?? 'right'
  return useWanted(state) ? (
    <Suspense fallback={null}>
      <HostingLayer state={state} body={body} side={side} opened="drawerOpened" />
    </Suspense>
  ) : null
}
