import type { QuickJSContext, QuickJSHandle, Scope } from 'quickjs-emscripten-core'
import type { Json } from '../core/json.ts'
import type { HostCall } from '../core/scripts/script-vm.ts'
import calls from './guest/calls.js?raw'
import form from './guest/form.js?raw'
import globals from './guest/globals.js?raw'
import lock from './guest/lock.js?raw'
import net from './guest/net.js?raw'
import prelude from './guest/prelude.js?raw'
import refs from './guest/refs.js?raw'
import type { Meter } from './meter.ts'

/** The guest's own code, in the order of its dependencies. */
const PARTS = { prelude, refs, form, net, globals, calls, lock }

interface Start {
  readonly context: QuickJSContext
  readonly scope: Scope
  readonly meter: Meter
  readonly host: HostCall
  readonly names: GuestNames
  readonly seed: number
}

/** The data that the guest's members and globals are created from. */
export interface GuestNames {
  /** Names of the granted powers: `form.x` and the like become methods. */
  readonly powers: readonly string[]
  /** Members and globals that throw an error with the note as its message. */
  readonly refused: readonly {
    readonly owner: string
    readonly name: string
    readonly kind: string
    readonly note: string
  }[]
}

/** The guest functions that the host calls; each takes one JSON text. */
export interface GuestEntry {
  readonly define: QuickJSHandle
  readonly invoke: QuickJSHandle
  readonly settle: QuickJSHandle
  /** Sends the host variables as the run left them to the page. */
  readonly tellVariables: QuickJSHandle
  readonly clock: QuickJSHandle
  readonly lock: QuickJSHandle
}

/** Pure helpers: cheap, and called so often when sorting that they do not count as calls of the page. */
const UNCOUNTED = /^(format\.|@)/

/**
 * Loads our guest files into a new context. They share one object that page code cannot access. Its only connection to the outside is the host
 * function: name and JSON text in, JSON text out, `!message` for an error to throw.
 */
export function startGuest({ context, scope, meter, host, names, seed }: Start): GuestEntry {
  const call = scope.manage(
    context.newFunction('call', (nameHandle, jsonHandle) => {
      const name = context.getString(nameHandle)
      const json = context.getString(jsonHandle)
      if (meter.limit() || !meter.countText(json) || !(UNCOUNTED.test(name) || meter.countCall())) {
        return context.newString('!budget')
      }
      return context.newString(answerOf(host, name, json))
    }),
  )
  const kit = scope.manage(context.newObject())
  context.setProp(kit, 'host', call)
  context.newString(JSON.stringify(names)).consume((text) => context.setProp(kit, 'names', text))
  context.newNumber(seed).consume((number) => context.setProp(kit, 'seed', number))
  for (const [name, code] of Object.entries(PARTS)) {
    const part = context.unwrapResult(context.evalCode(code, `guest:${name}`))
    context.unwrapResult(context.callFunction(part, context.undefined, kit)).dispose()
    part.dispose()
  }
  const entry = (name: string): QuickJSHandle => scope.manage(context.getProp(kit, name))
  return {
    define: entry('define'),
    invoke: entry('invoke'),
    settle: entry('settle'),
    tellVariables: entry('tellVariables'),
    clock: entry('clock'),
    lock: entry('lock'),
  }
}

function answerOf(host: HostCall, name: string, json: string): string {
  try {
    const answer = host(name, JSON.parse(json) as Json[])
    return answer === undefined ? '' : JSON.stringify(answer)
  } catch (error) {
    return `!${error instanceof Error ? error.message : String(error)}`
  }
}
