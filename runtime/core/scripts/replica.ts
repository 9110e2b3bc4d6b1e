import { failure } from '../errors.ts'
import { changeHooks } from '../hooks/change-hooks.ts'
import type { Json } from '../json.ts'
import type { Page } from '../page/page.ts'
import type { Batch, HookCall, Outcome, ScriptContext, ScriptLimits, ScriptReport, Write } from '../ports.ts'
import { createAnswers } from './answers.ts'
import { guestCall } from './guest-call.ts'
import type { PowerContext } from './power.ts'
import { createReplicaState, type ReplicaStart } from './replica-state.ts'
import { createRequests, type OpenQuestion } from './requests.ts'
import { POWERS } from './script-api.ts'
import type { GuestEnd, HostCall, LimitHit, ScriptVm } from './script-vm.ts'
import type { Strikes } from './strikes.ts'

/**
 * Where a replica's results go. What a run did leaves when it has ended well, in the order in which it was done: a request meets the
 * page with everything that was written before it.
 */
interface ReplicaOut {
  batch(batch: Batch): void
  report(report: ScriptReport): void
  answer(ask: number, outcome: Outcome<Json>): void
  request(id: number, name: string, args: readonly Json[]): void
  /** The engine may be damaged: the replica does nothing any more and must be replaced. */
  broken(): void
}

export interface ReplicaOptions {
  readonly page: Page
  readonly limits: ScriptLimits
  readonly start: ReplicaStart
  readonly strikes: Strikes
  readonly now: () => number
  readonly newRowId: () => string
  readonly createVm: (host: HostCall) => ScriptVm
  readonly out: ReplicaOut
}

/** A page's scripts with their copy of its state. Each hook fired, asked for or woken by a promise is one run with one budget. */
export interface Replica {
  /** True while there is no engine: at the start, and after a run was ended. Nothing runs before {@link loadFunctions}. */
  needsEngine(): boolean
  /** Makes an engine; our own code only, no budget. */
  makeEngine(): void
  /** True when there are `functions` to run first; not any more once they have used up their strikes. */
  hasFunctions(): boolean
  /** Runs the page's `functions`, with a run's budget. */
  loadFunctions(): void
  /** Makes the engine ready for hooks; our own code only, no budget. */
  closeEngine(): void
  turn(turn: number, writes: readonly Write[]): void
  setContext(context: ScriptContext): void
  fire(call: HookCall): void
  ask(id: number, call: HookCall): void
  /** The page answers a request of the script. */
  settle(request: number, outcome: { readonly ok: boolean; readonly value: Json }): void
  dispose(): void
}

/** Calls whose promise may still fail; older ones are forgotten. */
const REMEMBERED = 256

