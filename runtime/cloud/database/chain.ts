import type { Json, JsonObject } from '../../core/json.ts'
import { type DbExpression, type DbParam, serialise } from './serialise.ts'

/** One recorded step of a chain; without parameters it was a property, not a call. */
export interface Recorded {
  readonly $method: string
  readonly $param?: readonly Json[]
}

/** The form in which a chain is sent. */
export interface Command {
  readonly action: string | undefined
  readonly command: JsonObject
}

type Step = (...params: readonly DbParam[]) => DbChain

/**
 * A recorded database command. Any other method name is a step too; those listed are common. The last six send the command and return a promise,
 * except inside `db.command`, where all but `get` and `update` are steps, and `count` after `aggregate` (PROTOCOL 1.7).
 */
export interface DbChain extends DbExpression {
  readonly [STEPS]: readonly Recorded[]
  readonly action: Step
  readonly collection: Step
  readonly doc: Step
  readonly where: Step
  readonly field: Step
  readonly foreignKey: Step
  readonly groupBy: Step
  readonly groupField: Step
  readonly distinct: Step
  readonly orderBy: Step
  readonly skip: Step
  readonly limit: Step
  readonly getTemp: Step
  readonly aggregate: Step
  readonly match: Step
  readonly group: Step
  readonly project: Step
  readonly sort: Step
  get(...params: readonly DbParam[]): Promise<Json>
  add(...params: readonly DbParam[]): Promise<Json>
  update(...params: readonly DbParam[]): Promise<Json>
  remove(): Promise<Json>
  count(): Promise<Json>
  end(): Promise<Json>
}

/** Operators below `db.command`. */
export type DbOperators = Readonly<Record<string, (...params: readonly DbParam[]) => DbExpression>>

/** Receives finished chains. */
export interface ChainHost {
  send(command: Command): Promise<Json>
  /** @throws the error for calling `set` */
  refuseSet(): never
}

export const STEPS: unique symbol = Symbol('recorded steps')

const SENDS = new Set(['get', 'add', 'update', 'remove', 'count', 'end'])
/** Steps that are properties. */
const PROPERTIES = new Set(['command.aggregate'])

/** A chain with the `steps` recorded so far. */
export function makeChain(steps: readonly Recorded[], host: ChainHost): DbChain {
  const inCommand = steps.some((step) => step.$method === 'command')
  const inAggregate = steps.some(isAggregate)
  const isStep = (name: string) =>
    inCommand ? name !== 'get' && name !== 'update' && name !== 'end' : name === 'count' && inAggregate
  const follow = (step: Recorded) => makeChain([...steps, step], host)

  return new Proxy({} as DbChain, {
    get(_, name) {
      if (name === STEPS) return steps
      // Awaiting a chain must not send it.
      if (typeof name === 'symbol' || name === 'then') return undefined
      if (name === 'toJSON') return () => ({ $db: steps.map(printStep) })
      if (PROPERTIES.has(`${steps.at(-1)?.$method}.${name}`)) return follow({ $method: name })
      return (...params: readonly DbParam[]) => {
        const step = { $method: name, $param: params.map(serialise) }
        if (name === 'set' && !inCommand) return host.refuseSet()
        if (SENDS.has(name) && !isStep(name)) return host.send(toCommand([...steps, step]))
        return follow(step)
      }
    },
    has: (_, name) => name === STEPS || name === 'toJSON',
  })
}

function isAggregate(step: Recorded, at: number, steps: readonly Recorded[]): boolean {
  if (step.$method === 'pipeline') return true
  return step.$method === 'aggregate' && steps[at - 1]?.$method === 'collection'
}

function printStep({ $method, $param }: Recorded): JsonObject {
  return $param ? { $method, $param } : { $method }
}

/** Splits a chain into its action and the rest of the command. */
export function toCommand(steps: readonly Recorded[]): Command {
  const action = steps.find((step) => step.$method === 'action')?.$param?.[0]
  const rest = steps.filter((step) => step.$method !== 'action')
  return { action: typeof action === 'string' ? action : undefined, command: { $db: rest.map(printStep) } }
}
