import { type QuickJSContext, type QuickJSHandle, type QuickJSRuntime, Scope } from 'quickjs-emscripten-core'
import type { ScriptLimits } from '../core/ports.ts'
import type { GuestCall, GuestEnd, HostCall, LimitHit, ScriptVm } from '../core/scripts/script-vm.ts'
import { readGuestError } from './guest-error.ts'
import { type GuestNames, startGuest } from './guest-start.ts'
import { createMeter, type Meter } from './meter.ts'
import type { QuickJs } from './quickjs-module.ts'

/** Number of promise jobs between two checks of the time. */
const JOBS_PER_BATCH = 64

/** Minimum free memory after a run, for the next one. */
const SPARE_BYTES = 256 << 10

interface VmOptions {
  readonly engine: QuickJs
  readonly limits: ScriptLimits
  /** Monotonic milliseconds. */
  readonly elapsed: () => number
  readonly host: HostCall
  readonly names: GuestNames
  /** Seed of the guest's Math.random. */
  readonly seed: number
}

const DONE: GuestEnd = { kind: 'done' }

/** A QuickJS runtime with one context, which lives as long as the scripts of a page (HOOKS 1.1). */
export function createVm(options: VmOptions): ScriptVm {
  const { engine, limits } = options
  const meter = createMeter(limits, options.elapsed)
  const runtime = engine.module.newRuntime()
  runtime.setMaxStackSize(limits.stackBytes)
  runtime.setInterruptHandler(() => meter.over())
  const context = runtime.newContext()
  const scope = new Scope()
  meter.pause()
  const guest = startGuest({
    context,
    scope,
    meter,
    host: options.host,
    names: options.names,
    seed: options.seed,
  })
  const known = new Set<string>()

  /** Runs a piece of guest code; a host exception means that the engine is damaged. */
  function stretch(run: () => { error?: QuickJSHandle | undefined; value?: QuickJSHandle } | null): GuestEnd {
    try {
      const result = run()
      if (result?.error) return failedWith(context, result.error)
      result?.value?.dispose()
      return hit(meter)
    } catch (error) {
      const limit: LimitHit = { code: 'SCRIPT_MEMORY', message: `engine: ${String(error)}`, fatal: true }
      meter.stop(limit)
      return { kind: 'limit', limit: meter.limit() ?? limit }
    }
  }
  function failedWith(from: QuickJSContext, error: QuickJSHandle): GuestEnd {
    const reported = readGuestError(from, error, engine.pressed())
    if (reported.kind === 'limit') meter.stop(reported.limit)
    const limit = meter.limit()
    return limit ? { kind: 'limit', limit } : reported
  }
  const invoke = (fn: QuickJSHandle, json: string) => {
    const text = context.newString(json)
    const result = context.callFunction(fn, context.undefined, text)
    text.dispose()
    return result
  }
  /** Compiles at the first use: as plain statements, or as an async function if the code uses await. */
  function define(call: GuestCall): GuestEnd {
    const params = call.params.join(',')
    const compile = (kind: string) => context.evalCode(`(${kind} (${params}) {${call.code}\n})`, call.slot)
    return stretch(() => {
      let compiled = compile('function')
      if (compiled.error && /\bawait\b/.test(call.code)) {
        compiled.error.dispose()
        compiled = compile('async function')
      }
      if (compiled.error) return compiled
      const name = context.newString(call.slot)
      const result = context.callFunction(guest.define, context.undefined, name, compiled.value)
      name.dispose()
      compiled.value.dispose()
      if (!result.error) known.add(call.slot)
      return result
    })
  }

  /** If memory stayed full after a caught error, the next hook would fail instead of this one: detects that. */
  function probe(end: GuestEnd): GuestEnd {
    const room = stretch(() => context.evalCode(`new ArrayBuffer(${SPARE_BYTES})`))
    if (room.kind !== 'error') return room.kind === 'limit' ? room : end
    meter.stop({ code: 'SCRIPT_MEMORY', message: 'out of memory', fatal: true })
    return hit(meter)
  }

  return {
    begin(now) {
      meter.begin()
      stretch(() => invoke(guest.clock, JSON.stringify(now)))
    },
    load(code) {
      return code.trim() === '' ? DONE : stretch(() => context.evalCode(code, 'functions'))
    },
    lock() {
      meter.pause()
      stretch(() => invoke(guest.lock, ''))
    },
    call(call) {
      if (!known.has(call.slot)) {
        const began = options.elapsed()
        const defined = define(call)
        meter.allow(options.elapsed() - began)
        if (defined.kind !== 'done') return defined
      }
      const { id, slot, self, args, wanted } = call
      return stretch(() => invoke(guest.invoke, JSON.stringify({ id, slot, self, args, wanted })))
    },
    settle: (request, { ok, value }) =>
      stretch(() => invoke(guest.settle, JSON.stringify({ id: request, ok, value }))),
    finish() {
      const pumped = pump(runtime, meter, stretch, failedWith)
      const ended = pumped.kind === 'limit' ? pumped : stretch(() => invoke(guest.tellVariables, ''))
      const end = ended.kind === 'done' ? pumped : ended
      return end.kind === 'limit' || !engine.pressed() ? end : probe(end)
    },
    abort: (limit) => meter.stop(limit),
    dispose() {
      scope.dispose()
      context.dispose()
      runtime.dispose()
    },
  }
}

const hit = (meter: Meter): GuestEnd => {
  const limit = meter.limit()
  return limit ? { kind: 'limit', limit } : DONE
}

/** Runs promise jobs until there are none or the budget is used up: each job may create another. */
function pump(
  runtime: QuickJSRuntime,
  meter: Meter,
  stretch: (run: () => null) => GuestEnd,
  failedWith: (context: QuickJSContext, error: QuickJSHandle) => GuestEnd,
): GuestEnd {
  let failed: GuestEnd | undefined
  const end = stretch(() => {
    while (runtime.hasPendingJob() && !meter.over()) {
      const ran = runtime.executePendingJobs(JOBS_PER_BATCH)
      if (ran.error) {
        const failure = failedWith(ran.error.context, ran.error)
        failed ??= failure
      } else ran.dispose()
    }
    return null
  })
  return end.kind === 'limit' ? end : (failed ?? end)
}