export function createReplica(options: ReplicaOptions): Replica {
  const { out, limits, strikes, page } = options
  const state = createReplicaState(options)
  const calls = new Map<number, HookCall>()
  const answers = createAnswers(out.answer)
  const requests = createRequests()
  /** What the run has done so far, in order. */
  const leaving: (() => void)[] = []
  let nextId = 1
  let depth = 0
  let running: HookCall = FUNCTIONS
  let question: number | undefined
  let guilty: HookCall | undefined
  let broken = false

  const computed: HookCall[] = []
  const context: PowerContext = {
    get model() {
      return state.model
    },
    get variables() {
      return state.variables
    },
    write(writes) {
      computed.push(...state.write(writes).flatMap((change) => changeHooks(state.model, change)))
    },
    fire: (fired) => fired.forEach(nested),
    changed: (change) => changeHooks(state.model, change).forEach(nested),
    effect: state.effect,
    request(name, args) {
      const id = nextId++
      requests.add(id, { name, about: args[0] ?? null, origin: running, question })
      hand(state.part())
      leaving.push(() => out.request(id, name, args))
      return id
    },
  }
  const host: HostCall = (name, args) => {
    if (name === '@answer') return void answers.put(Number(args[0]), { ok: true, value: args[1] ?? null })
    if (name === '@failed') return failedLater(Number(args[0]), String(args[1]))
    const power = POWERS.get(name)
    if (!power) throw new Error(`no power is called "${name}"`)
    const answer = power(context, args)
    for (const call of computed.splice(0)) nested(call)
    return answer
  }
  let vm: ScriptVm | undefined

  function hand(batch: Batch | undefined): void {
    if (batch) leaving.push(() => out.batch(batch))
  }
  function leave(): void {
    for (const send of leaving.splice(0)) send()
  }

  function loadFunctions(): void {
    if (!vm) return
    question = undefined
    vm.begin(options.now())
    const end = vm.load(page.config.functions ?? '')
    if (end.kind === 'error') report(FUNCTIONS, 'SCRIPT_ERROR', end.message, end.line)
    if (end.kind === 'limit') {
      strike(FUNCTIONS, end.limit)
      discard(end.limit)
    } else leave()
  }
  /** Throws the engine away; what waits in it never comes. The next is made after the run has been told as ended. */
  function discard(limit: LimitHit): void {
    const old = vm
    vm = undefined
    leaving.length = 0
    requests.clear()
    answers.all({ ok: false, error: failure('SCRIPT_BUDGET') })
    if (limit.fatal) broken = true
    else if (old) release(old)
    if (broken) out.broken()
  }
  function release(old: ScriptVm): void {
    try {
      old.dispose()
    } catch {
      broken = true // freeing aborted: the engine is not usable any more (quickjs-emscripten#257)
    }
  }

  /** Calls one hook within the running run. */
  function invoke(call: HookCall, id: number, wanted: boolean): GuestEnd {
    if (strikes.stopped(call.hook, call.key)) return { kind: 'error', message: 'stopped' }
    const guest = guestCall(state.model, call, id, wanted)
    if (!guest) {
      answers.put(id, { ok: true, value: null })
      return { kind: 'done' }
    }
    remember(id, call)
    const outer = running
    running = call
    const end = vm?.call(guest) ?? GONE
    running = outer
    if (end.kind === 'limit') guilty ??= call
    if (end.kind === 'error') report(call, 'SCRIPT_ERROR', end.message, end.line)
    return end
  }
  function nested(call: HookCall): void {
    if (depth >= limits.cascadeDepth) {
      guilty ??= call
      vm?.abort({
        code: 'SCRIPT_CASCADE',
        message: `change hooks set off each other more than ${limits.cascadeDepth} deep`,
        fatal: false,
      })
      return
    }
    depth += 1
    invoke(call, nextId++, false)
    depth -= 1
  }
  function remember(id: number, call: HookCall): void {
    calls.set(id, call)
    for (const old of calls.keys()) {
      if (calls.size <= REMEMBERED) break
      calls.delete(old)
    }
  }

  /** One run: its budget, its writes, its end. `asked`: the question of the page that it works on. */
  function run(origin: HookCall, asked: number | undefined, stretch: () => GuestEnd): GuestEnd {
    depth = 0
    guilty = undefined
    running = origin
    question = asked
    vm?.begin(options.now())
    const first = stretch()
    const end = vm?.finish() ?? GONE
    if (end.kind === 'limit') {
      state.rollBack()
      strike(guilty ?? origin, end.limit)
      discard(end.limit)
      return end
    }
    if (end.kind === 'error') report(origin, 'SCRIPT_ERROR', end.message, end.line)
    hand(state.take())
    leave()
    answers.flush()
    for (const open of requests.unanswerable(answers.open())) unanswered(open)
    answers.flush()
    return first
  }
  function unanswered({ id, call }: OpenQuestion): void {
    const reason = 'gives no answer: its callback is not called, or its promise not resolved'
    report(call, 'SCRIPT_ERROR', reason)
    answers.put(id, { ok: false, error: failure('SCRIPT_ERROR', { reason }) })
  }
  function strike(call: HookCall, limit: LimitHit): void {
    const stopped = strikes.add(call.hook, call.key)
    report(call, limit.code, limit.message, undefined, stopped)
    if (stopped) report(call, 'SCRIPT_STOPPED', 'stopped until the page is reloaded', undefined, true)
  }
  function report(
    { hook, key }: HookCall,
    code: ScriptReport['code'],
    message: string,
    line?: number,
    stopped = false,
  ): void {
    out.report({ hook, key, code, message, ...(line === undefined ? {} : { line }), stopped })
  }

  function failedLater(id: number, reason: string): undefined {
    report(calls.get(id) ?? running, 'SCRIPT_ERROR', reason)
    answers.put(id, { ok: false, error: failure('SCRIPT_ERROR', { reason }) })
  }

  return {
    needsEngine: () => vm === undefined && !broken,
    makeEngine() {
      vm = options.createVm(host)
    },
    hasFunctions: () =>
      (page.config.functions ?? '').trim() !== '' && !strikes.stopped(FUNCTIONS.hook, FUNCTIONS.key),
    loadFunctions,
    closeEngine: () => vm?.lock(),
    turn: state.turn,
    setContext: state.setContext,
    fire(call) {
      if (!broken) run(call, undefined, () => invoke(call, nextId++, false))
    },
    ask(ask, call) {
      const id = nextId++
      answers.asked({ id, call }, ask)
      if (broken) return answers.all({ ok: false, error: failure('SCRIPT_BUDGET') })
      run(call, id, () => {
        const end = invoke(call, id, true)
        if (end.kind === 'error')
          answers.put(id, { ok: false, error: failure('SCRIPT_ERROR', { reason: end.message }) })
        return end
      })
    },
    settle(request, outcome) {
      const made = requests.take(request)
      if (broken || !made) return
      run(made.origin, made.question, () => vm?.settle(request, outcome) ?? GONE)
    },
    dispose() {
      if (!broken && vm) release(vm)
      broken = true
    },
  }
}

const GONE: GuestEnd = { kind: 'done' }
const FUNCTIONS: HookCall = { hook: 'functions', key: '', args: [] }
