import type { Json } from '../../core/json.ts'
import { CloudError } from '../cloud-error.ts'
import { createListeners } from '../listeners.ts'
import { type ChainHost, type DbChain, type DbOperators, makeChain, STEPS, toCommand } from './chain.ts'
import { type DatabaseEvents, type DatabaseTools, sendCommand } from './send-command.ts'
import { type DbExpression, type DbParam, serialise } from './serialise.ts'

type Make = (...params: readonly DbParam[]) => DbExpression

/** The client database: each method starts a chain, which is sent by get, add, update, remove or count. */
export interface Database {
  action(...names: readonly string[]): DbChain
  /** Several names or temporary tables are joined. */
  collection(...names: readonly DbParam[]): DbChain
  /** Operators: `db.command.gt(3)`; `command.aggregate` has those of aggregations. */
  readonly command: DbOperators & { readonly aggregate: DbOperators }
  readonly Geo: Readonly<Record<string, Make>>
  readonly serverDate: Make
  readonly RegExp: Make
  /** `db.env.uid` and others: values that the cloud inserts. */
  readonly env: Readonly<Record<string, DbExpression>>
  /** Sends several chains in one call; each must end in `getTemp`. `dataList[i]` of the answer belongs to chain `i`. */
  multiSend(...members: readonly DbChain[]): Promise<Json>
  on<E extends keyof DatabaseEvents>(event: E, listener: (payload: DatabaseEvents[E]) => void): () => void
}

/** @param short  true: results are the inner results (the variant for short queries) */
export function createDatabase(tools: DatabaseTools, short: boolean): Database {
  const listeners = createListeners<DatabaseEvents>(tools.ports.log)
  const { text } = tools.ports
  const host: ChainHost = {
    send: ({ action, command }) => sendCommand(tools, listeners, short, { action, command }),
    refuseSet() {
      throw new CloudError({ code: 'INVALID_OPERATION', message: text('cloud.jql-set') })
    },
  }
  const start = ($method: string, params: readonly DbParam[]) =>
    makeChain([{ $method, $param: params.map(serialise) }], host)

  return {
    action: (...names) => start('action', names),
    collection: (...names) => start('collection', names),
    // The same recorder with another type: below `command` every name is an operator.
    command: makeChain([{ $method: 'command' }], host) as unknown as Database['command'],
    Geo: named((name) => making(['Geo'], name)),
    serverDate: making([], 'serverDate'),
    RegExp: making([], 'RegExp'),
    env: named((name) => ({ toJSON: () => ({ $env: name }) })),
    async multiSend(...members) {
      const commands = members.map((member) => toCommand(member[STEPS]))
      if (!members.every((member) => member[STEPS].at(-1)?.$method === 'getTemp')) {
        throw new CloudError({ code: 'INVALID_PARAM', message: text('cloud.multi-send') })
      }
      const multiCommand = commands.map(({ action, command }) => (action ? { action, command } : { command }))
      return sendCommand(tools, listeners, short, { multiCommand })
    },
    on: listeners.on,
  }
}

/** A value that the cloud creates: `{$newDb: […]}`. Authors write it with or without `new`. */
function making(path: readonly string[], $method: string): Make {
  return function make(...params) {
    const steps = [...path.map((name) => ({ $method: name })), { $method, $param: params.map(serialise) }]
    return { toJSON: () => ({ $newDb: steps }) }
  }
}

/** An object with a value under every name. */
function named<T>(make: (name: string) => T): Readonly<Record<string, T>> {
  const target: Record<string, T> = {}
  return new Proxy(target, {
    get: (_, name) =>
      typeof name === 'symbol' || name === 'then' || name === 'toJSON' ? undefined : make(name),
  })
}
