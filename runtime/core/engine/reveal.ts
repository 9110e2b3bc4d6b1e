import type { Model } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import { subscriber } from '../state/listeners.ts'

type Revealer = (key: NodeKey) => Promise<void>

/** Scrolls fields into view that may not be mounted: each windowing container is asked, the outermost (oldest) first. */
export function createReveal(model: Model): {
  onReveal(reveal: Revealer): () => void
  reveal(address: string): Promise<void>
} {
  const revealers = new Set<Revealer>()
  return {
    onReveal: subscriber(revealers),
    async reveal(address) {
      const key = model.find(address)
      if (key === undefined) return
      for (const reveal of [...revealers]) await reveal(key)
    },
  }
}
