import type { Json } from '../json.ts'
import { type Item, type ItemKey, itemsOf } from './entries.ts'

type Kept = ReadonlySet<ItemKey>
const known = new WeakMap<object, WeakMap<object, Map<string, Kept>>>()

/**
 * The items of a list that did not move: the largest set that can keep its position while the others are moved
 * to their new positions.
 *
 * @param stays  the earlier item, for those that were in this list before
 */
export function standing(
  before: Json,
  after: Json,
  { parent, slot }: Item,
  stays: (item: Item) => Item | undefined,
): Kept {
  const lists = listsOf(before as object, after as object)
  const list = `${parent} ${slot}`
  const found = lists.get(list)
  if (found !== undefined) return found
  const neighbours = [...itemsOf(after).values()].filter((one) => one.parent === parent && one.slot === slot)
  const pairs = neighbours.flatMap((one) => {
    const was = stays(one)
    return was === undefined ? [] : [{ key: one.key, was: was.index }]
  })
  const kept = longestRise(pairs)
  lists.set(list, kept)
  return kept
}

function listsOf(before: object, after: object): Map<string, Kept> {
  const byBefore = known.get(after) ?? new WeakMap<object, Map<string, Kept>>()
  known.set(after, byBefore)
  const lists = byBefore.get(before) ?? new Map<string, Kept>()
  byBefore.set(before, lists)
  return lists
}

interface Ranked {
  readonly key: ItemKey
  /** Its earlier index. */
  readonly was: number
}

/** The last item of a run whose earlier indexes rise, with the items before it. */
interface Run extends Ranked {
  readonly before: Run | undefined
}

/** The keys of a longest increasing subsequence. */
function longestRise(items: readonly Ranked[]): Kept {
  const runs: Run[] = []
  for (const { key, was } of items) {
    let low = 0
    let high = runs.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((runs[middle]?.was ?? 0) < was) low = middle + 1
      else high = middle
    }
    runs[low] = { key, was, before: runs[low - 1] }
  }
  const kept = new Set<ItemKey>()
  for (let at = runs.at(-1); at !== undefined; at = at.before) kept.add(at.key)
  return kept
}
