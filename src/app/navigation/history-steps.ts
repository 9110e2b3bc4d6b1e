import type { Layers } from '../../../runtime/react/layers/layers.ts'
import type { HashHistory } from './hash-location.ts'
import { type Entry, markOf } from './page-stack.ts'
import { formatPlace } from './routes.ts'

/** Timeout for a step of the browser's history. */
const POP_WAIT_MS = 1_000
/** Time for a layer to close when asked to; after that it counts as staying open. */
const CLOSE_WAIT_MS = 300

/**
 * The app's own steps in the browser's history. While a layer is open above the page, the history has one extra entry. Back removes that entry and
 * closes the layer, also on the first page, where it would leave the app. When no layer is open any more, the entry is removed.
 */
export interface HistorySteps {
  /** Makes a step and waits for it. It is not reported as a step of the user. */
  go(delta: number): Promise<void>
  /** Adds the extra entry of an open layer, or removes it. */
  keepAbove(top: Entry): Promise<void>
  giveBack(): Promise<void>
  /** Asks the top layer to close and waits until it has closed or refused. */
  closeLayer(): Promise<void>
  /** @param listener  called only for steps of the user; `wasAbove`: the history was at the extra entry of a layer before */
  onUserStep(listener: (wasAbove: boolean) => void): () => void
}

export function createHistorySteps(history: HashHistory, layers: Layers): HistorySteps {
  let awaited: (() => void) | null = null
  const isOnAbove = (): boolean => history.mark()?.above === true
  let isAbove = isOnAbove()

  async function go(delta: number): Promise<void> {
    if (delta === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POP_WAIT_MS)
      awaited = () => {
        clearTimeout(timer)
        resolve()
      }
      history.go(delta)
    })
    awaited = null
  }

  return {
    go,
    async keepAbove(top) {
      const has = isOnAbove()
      if (layers.isOpen() && !has) {
        history.push(formatPlace(top), { ...markOf(top), above: true })
        isAbove = true
      }
      if (!layers.isOpen() && has) await go(-1)
    },
    async giveBack() {
      if (isOnAbove()) await go(-1)
    },
    async closeLayer() {
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer)
          stop()
          resolve()
        }
        const timer = setTimeout(done, CLOSE_WAIT_MS)
        const stop = layers.subscribe(done)
        if (!layers.closeTop()) done()
      })
    },
    onUserStep: (listener) =>
      history.onPop(() => {
        const wasAbove = isAbove
        isAbove = isOnAbove()
        if (awaited) awaited()
        else listener(wasAbove)
      }),
  }
}
