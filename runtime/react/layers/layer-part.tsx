import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { fetchPart } from '../page/fetch-part.ts'
import { useEngine } from '../page/page-context.ts'

interface Closing {
  /** False while it is mounted and closed. */
  readonly open?: boolean
  readonly onClose: () => void
}

/**
 * A layer that is loaded when it first opens. If it cannot be loaded, it shows a message and closes, so that the next tap tries again: the general
 * notice for failed parts would be out of sight, or would replace the field.
 */
export function layerPart<P extends Closing>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
): ComponentType<P> {
  const fetched = (): ComponentType<P> =>
    lazy<ComponentType<P>>(() =>
      comes(load).catch(() => {
        latest = fetched()
        return { default: Lost }
      }),
    )
  let latest = fetched()
  return function LayerPart(props) {
    const [Layer, setLayer] = useState<ComponentType<P>>(() => latest)
    return (
      <Suspense fallback={null}>
        <Layer {...props} onAgain={() => setLayer(() => latest)} />
      </Suspense>
    )
  }
}

/** Without network and worker nothing can be loaded, so the retries are skipped. */
const isCutOff = (): boolean => !navigator.onLine && !navigator.serviceWorker?.controller

async function comes<T>(load: () => Promise<T>): Promise<T> {
  if (isCutOff()) throw new Error('no network')
  return fetchPart(load)
}

/** Shows that a layer could not be loaded, and closes it; opening it again loads it again. */
function Lost({ open = true, onClose, onAgain }: Closing & { readonly onAgain?: () => void }) {
  const { feedback, text } = useEngine().ports
  const reported = useRef(false)
  useEffect(() => {
    if (!open) return
    if (reported.current) return onAgain?.()
    reported.current = true
    feedback.toast({ text: text('layer.lost') })
    onClose()
  })
  return null
}
