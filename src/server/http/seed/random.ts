/** Random numbers with a fixed seed: the demo data is the same every time. */
export interface Chance {
  /** Uniform in [0, 1). */
  next(): number
  /** An integer, both ends included. */
  int(from: number, to: number): number
  pick<T>(items: readonly T[]): T
  /** An item by weight; weights need not sum to 1. */
  weighted<T>(items: readonly (readonly [T, number])[]): T
  /** Log-normal around `median`; `sigma` is the standard deviation of the logarithm. */
  logNormal(median: number, sigma: number): number
  isTrue(probability: number): boolean
}

/** mulberry32: small, fast and good enough for examples. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  const at = <T>(items: readonly T[], index: number): T => {
    const found = items[index]
    if (found === undefined) throw new Error('nothing to choose from')
    return found
  }
  return {
    next,
    int,
    pick: (items) => at(items, int(0, items.length - 1)),
    weighted(items) {
      let remaining = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
      const found = items.find(([, weight]) => {
        remaining -= weight
        return remaining < 0
      })
      return (found ?? at(items, items.length - 1))[0]
    },
    logNormal(median, sigma) {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
      return median * Math.exp(sigma * normal)
    },
    isTrue: (probability) => next() < probability,
  }
}
