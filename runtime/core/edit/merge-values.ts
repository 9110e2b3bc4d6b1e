import { isObject, type Json, type JsonObject, sameJson } from '../json.ts'

/** Both sides changed one value differently. */
export interface Clash {
  readonly what: string
  readonly base?: Json
  readonly mine?: Json
  readonly theirs?: Json
}

/** The side whose value is used. */
export type Taken = 'mine' | 'theirs'

/** Records a conflict and returns the side that wins: `otherwise` unless chosen. */
export type ReportClash = (clash: Clash, otherwise?: Taken) => Taken

/** Keys whose objects are merged key by key; every other value is merged as a whole. */
export interface Depth {
  readonly [key: string]: Depth
}

/** Three versions of one value; an absent one was removed, or not added yet. */
export interface Three {
  readonly base: Json | undefined
  readonly mine: Json | undefined
  readonly theirs: Json | undefined
}

/** The value with both sides' changes; conflicts are recorded: a value wins over a removal, and mine over theirs. */
export function mergeValues(
  three: Three,
  depth: Depth | undefined,
  path: string,
  report: ReportClash,
): Json | undefined {
  const { base, mine, theirs } = three
  if (sameJson(mine, theirs) || sameJson(theirs, base)) return mine
  if (sameJson(mine, base)) return theirs
  if (depth !== undefined && isObject(mine) && isObject(theirs))
    return mergeKeys(isObject(base) ? base : {}, mine, theirs, depth, path, report)
  const chosen = report(
    { what: path, ...present({ base, mine, theirs }) },
    mine === undefined ? 'theirs' : 'mine',
  )
  return chosen === 'mine' ? mine : theirs
}

/** `depth` may stand under `*` for every key. */
export function mergeKeys(
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
  depth: Depth,
  path: string,
  report: ReportClash,
): JsonObject {
  const keys = new Set([...Object.keys(mine), ...Object.keys(theirs)])
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const three = { base: base[key], mine: mine[key], theirs: theirs[key] }
      const inner = Object.hasOwn(depth, key) ? depth[key] : depth['*']
      const value = mergeValues(three, inner, path === '' ? key : `${path}.${key}`, report)
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

const present = (three: Three): Omit<Clash, 'what'> =>
  Object.fromEntries(Object.entries(three).filter(([, value]) => value !== undefined))

/**
 * The order of a merged list: that of the side that changed it, with the other side's additions after their neighbours there.
 *
 * @returns also whether both sides changed the order differently
 */
export function mergeOrder<T>(
  base: readonly T[],
  mine: readonly T[],
  theirs: readonly T[],
  remaining: ReadonlySet<T>,
): { readonly order: readonly T[]; readonly clash: boolean } {
  const changed = !sameOrder(base, mine)
  const other = !sameOrder(base, theirs)
  const [first, second] = changed ? [mine, theirs] : [theirs, mine]
  const order = first.filter((one) => remaining.has(one))
  second.forEach((item, i) => {
    if (!remaining.has(item) || order.includes(item)) return
    const before = second.slice(0, i).findLast((each) => order.includes(each))
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, item)
  })
  for (const item of remaining) if (!order.includes(item)) order.push(item)
  return { order, clash: changed && other && !sameOrder(mine, theirs) }
}

/** True if the common items of both lists are in the same order. */
function sameOrder<T>(a: readonly T[], b: readonly T[]): boolean {
  const inB = new Set(b)
  const shared = a.filter((one) => inB.has(one))
  const inA = new Set(a)
  const order = b.filter((one) => inA.has(one))
  return shared.every((item, i) => item === order[i])
}
