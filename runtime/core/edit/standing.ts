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
  const kept = new Set(longestRise(pairs.map(({ was }) => was)).map((i) => pairs[i]?.key ?? ''))
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

/** Indexes of a longest increasing subsequence. */
function longestRise(numbers: readonly number[]): number[] {
  const ends: number[] = []
  const previous: number[] = []
  numbers.forEach((number, i) => {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1
      else high = middle
    }
    previous[i] = ends[low - 1] ?? -1
    ends[low] = i
  })
  const run: number[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) run.unshift(at)
  return run
}
