import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { callerOf, requires } from '../../kernel/auth/caller.ts'
import { type OWN_ACTIONS, ownRights } from '../../kernel/auth/permissions.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { modelLock, runRead, runStandbyRead, writeContext } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { bodyOf } from '../../kernel/fields/input.ts'
import { type WriteResult, writeOnce } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

export const PARAMS = {
  type: 'object',
  properties: { module: { type: 'string', pattern: '^[a-z]\\w{0,39}$' } },
} as const
type Action = (typeof OWN_ACTIONS)[number]
export type OfModule = { readonly Params: { readonly module: string } }

/** Common parts of the calls of own modules: finding the module and checking the right to it. */
export interface OwnCalls {
  /** Answers a read call. */
  readonly answer: <T>(request: FastifyRequest, work: Work<T>, action?: Action) => Promise<T>
  /** The same for lists and counts, which a standby database may answer. */
  readonly answerAside: <T>(request: FastifyRequest, work: Work<T>) => Promise<T>
  /** Registers a write call. */
  readonly write: (name: string, action: Action, work: Write) => void
}
type Work<T> = (module: MergedModule, ctx: CallContext) => Promise<T>
type Write = (module: MergedModule, body: JsonObject, ctx: CallContext) => Promise<WriteResult<Json>>

/** How calls on records of own modules are answered and registered. */
export function ownCalls(app: FastifyInstance, services: Services): OwnCalls {
  return {
    answer: (request, work, action = 'view') =>
      runRead(services, callerOf(request), async (ctx) => work(moduleOf(request, ctx, action), ctx)),
    answerAside: (request, work) =>
      runStandbyRead(services, callerOf(request), async (ctx) => work(moduleOf(request, ctx, 'view'), ctx)),
    write: (name, action, work) => addWrite(app, services, { name, action, work }),
  }
}

function moduleOf({ params }: FastifyRequest, { caller, model }: CallContext, action: Action): MergedModule {
  const { module: name } = params as OfModule['Params']
  const module = model.modules.get(name)
  // For other tenants the module does not exist, whatever their permissions.
  if (module === undefined || module.origin !== 'tenant') refuse(404, 'NOT_FOUND', text('model.unknown'))
  requires(caller, `${ownRights(name)}:${action}`)
  return module
}

/** Calls that the log names by themselves; the others by the right that they need. */
const LOGGED: ReadonlySet<string> = new Set(['submit', 'withdraw', 'version'])

function addWrite(
  app: FastifyInstance,
  services: Services,
  { name, action, work }: { readonly name: string; readonly action: Action; readonly work: Write },
): void {
  app.post<OfModule>(
    `/mini/m/:module/${name}`,
    { schema: { params: PARAMS }, config: { once: true } },
    (request) => {
      const entity = ownRights(request.params.module)
      return writeOnce(
        services.database,
        request,
        { action: `${entity}:${LOGGED.has(name) ? name : action}`, entity },
        async (trx, caller, isHeld) => {
          const ctx = await writeContext(services, caller, trx, { isHeld, request })
          return work(moduleOf(request, ctx, action), bodyOf(request.body), ctx)
        },
        {
          along: modelLock(services),
          isAtOnce: services.modules.known(callerOf(request).tenantId) !== undefined,
        },
      )
    },
  )
}
