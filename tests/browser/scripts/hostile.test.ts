import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../runtime/core/hooks/script-limits.ts'
import { HOSTILE_SCRIPTS } from '../../support/hostile-scripts.ts'
import { long } from '../../support/long.ts'
import type { HostileRun } from './main.ts'
import { type OpenScripts, openScripts } from './open-scripts.ts'

/** Within its budget + 100 ms (issue 3). */
const LIMIT_MS = DEFAULT_LIMITS.timeMs + 100
/** A busy machine may be late once; a script that is really not stopped in time is late in every attempt. */
const ATTEMPTS = 4
/** On a busy machine the time limit may be reached before any other. */
const OVER_TIME = 'SCRIPT_BUDGET'
const MEGABYTE = 1 << 20
/** About three engines; a leaked worker per round would add 21 MB each. */
const GROWTH_BYTES = 64 * MEGABYTE
/** Scripts of all kinds, since the step is coprime to their number; `HOSTILE_ROUNDS=200` runs the rounds of issue 3. */
const ROUNDS = 12
const STRIDE = 5
const OUTPUT = join(import.meta.dirname, '../../output')

let scripts: OpenScripts
beforeAll(async () => {
  scripts = await openScripts()
})
afterAll(() => scripts.close())

const run = (index: number): Promise<HostileRun> =>
  scripts.page.evaluate((at) => window.hostile.run(at), index)

describe('the hostile set, browser worker', () => {
  const runs: HostileRun[] = []
  afterAll(() => writeFile(join(OUTPUT, 'hostile.md'), `${hostileTable(runs)}\n`))
  it.each(HOSTILE_SCRIPTS.map((hostile, index) => ({ ...hostile, index })))(
    '$name ends in time, and a healthy hook runs afterwards',
    async ({ index, ends, functions }) => {
      const times: number[] = []
      for (let i = 0; i < ATTEMPTS; i += 1) {
        const end = await run(index)
        times.push(Math.round(end.tookMs))
        runs[index] = end

        expect(end.after).toBe('healthy')
        expect([...ends, OVER_TIME]).toEqual(expect.arrayContaining([...end.codes]))
        if (functions !== undefined || end.tookMs <= LIMIT_MS) return
      }
      expect(times).toEqual([])
    },
    30_000,
  )

  it('frees its memory after many rounds', { ...long, timeout: 300_000 }, async () => {
    expect(runs).toHaveLength(HOSTILE_SCRIPTS.length) // each has run before, so everything is loaded
    const rounds = Number(process.env.HOSTILE_ROUNDS ?? ROUNDS)
    const before = await residentBytes()

    for (let i = 0; i < rounds; i += 1) await run((i * STRIDE) % HOSTILE_SCRIPTS.length)
    const grown = (await residentBytes()) - before

    console.log(
      `${rounds} rounds: ${(before / MEGABYTE).toFixed(0)} MB, grown by ${(grown / MEGABYTE).toFixed(1)} MB`,
    )
    expect(grown).toBeLessThan(GROWTH_BYTES)
  })
})

/** As in `runtime/HOSTILE.md`. */
function hostileTable(runs: readonly HostileRun[]): string {
  const rows = runs.map(
    ({ tookMs, gapMs, codes, after }, i) =>
      `| ${HOSTILE_SCRIPTS[i]?.name} | ${[...new Set(codes)].join(', ')} | ${Math.round(tookMs)} | ${Math.round(gapMs)} | ${after} |`,
  )
  return [
    '| Script | Ended by | ms | Longest gap between frames, ms | Hook afterwards |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

/** Memory of the browser's page processes after garbage collection. */
async function residentBytes(): Promise<number> {
  const session = await scripts.page.context().newCDPSession(scripts.page)
  await session.send('HeapProfiler.collectGarbage')
  await new Promise((resolve) => setTimeout(resolve, 2000)) // ended workers exit asynchronously
  const whole = await scripts.browser.newBrowserCDPSession()
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo')
  const sizes = await Promise.all(
    processInfo
      .filter(({ type }) => type === 'renderer')
      .map(async ({ id }) => {
        const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
        return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
      }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
