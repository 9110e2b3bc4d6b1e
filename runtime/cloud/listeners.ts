import type { Log } from './cloud-ports.ts'

/** Listeners of named events. */
export interface Listeners<Events> {
  /** A listener is registered only once; the returned function removes it. */
  on<E extends keyof Events>(event: E, listener: (payload: Events[E]) => void): () => void
  fire<E extends keyof Events>(event: E, payload: Events[E]): void
  has(event: keyof Events): boolean
}

/** An exception of a listener is logged and does not affect other listeners. */
export function createListeners<Events>(log: Log): Listeners<Events> {
  const all = new Map<keyof Events, Set<(payload: never) => void>>()
  return {
    on(event, listener) {
      const set = all.get(event) ?? new Set()
      all.set(event, set.add(listener))
      return () => void set.delete(listener)
    },
    fire(event, payload) {
      for (const listener of [...(all.get(event) ?? [])]) {
        try {
          ;(listener as (payload: unknown) => void)(payload)
        } catch (error) {
          log('error', `a listener of ${String(event)} failed: ${String(error)}`)
        }
      }
    },
    has: (event) => (all.get(event)?.size ?? 0) > 0,
  }
}
