import type { Layers } from '../../../runtime/react/layers/layers.ts'
import type { HashHistory } from './hash-location.ts'
import { type Entry, markOf } from './page-stack.ts'
import { formatPlace } from './routes.ts'

/** A step of the browser that did not come after this long is not coming. */
const POP_WAIT_MS = 1_000
/** A layer that is still there this long after it was asked to close stays. */
const CLOSE_WAIT_MS = 300

/**
 * Our own steps of the browser's history. While something stands above the page, the browser has one entry more: Back takes that one and
 * closes what stands there, also on the first page, where it would leave the app. Without anything above, the entry is given back.
 */
export interface HistorySteps {
  /** A step that is ours, not the user's; waits for it. */
  go(delta: number): Promise<void>
  /** Adds the entry of what stands above the page, or gives it back. */
  keepAbove(top: Entry): Promise<void>
  giveBack(): Promise<void>
  /** Asks the top-most layer to close and waits until it has closed or refused. */
  closeLayer(): Promise<void>
  /** @param listener  called for steps of the user alone; `wasAbove`: the browser stood on the entry of a layer before */
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
