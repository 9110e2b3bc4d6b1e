import { createEngine } from '../../../runtime/core/create-engine.ts'
import type { Engine, EngineOptions } from '../../../runtime/core/engine.ts'
import { failure } from '../../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject, sameJson } from '../../../runtime/core/json.ts'
import type { WidgetRegistry } from '../../../runtime/core/page/widget-spec.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import type { HttpRequest, HttpResponse, Outcome, Ports, Script } from '../../../runtime/core/ports.ts'
import type { CaseFile, HostAnswer } from './case.ts'
import { type Difference, differencesOf, stateOf } from './page-state.ts'
import { ACTS } from './recorder.ts'

export interface ReplayOptions {
  readonly registry: WidgetRegistry
  readonly script: Script
  /** Lets pending work continue: one turn of the event loop. */
  readonly turn: () => Promise<void>
  /** Another version of the page; default: the recorded one. */
  readonly document?: JsonObject
}

/** The result of a replay. */
export interface Replay {
  readonly differences: readonly Difference[]
  /** Requests without a recorded answer. */
  readonly unanswered: readonly string[]
  /** Why it cannot be opened. */
  readonly problems: readonly string[]
}

/** Turns without activity after which a page counts as idle. */
const REST = 4

/** Opens the page of a case, repeats the recorded actions and answers, and reports differences in the final state. */
export async function replayCase(file: CaseFile, options: ReplayOptions): Promise<Replay> {
  const parsed = parsePage(options.document ?? file.page.document, { registry: options.registry })
  if (!parsed.ok)
    return {
      differences: [],
      unanswered: [],
      problems: parsed.problems.map((problem) => `${problem.at} ${problem.message}`),
    }
  const world = worldOf(file, options)
  const engine = createEngine({
    ...(file.state.options as unknown as Partial<EngineOptions>),
    page: parsed.page,
    registry: options.registry,
    ports: world.ports,
  })
  // Reloads by views are among the recorded actions.
  engine.onRefresh(async () => {})
  const start = file.state.now
  for (const { at, does, args } of file.acts) {
    await world.until(start + at)
    act(engine, does, args)
  }
  await world.until(start + file.after.at)
  const state = stateOf(engine)
  engine.dispose()
  return { differences: differencesOf(file.after.state, state), unanswered: world.unanswered, problems: [] }
}

function act(engine: Engine, does: string, args: readonly Json[]): void {
  if (!Object.hasOwn(ACTS, does)) return
  const given = args.map((arg) => arg ?? undefined)
  const answer = (engine[does as keyof typeof ACTS] as (...all: unknown[]) => unknown)(...given)
  // A rejected question is part of the visit.
  if (answer instanceof Promise) void answer.catch(() => undefined)
}

/** The ports of a case: the clock advances only explicitly; server and users answer as recorded. */
function worldOf(file: CaseFile, { script, turn }: ReplayOptions) {
  let now = file.state.now
  let timers: { readonly at: number; readonly task: () => void }[] = []
  let turns = 0
  const remaining: HostAnswer[] = [...file.answers]
  const dialogAnswers = [...file.said]
  const ids = [...file.ids]
  const unanswered: string[] = []
  const sessions = new Set<{ settled(): Promise<void> }>()

  const after = (delay: number, task: () => void): (() => void) => {
    const timer = { at: now + Math.max(0, delay), task }
    timers.push(timer)
    return () => {
      timers = timers.filter((one) => one !== timer)
    }
  }
  const rest = async (): Promise<void> => {
    for (let quiet = 0, seen = turns; quiet < REST; quiet = seen === turns ? quiet + 1 : 0) {
      seen = turns
      await Promise.all([...sessions].map((session) => session.settled()))
      await turn()
    }
  }
  const until = async (end: number): Promise<void> => {
    await rest()
    for (;;) {
      const due = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (due === undefined) break
      timers = timers.filter((timer) => timer !== due)
      now = Math.max(now, due.at)
      due.task()
      await rest()
    }
    now = Math.max(now, end)
  }
  const send = ({ method, url, body = null }: Pick<HttpRequest, 'method' | 'url' | 'body'>) =>
    new Promise<Outcome<HttpResponse>>((resolve) => {
      turns += 1
      const fits = (one: HostAnswer): boolean => one.method === method && one.url === url
      const exact = remaining.findIndex((one) => fits(one) && sameJson(one.body, body))
      const index = exact >= 0 ? exact : remaining.findIndex(fits)
      const [answer] = index < 0 ? [] : remaining.splice(index, 1)
      if (answer === undefined) {
        unanswered.push(`${method} ${url}`)
        return resolve({ ok: false, error: failure('NETWORK') })
      }
      const outcome = answer.outcome as unknown as Outcome<HttpResponse>
      after(file.state.now + answer.at - now, () => resolve(outcome))
    })
  const nothing = (): void => {}
  const ports: Ports = {
    http: { send, upload: ({ url }) => send({ method: 'POST', url }) },
    clock: { now: () => now, after },
    random: { uuid: () => ids.shift() ?? `00000000-0000-7000-8000-${String(now).padStart(12, '0')}` },
    storage: { get: async () => undefined, set: async () => {}, remove: async () => {} },
    navigator: { open: nothing, redirect: nothing, relaunch: nothing, switchTab: nothing, back: nothing },
    feedback: {
      toast: nothing,
      loading: () => nothing,
      modal: async () =>
        isObject(dialogAnswers[0]) ? (dialogAnswers.shift() as { confirm: boolean }) : { confirm: false },
      actionSheet: async () =>
        typeof dialogAnswers[0] === 'number' ? (dialogAnswers.shift() as number) : -1,
    },
    session: { signIn: async () => {}, signOut: async () => {}, refresh: async () => {} },
    device: {
      dial: nothing,
      copy: async () => true,
      share: async () => {},
      addressOf: (url) => url,
      openDocument: async () => true,
      locate: async () => 'unavailable',
    },
    script: {
      open(page) {
        const session = script.open({
          ...page,
          onBatch(batch) {
            turns += 1
            page.onBatch(batch)
          },
        })
        sessions.add(session)
        return {
          ...session,
          dispose() {
            sessions.delete(session)
            session.dispose()
          },
        }
      },
    },
    text: (code) => code,
  }
  return { ports, until, unanswered }
}
