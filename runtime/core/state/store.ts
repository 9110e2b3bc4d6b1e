import { type Json, sameJson } from '../json.ts'
import type { Write } from '../ports.ts'

/** The cells of one open page: the only mutable state in the core. */
export interface Store {
  get(cell: string): Json | undefined
  /** Writes the cells and returns those whose value actually changed, with their previous values. */
  write(writes: readonly Write[]): readonly { readonly cell: string; readonly before: Json | undefined }[]
  /** All cells, as writes: the initial state of a new replica. */
  snapshot(): readonly Write[]
}

export function createStore(): Store {
  const cells = new Map<string, Json>()
  return {
    get: (cell) => cells.get(cell),
    write(writes) {
      const changed: { cell: string; before: Json | undefined }[] = []
      for (const { cell, value } of writes) {
        const before = cells.get(cell)
        if (before !== undefined && sameJson(before, value)) continue
        cells.set(cell, value)
        changed.push({ cell, before })
      }
      return changed
    },
    snapshot: () => [...cells].map(([cell, value]) => ({ cell, value })),
  }
}
