import { lazy, Suspense } from 'react'
import type { Json } from '../../core/json.ts'
import { safeImage } from '../kit/safe-url.ts'
import { fetchPart } from '../page/fetch-part.ts'
import { textOf } from '../page/options.ts'
import { useAddresses } from '../page/use-address.ts'
import type { ViewProps } from '../page/view.ts'

const Player = lazy(() => fetchPart(() => import('../media/video-player.tsx')))

export function View({ state, row }: ViewProps) {
  const { src } = state.options
  const given = Array.isArray(src) ? (src as readonly Json[]) : [textOf(src) || textOf(state.value)]
  const sources = useAddresses(given.map(textOf))
    .map(safeImage)
    .filter((url) => url !== '')
  return sources.length === 0 ? null : (
    <Suspense fallback={<div className="vf-video-wait" />}>
      <Player state={state} row={row} sources={sources} />
    </Suspense>
  )
}
