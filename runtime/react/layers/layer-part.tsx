import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { fetchPart } from '../page/fetch-part.ts'
import { useEngine } from '../page/page-context.ts'

interface Closing {
  /** False while it is mounted and shut. */
  readonly open?: boolean
  readonly onClose: () => void
}

/**
 * A layer that is fetched when it first opens. One that does not come says so and shuts, so that the next tap asks for it again: the notice that
 * stands for other lost parts would be out of sight, or in the place of the field.
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

/** Where nothing can come nobody waits for the repeats. */
const isCutOff = (): boolean => !navigator.onLine && !navigator.serviceWorker?.controller

async function comes<T>(load: () => Promise<T>): Promise<T> {
  if (isCutOff()) throw new Error('no network')
  return fetchPart(load)
}

/** Says that a layer did not come, and shuts it; asks for it again when it is opened once more. */
function Lost({ open = true, onClose, onAgain }: Closing & { readonly onAgain?: () => void }) {
  const { feedback, text } = useEngine().ports
  const told = useRef(false)
  useEffect(() => {
    if (!open) return
    if (told.current) return onAgain?.()
    told.current = true
    feedback.toast({ text: text('layer.lost') })
    onClose()
  })
  return null
}
