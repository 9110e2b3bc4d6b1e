import { failure } from '../errors.ts'
import { HOOKS } from '../hooks/hook-names.ts'
import type { Json } from '../json.ts'
import type { Page } from '../page/page.ts'
import type {
  Batch,
  HookCall,
  Outcome,
  ScriptContext,
  ScriptLimits,
  ScriptRead,
  ScriptReport,
  Write,
} from '../ports.ts'
import { createPendingAnswers } from './answers.ts'
import { createFaults } from './faults.ts'
import { guestCall } from './guest-call.ts'
import { createReplicaState, type ReplicaStart } from './replica-state.ts'
import { createOpenRequests } from './requests.ts'
import { createScriptHost } from './script-host.ts'
import type { GuestCall, GuestEnd, HostCall, LimitHit, ScriptVm } from './script-vm.ts'
import type { Strikes } from './strikes.ts'

/**
 * Receives a replica's results. The effects of a run are sent after it has succeeded, in the order in which they occurred: a request reaches the page
 * after everything that was written before it.
 */
interface ReplicaOut {
  batch(batch: Batch): void
  report(report: ScriptReport): void
  answer(ask: number, outcome: Outcome<Json>): void
  request(id: number, name: string, args: readonly Json[]): void
  /** The reads of a run; recorded only if requested. */
  reads?(reads: readonly ScriptRead[]): void
  /** The engine may be damaged: the replica stops and must be replaced. */
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

/** A page's scripts with their copy of its state. Each hook that is triggered, requested or continued by a promise is one run with one budget. */
export interface Replica {
  /** True while there is no engine: at the start, and after a run was terminated. Nothing runs before {@link loadFunctions}. */
  needsEngine(): boolean
  /** Creates an engine; runs only our own code, without a budget. */
  makeEngine(): void
  /** True if there are `functions` to run first; false after they have failed three times. */
  hasFunctions(): boolean
  /** Runs the page's `functions`, with a run's budget. */
  loadFunctions(): void
  /** Prepares the engine for hooks; runs only our own code, without a budget. */
  closeEngine(): void
  turn(turn: number, writes: readonly Write[]): void
  setContext(context: ScriptContext): void
  fire(call: HookCall): void
  ask(id: number, call: HookCall): void
  /** The page answers a request of the script. */
  settle(request: number, outcome: { readonly ok: boolean; readonly value: Json }): void
  dispose(): void
}

export function createReplica(options: ReplicaOptions): Replica {
  const { out, limits, strikes, page } = options
  const state = createReplicaState(options)
  const answers = createPendingAnswers(out.answer)
  const requests = createOpenRequests()
  const faults = createFaults({ tell: out.report, answers, strikes })
  const leaving = createLeaving(out)
  const reads = out.reads === undefined ? undefined : createReads(out.reads)
  let nextId = 1
  let depth = 0
  let running: HookCall = FUNCTIONS
  let question: number | undefined
  let guilty: HookCall | undefined
  const engine = createEngineSlot(out.broken)

  const host = createScriptHost({
    state,
    nested,
    request(name, args) {
      const id = nextId++
      requests.add(id, { name, about: args[0] ?? null, origin: running, question })
      leaving.batch(state.part())
      leaving.request(id, name, args)
      return id
    },
    answered: (id, value) => answers.put(id, { ok: true, value }),
    failedLater: (id, reason) => faults.failedLater(id, reason, running),
    read: reads?.note,
  })

  function loadFunctions(): void {
    const { vm } = engine
    if (!vm) return
    question = undefined
    vm.begin(options.now())
    const end = vm.load(page.config.functions ?? '')
    if (end.kind === 'error') faults.failed(FUNCTIONS, end.message, end.line)
    if (end.kind === 'limit') {
      faults.strike(FUNCTIONS, end.limit)
      discard(end.limit)
    } else leaving.leave()
  }
  /** Discards the engine with everything pending in it. The next is created after the end of the run was reported. */
  function discard({ fatal }: LimitHit): void {
    const free = engine.letGo()
    leaving.drop()
    requests.clear()
    answers.all({ ok: false, error: failure('SCRIPT_BUDGET') })
    free(fatal)
  }

  /** Calls one hook within the running run. */
  function invoke(call: HookCall, id: number, wanted: boolean): GuestEnd {
    if (strikes.stopped(call.hook, call.key)) return { kind: 'error', message: 'stopped' }
    const guest = guestCall(state.model, call, id, wanted)
    if (!guest) {
      answers.put(id, { ok: true, value: null })
      return { kind: 'done' }
    }
    const form = reads === undefined ? undefined : formIn(guest, call.hook)
    if (form !== undefined) reads?.note({ name: 'formModel', args: [], value: form })
    faults.remember(id, call)
    const outer = running
    running = call
    const end = engine.vm?.call(guest) ?? GONE
    running = outer
    if (end.kind === 'limit') guilty ??= call
    if (end.kind === 'error') faults.failed(call, end.message, end.line)
    return end
  }
  function nested(call: HookCall): void {
    if (depth >= limits.cascadeDepth) {
      guilty ??= call
      engine.vm?.abort(tooDeep(limits.cascadeDepth))
      return
    }
    depth += 1
    invoke(call, nextId++, false)
    depth -= 1
  }

  /** One run: its budget, its writes, its end. `asked`: the question of the page that it answers. */
  function run(origin: HookCall, askId: number | undefined, stretch: () => GuestEnd): GuestEnd {
    depth = 0
    guilty = undefined
    running = origin
    question = askId
    engine.vm?.begin(options.now())
    const first = stretch()
    const end = engine.vm?.finish() ?? GONE
    reads?.tell()
    if (end.kind === 'limit') {
      state.rollBack()
      faults.strike(guilty ?? origin, end.limit)
      discard(end.limit)
      return end
    }
    if (end.kind === 'error') faults.failed(origin, end.message, end.line)
    leaving.batch(state.take())
    leaving.leave()
    answers.flush()
    for (const open of requests.unanswerable(answers.open())) faults.unanswered(open)
    answers.flush()
    return first
  }

  return {
    needsEngine: () => engine.vm === undefined && !engine.broken,
    makeEngine: () => engine.take(options.createVm(host)),
    hasFunctions: () =>
      (page.config.functions ?? '').trim() !== '' && !strikes.stopped(FUNCTIONS.hook, FUNCTIONS.key),
    loadFunctions,
    closeEngine: () => engine.vm?.lock(),
    turn: state.turn,
    setContext: state.setContext,
    fire(call) {
      if (!engine.broken) run(call, undefined, () => invoke(call, nextId++, false))
    },
    ask(ask, call) {
      const id = nextId++
      answers.asked({ id, call }, ask)
      if (engine.broken) return answers.all({ ok: false, error: failure('SCRIPT_BUDGET') })
      run(call, id, () => {
        const end = invoke(call, id, true)
        if (end.kind === 'error')
          answers.put(id, { ok: false, error: failure('SCRIPT_ERROR', { reason: end.message }) })
        return end
      })
    },
    settle(request, outcome) {
      const pending = requests.take(request)
      if (engine.broken || !pending) return
      run(pending.origin, pending.question, () => engine.vm?.settle(request, outcome) ?? GONE)
    },
    dispose: engine.dispose,
  }
}

/** The engine in use, if there is one. Once one is damaged no other is used. */
function createEngineSlot(onBroken: () => void) {
  let vm: ScriptVm | undefined
  let broken = false
  return {
    get vm(): ScriptVm | undefined {
      return vm
    },
    get broken(): boolean {
      return broken
    },
    take(engine: ScriptVm): void {
      vm = engine
    },
    /** @returns frees it; one that may be damaged (`fatal`) is left alone, and is the last */
    letGo(): (fatal: boolean) => void {
      const old = vm
      vm = undefined
      return (fatal) => {
        if (fatal || (old !== undefined && !release(old))) broken = true
        if (broken) onBroken()
      }
    },
    dispose(): void {
      if (!broken && vm) release(vm)
      broken = true
    },
  }
}

const tooDeep = (depth: number): LimitHit => ({
  code: 'SCRIPT_CASCADE',
  message: `change hooks set off each other more than ${depth} deep`,
  fatal: false,
})

/** Limits of the recorded reads of a run: their number and length. */
const MAX_READS = 50
const MAX_READ = 500

/** The reads of a run, each once. */
function createReads(tell: (reads: readonly ScriptRead[]) => void) {
  const found = new Map<string, ScriptRead>()
  return {
    note({ name, args, value }: ScriptRead): void {
      const key = `${name} ${JSON.stringify(args)}`
      if (found.size >= MAX_READS || found.has(key)) return
      const text = JSON.stringify(value)
      found.set(key, {
        name,
        args,
        value: text.length > MAX_READ ? `${text.slice(0, MAX_READ)}…` : value,
      })
    },
    tell(): void {
      if (found.size > 0) tell([...found.values()])
      found.clear()
    },
  }
}

/** The values of the form, if the code of a hook receives them. */
function formIn({ args, params }: GuestCall, hook: string): Json | undefined {
  const given = args[params.findIndex((name) => HOOKS[hook]?.filled[name] === 'formModel')]
  return given !== undefined && 'json' in given && given.json !== null ? given.json : undefined
}

const GONE: GuestEnd = { kind: 'done' }
const FUNCTIONS: HookCall = { hook: 'functions', key: '', args: [] }

/** The effects of a run so far, in order. */
function createLeaving(out: ReplicaOut) {
  const waiting: (() => void)[] = []
  return {
    batch(batch: Batch | undefined): void {
      if (batch) waiting.push(() => out.batch(batch))
    },
    request(id: number, name: string, args: readonly Json[]): void {
      waiting.push(() => out.request(id, name, args))
    },
    leave(): void {
      for (const send of waiting.splice(0)) send()
    },
    drop(): void {
      waiting.length = 0
    },
  }
}

/** Frees an engine. False: freeing aborted, no engine can be used any more (quickjs-emscripten#257). */
function release(vm: ScriptVm): boolean {
  try {
    vm.dispose()
    return true
  } catch {
    return false
  }
}
