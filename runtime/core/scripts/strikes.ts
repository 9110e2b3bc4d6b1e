import { splitRowKey } from '../state/cells.ts'

/** Budget violations by hook; they survive a replaced worker. */
export interface Strikes {
  /** Adds one and returns whether this disables the hook. */
  add(hook: string, key: string): boolean
  stopped(hook: string, key: string): boolean
  list(): readonly (readonly [string, number])[]
}

/** Identifies a hook's code: all rows of a sub-form share it. */
export const slotOf = (hook: string, key: string): string =>
  key === '' ? hook : `${hook} of ${splitRowKey(key).base}`

export function createStrikes(limit: number, known: readonly (readonly [string, number])[] = []): Strikes {
  const counts = new Map(known)
  const stopped = (hook: string, key: string) => (counts.get(slotOf(hook, key)) ?? 0) >= limit
  return {
    add(hook, key) {
      const slot = slotOf(hook, key)
      counts.set(slot, (counts.get(slot) ?? 0) + 1)
      return stopped(hook, key)
    },
    stopped,
    list: () => [...counts],
  }
}
