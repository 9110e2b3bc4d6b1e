import type { Json } from '../../../runtime/core/json.ts'
import type { Navigation, Refusal } from './navigation.ts'
import { aliveIn, topOf } from './page-stack.ts'

/** Pages that were opened to make something for the page below. */
export interface AskedPages {
  /** What is made on the page that `open` brings into sight, or null when it is left without, or does not come. */
  ask(open: () => Promise<Refusal>): Promise<Json>
  /** Hands over the result of the visible page and goes back. False: nobody is waiting for it. */
  answer(made: Json): boolean
}

/** @param navigation  looked up at each call: it is made after the ports are */
export function createAskedPages(navigation: () => Navigation): AskedPages {
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
          // Left without an answer; one that is on its way is told by itself.
          if (waiting.delete(id)) resolve(null)
        })
      })
    },
    answer(made) {
      const { id } = topOf(navigation().stack())
      const tell = waiting.get(id)
      if (tell === undefined) return false
      waiting.delete(id)
      // The page below has to be in sight again before its field changes.
      void navigation()
        .back()
        .then(() => tell(made))
      return true
    },
  }
}
