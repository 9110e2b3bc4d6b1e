import { REFUSED } from '../core/hooks/script-catalogue.ts'
import { DEFAULT_LIMITS } from '../core/hooks/script-limits.ts'
import { sameJson } from '../core/json.ts'
import type { ScriptLimits } from '../core/ports.ts'
import { POWERS } from '../core/scripts/script-api.ts'
import type { HostCall, ScriptVm } from '../core/scripts/script-vm.ts'
import type { LoadQuickJs, QuickJs } from './quickjs-module.ts'
import { createVm } from './vm.ts'

/** Creates a VM on the engine of a page: the first one, and another after each run that was terminated. */
type MakeVm = (host: HostCall) => ScriptVm

/** Opens an engine for the scripts of one page. */
export type OpenVms = (limits: ScriptLimits) => Promise<MakeVm>

const GUEST_NAMES = { powers: [...POWERS.keys()], refused: REFUSED }

/** Opens an engine when a page asks for it. */
export const vmsOf =
  (load: LoadQuickJs): OpenVms =>
  async (limits) => {
    const engine = await load(limits.memoryBytes)
    return (host) => newVm(engine, limits, host)
  }

/** As {@link vmsOf}, with an engine in advance: the next page with the usual limits finds it ready. Each engine serves one page. */
export function vmsInAdvance(load: LoadQuickJs): {
  readonly open: OpenVms
  /** Creates an engine and its first VM, unless they are waiting already. */
  prepare(): Promise<unknown>
} {
  const openNow = vmsOf(load)
  let waiting: Promise<MakeVm> | undefined
  return {
    open(limits) {
      const ready = isUsual(limits) ? waiting : undefined
      if (ready !== undefined) waiting = undefined
      return ready ?? openNow(limits)
    },
    prepare() {
      waiting ??= load(DEFAULT_LIMITS.memoryBytes).then(startedVms)
      return waiting
    },
  }
}

/** The first VM exists before its host is known. */
function startedVms(engine: QuickJs): MakeVm {
  let hostOfFirst: HostCall = () => {
    throw new Error('no page yet')
  }
  let first: ScriptVm | undefined = newVm(engine, DEFAULT_LIMITS, (name, args) => hostOfFirst(name, args))
  return (host) => {
    if (first === undefined) return newVm(engine, DEFAULT_LIMITS, host)
    const vm = first
    first = undefined
    hostOfFirst = host
    return vm
  }
}

const newVm = (engine: QuickJs, limits: ScriptLimits, host: HostCall): ScriptVm =>
  createVm({
    engine,
    limits,
    elapsed: () => performance.now(),
    host,
    names: GUEST_NAMES,
    seed: crypto.getRandomValues(new Int32Array(1))[0] ?? 0,
  })

const isUsual = (limits: ScriptLimits): boolean => sameJson({ ...limits }, { ...DEFAULT_LIMITS })
