import { sql } from 'kysely'
import type * as predicate from '../../src/server/kernel/visibility/predicate.ts'

type Predicate = typeof predicate

/** The conditions that are the application's own net: where it is taken away, every one of them is true of every row. */
const NET = [
  'isVisible',
  'isVisibleOwned',
  'isInPools',
  'isOwn',
  'isInScope',
  'isWritable',
  'isLive',
] as const

/**
 * The module `kernel/visibility/predicate.ts` with a switch, for `vi.mock`: with `nets.predicate` off row-level security stands alone.
 * @param nets  made with `vi.hoisted`
 */
export function switchable(real: Predicate, nets: { readonly predicate: boolean }): Predicate {
  const open = NET.map((name) => {
    const own = real[name] as (...args: readonly unknown[]) => unknown
    return [name, (...args: readonly unknown[]) => (nets.predicate ? own(...args) : sql<boolean>`true`)]
  })
  return { ...real, ...Object.fromEntries(open) }
}
