import { changeHooks } from '../hooks/change-hooks.ts'
import type { Json } from '../json.ts'
import type { HookCall, ScriptRead } from '../ports.ts'
import type { PowerContext } from './power.ts'
import type { ReplicaState } from './replica-state.ts'
import { POWERS } from './script-api.ts'
import type { HostCall } from './script-vm.ts'

interface Parts {
  readonly state: ReplicaState
  /** Runs a change hook inside the current call. */
  readonly nested: (call: HookCall) => void
  readonly request: (name: string, args: readonly Json[]) => number
  readonly answered: (id: number, value: Json) => void
  readonly failedLater: (id: number, reason: string) => void
  /** Called for each read; undefined if reads are not recorded. */
  readonly read: ((read: ScriptRead) => void) | undefined
}

/** Calls that only read the page. */
const READS = /(?:^|\.)get(?!(?:Mini)?FormJson)[A-Z]|^page\.values$/

/** The calls available to a script: the powers of the list, and the two calls by which the engine reports how a promise ended. */
export function createScriptHost({ state, nested, request, answered, failedLater, read }: Parts): HostCall {
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
    request,
  }
  return (name, args) => {
    if (name === '@answer') return void answered(Number(args[0]), args[1] ?? null)
    if (name === '@failed') return void failedLater(Number(args[0]), String(args[1]))
    const power = POWERS.get(name)
    if (!power) throw new Error(`no power is called "${name}"`)
    const answer = power(context, args)
    if (read !== undefined && READS.test(name)) read({ name, args, value: answer ?? null })
    for (const call of computed.splice(0)) nested(call)
    return answer
  }
}
