import type { Json } from '../../../runtime/core/json.ts'
import type {
  Clock,
  Effect,
  HookCall,
  Script,
  ScriptRead,
  ScriptReport,
  ScriptSession,
  Write,
} from '../../../runtime/core/ports.ts'

/** One run of the page's code. */
export interface Run {
  readonly id: number
  /** Its start, by the device's clock. */
  readonly at: number
  readonly hooks: readonly HookCall[]
  /** Its writes, with the previous values. */
  readonly writes: readonly (Write & { readonly before: Json | undefined })[]
  /** Its reads, by call. */
  readonly reads: readonly ScriptRead[]
  readonly effects: readonly Effect[]
  readonly requests: readonly { readonly name: string; readonly args: readonly Json[] }[]
  readonly faults: readonly ScriptReport[]
  /** For code that returns an answer. */
  readonly answer?: Json
  /** Until its last report. */
  readonly ms: number
}

export interface WatchedScript {
  readonly script: Script
  /** Runs a hook on the current page; false while no code of the page is loaded. */
  run(call: HookCall): boolean
}

/** Number of recorded runs. */
const MAX_RUNS = 60

/** Records every run of code: what started it, what it wrote and requested, how long it took. */
export function watchScript(
  script: Script,
  clock: Clock,
  report: (runs: readonly Run[]) => void,
): WatchedScript {
  let runs: readonly Run[] = []
  let count = 0
  const turns = new Map<number, number>() // run → turn of the page in which it began
  let latest: ScriptSession | null = null

  const begin = (hooks: readonly HookCall[], turn: number): number => {
    count += 1
    const run: Run = {
      id: count,
      at: clock.now(),
      hooks,
      writes: [],
      reads: [],
      effects: [],
      requests: [],
      faults: [],
      ms: 0,
    }
    turns.set(count, turn)
    runs = [run, ...runs].slice(0, MAX_RUNS)
    report(runs)
    return count
  }
  const add = (id: number | undefined, change: (run: Run) => Partial<Run>): void => {
    if (id === undefined) return
    runs = runs.map((run) => (run.id === id ? { ...run, ...change(run), ms: clock.now() - run.at } : run))
    report(runs)
  }
  /** The last run that had begun in a turn. */
  const runIn = (turn: number): number | undefined =>
    runs.find(({ id }) => (turns.get(id) ?? Number.POSITIVE_INFINITY) <= turn)?.id
  const runOf = (hook: string, key: string): number | undefined =>
    (runs.find(({ hooks }) => hooks.some((one) => one.hook === hook && one.key === key)) ?? runs[0])?.id

  return {
    script: {
      open(page) {
        let turn = 0
        const session = script.open({
          ...page,
          onBatch(batch) {
            const before = new Map(page.snapshot().writes.map(({ cell, value }) => [cell, value]))
            const writes = batch.writes.map((write) => ({ ...write, before: before.get(write.cell) }))
            add(runIn(batch.base), (run) => ({
              writes: [...run.writes, ...writes],
              effects: [...run.effects, ...batch.effects],
            }))
            page.onBatch(batch)
          },
          onReads(reads) {
            add(runIn(turn), (run) => ({ reads: [...run.reads, ...reads] }))
            page.onReads?.(reads)
          },
          onReport(report) {
            add(runOf(report.hook, report.key), (run) => ({ faults: [...run.faults, report] }))
            page.onReport(report)
          },
          onRequest(name, args) {
            add(runs[0]?.id, (run) => ({ requests: [...run.requests, { name, args }] }))
            return page.onRequest(name, args)
          },
        })
        const watched: ScriptSession = {
          setContext: (context) => session.setContext(context),
          settled: () => session.settled(),
          post(now, writes, fire) {
            turn = now
            if (fire.length > 0) begin(fire, now)
            session.post(now, writes, fire)
          },
          async ask(call, onLeftOpen) {
            const id = begin([call], turn)
            const answer = await session.ask(call, onLeftOpen)
            add(id, () => (answer.ok ? { answer: answer.value } : {}))
            return answer
          },
          dispose() {
            if (latest === watched) latest = null
            session.dispose()
          },
        }
        latest = watched
        return watched
      },
    },
    run(call) {
      if (latest === null) return false
      void latest.ask(call)
      return true
    },
  }
}
