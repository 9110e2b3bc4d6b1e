import { createHash } from 'node:crypto'

/** Mean time of {@link fixedWork} on a machine with nothing else running, on which the limits were set, in ms. */
const USUAL_MS = 32
const TIMES = 20
const block = Buffer.alloc(2 ** 20, '数据')

/** How many times as long as usual this machine takes now; at least 1. A limit in ms is multiplied by it, as limits of screens are by `pace`. */
export async function nodePace(): Promise<number> {
  let totalMs = 0
  for (let time = 0; time < TIMES; time += 1) {
    const start = performance.now()
    fixedWork()
    totalMs += performance.now() - start
    await new Promise((rested) => setTimeout(rested, 20))
  }
  return Math.max(1, totalMs / TIMES / USUAL_MS)
}

function fixedWork(): void {
  for (let part = 0; part < 4; part += 1) createHash('sha256').update(block).digest()
  JSON.parse(
    JSON.stringify(Array.from({ length: 5_000 }, (_, n) => ({ n, name: `客户${n}`, list: [n, n + 1] }))),
  )
}
