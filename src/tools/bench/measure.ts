import type { Browser, CDPSession, Page } from 'playwright-core'
import type { FormKind, Variant } from '../../bench/forms.ts'
import type { Goal, Sample } from '../../bench/probe.ts'

/** An implementation to measure. */
export interface Subject {
  readonly id: string
  readonly title: string
  readonly url: string
  readonly variant: Variant
}

/** Medians of one page by metric; failed ones are absent. */
export type Values = Partial<Record<Metric, number>>
export type Metric =
  | 'mount'
  | 'mountWork'
  | 'heap'
  | 'reach'
  | 'show'
  | 'key'
  | 'keyWork'
  | 'validate'
  | 'link'
  | 'linkWork'
  | 'rowsMount'
  | 'rowsReach'
  | 'rowsKey'
  | 'rowsKeyWork'

export interface Setting {
  /** A kind of form; `M`: S up to its mount, without typing; `V`: S validated. */
  readonly kind: FormKind | 'M' | 'V'
  readonly size: number
  readonly cpu: number
}

/** Interval between keys in milliseconds, of a fast typist; deferred work of a page runs in between. */
const KEY_EVERY_MS = 120
const KEYS = { '1': ['Digit1', 49], Backspace: ['Backspace', 8] } as const

/** Opens a fresh page, measures one thing, closes it. A failed step is reported on standard error. */
export async function measure(browser: Browser, subject: Subject, setting: Setting): Promise<Values> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'zh-CN' })
  const page = await context.newPage()
  const values: Values = {}
  try {
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    await page.goto(subject.url, { waitUntil: 'load' })
    await page.evaluate(([a, b, c]) => window.probe.prepare(a, b, c), [
      setting.kind === 'M' || setting.kind === 'V' ? 'S' : setting.kind,
      setting.size,
      subject.variant,
    ] as const)
    await session.send('Emulation.setCPUThrottlingRate', { rate: setting.cpu })
    await TASKS[setting.kind]({ page, session, values })
  } catch (error) {
    console.error(`${subject.id} ${JSON.stringify(setting)}: ${String(error).split('\n')[0]}`)
  } finally {
    await context.close()
  }
  return values
}

interface Bench {
  readonly page: Page
  readonly session: CDPSession
  readonly values: Values
}

const TASKS: Readonly<Record<Setting['kind'], (bench: Bench) => Promise<void>>> = {
  async M(bench) {
    const { page, values } = bench
    const mounted = await timed(bench, () => page.evaluate(() => window.probe.mount()))
    values.mount = mounted.sample.ms
    values.mountWork = mounted.work
    await page.evaluate(() => window.probe.settle())
    values.heap = await heapOf(bench)
  },
  async S(bench) {
    await TASKS.M(bench)
    const { page, values } = bench
    values.reach = (await page.evaluate(() => window.probe.reach())).ms
    const shown: Sample[] = []
    for (let i = 0; i < 4; i += 1) {
      shown.push(...(await type(bench, ['1'], 'show')).samples)
      await type(bench, ['Backspace'], 'hide')
    }
    values.show = middle(shown)
    await type(bench, ['1'], 'show')
    const typed = await type(bench, Array<'1'>(30).fill('1'), 'type')
    values.key = middle(typed.samples)
    values.keyWork = typed.work
    await landed(page)
  },
  async V({ page, values }) {
    await page.evaluate(() => window.probe.mount())
    await page.evaluate(() => window.probe.settle())
    values.validate = (await page.evaluate(() => window.probe.validate())).ms
  },
  async H(bench) {
    await bench.page.evaluate(() => window.probe.mount())
    await bench.page.evaluate(() => window.probe.settle())
    const typed = await type(bench, Array<'1'>(10).fill('1'), 'link')
    bench.values.link = middle(typed.samples)
    bench.values.linkWork = typed.work
    await landed(bench.page)
  },
  async T(bench) {
    const { page, values } = bench
    values.rowsMount = (await page.evaluate(() => window.probe.mount())).ms
    await page.evaluate(() => window.probe.settle())
    values.rowsReach = (await page.evaluate(() => window.probe.reach())).ms
    const typed = await type(bench, Array<'1'>(15).fill('1'), 'type')
    values.rowsKey = middle(typed.samples)
    values.rowsKeyWork = typed.work
    await landed(page)
  },
}

/** All main-thread work in the span, less the cost of detecting the result. */
async function timed(
  { session }: Bench,
  run: () => Promise<Sample>,
): Promise<{ readonly sample: Sample; readonly work: number }> {
  const before = await taskMs(session)
  const sample = await run()
  return { sample, work: (await taskMs(session)) - before - sample.checks }
}

async function type(
  { page, session }: Bench,
  keys: readonly (keyof typeof KEYS)[],
  goal: Goal,
): Promise<{ readonly samples: readonly Sample[]; readonly work: number }> {
  await page.evaluate((what) => window.probe.watch(what), goal)
  const before = await taskMs(session)
  for (const [i, key] of keys.entries()) {
    const [code, number] = KEYS[key]
    const event = { key, code, windowsVirtualKeyCode: number }
    if (key === '1') await session.send('Input.dispatchKeyEvent', { ...event, type: 'keyDown', text: key })
    else await session.send('Input.dispatchKeyEvent', { ...event, type: 'rawKeyDown' })
    await session.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp' })
    await page.evaluate((count) => window.probe.samples(count), i + 1)
    if (i < keys.length - 1) await new Promise((resolve) => setTimeout(resolve, KEY_EVERY_MS))
  }
  const samples = await page.evaluate((count) => window.probe.samples(count), keys.length)
  await page.waitForTimeout(KEY_EVERY_MS)
  const checks = samples.reduce((sum, sample) => sum + sample.checks, 0)
  return { samples, work: ((await taskMs(session)) - before - checks) / keys.length }
}

async function landed(page: Page): Promise<void> {
  const [shown, modelValue] = await page.evaluate(() => window.probe.landed())
  if (shown !== modelValue) throw new Error(`the model holds "${modelValue}", the screen shows "${shown}"`)
}

async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}

async function heapOf({ session }: Bench): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6
}

const middle = (samples: readonly Sample[]): number => median(samples.map(({ ms }) => ms))

/** The median of a list; NaN for an empty one. */
export function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b)
  const at = (sorted.length - 1) / 2
  return ((sorted[Math.floor(at)] ?? Number.NaN) + (sorted[Math.ceil(at)] ?? Number.NaN)) / 2
}
