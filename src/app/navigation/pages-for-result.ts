import type { Json } from '../../../runtime/core/json.ts'
import type { Navigation, Refusal } from './navigation.ts'
import { aliveIn, topOf } from './page-stack.ts'

/** Pages that were opened to create a record for the page below. */
export interface PagesForResult {
  /** The record created on the page that `open` shows; null if the user leaves it or it does not open. */
  ask(open: () => Promise<Refusal>): Promise<Json>
  /** Passes the result of a page on and goes back. False: no page waits for it. @param id  its entry; default: the visible page's */
  answer(made: Json, id?: string): boolean
}

/** @param navigation  called late, since it is created after the ports */
export function createPagesForResult(navigation: () => Navigation): PagesForResult {
  const waiting = new Map<string, (made: Json) => void>()

  return {
    async ask(open) {
      if ((await open()) !== null) return null
      const { id } = topOf(navigation().stack())
      return new Promise<Json>((resolve) => {
        waiting.set(id, resolve)
        const stop = navigation().subscribe(() => {
          if (aliveIn(navigation().stack()).some((entry) => entry.id === id)) return
          stop()
          // Left without a result. A page that has one removes its entry first.
          if (waiting.delete(id)) resolve(null)
        })
      })
    },
    answer(made, id = topOf(navigation().stack()).id) {
      const resolve = waiting.get(id)
      if (resolve === undefined) return false
      waiting.delete(id)
      // The page below must be visible again before its field changes.
      void navigation()
        .back()
        .then(() => resolve(made))
      return true
    },
  }
}
