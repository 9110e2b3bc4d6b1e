import type { Json } from '../json.ts'
import { type Item, type ItemKey, itemsOf } from './entries.ts'

type ItemKeys = ReadonlySet<ItemKey>
const known = new WeakMap<object, WeakMap<object, Map<string, ItemKeys>>>()

/**
 * The items of a list that did not move: the largest set that can keep its position while the others are moved
 * to their new positions.
 *
 * @param previousOf  the earlier item, for those that were in this list before
 */
export function unmovedKeys(
  before: Json,
  after: Json,
  { parent, slot }: Item,
  previousOf: (item: Item) => Item | undefined,
): ItemKeys {
  const lists = listsOf(before as object, after as object)
  const list = `${parent} ${slot}`
  const found = lists.get(list)
  if (found !== undefined) return found
  const neighbours = [...itemsOf(after).values()].filter((one) => one.parent === parent && one.slot === slot)
  const pairs = neighbours.flatMap((item) => {
    const previous = previousOf(item)
    return previous === undefined ? [] : [{ key: item.key, was: previous.index }]
  })
  const stationary = longestIncreasing(pairs)
  lists.set(list, stationary)
  return stationary
}

function listsOf(before: object, after: object): Map<string, ItemKeys> {
  const byBefore = known.get(after) ?? new WeakMap<object, Map<string, ItemKeys>>()
  known.set(after, byBefore)
  const lists = byBefore.get(before) ?? new Map<string, ItemKeys>()
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
function longestIncreasing(items: readonly Ranked[]): ItemKeys {
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
  const keys = new Set<ItemKey>()
  for (let at = runs.at(-1); at !== undefined; at = at.before) keys.add(at.key)
  return keys
}
