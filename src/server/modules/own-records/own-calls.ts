import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { callerOf, requires } from '../../kernel/auth/caller.ts'
import { type OWN_ACTIONS, ownRights } from '../../kernel/auth/permissions.ts'
import { ask, askAside, askingToWrite, holdingModel } from '../../kernel/calls/ask.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { bodyOf } from '../../kernel/fields/input.ts'
import { type Written, writeOnce } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

export const PARAMS = {
  type: 'object',
  properties: { module: { type: 'string', pattern: '^[a-z]\\w{0,39}$' } },
} as const
/** A right on an own module. */
type Action = (typeof OWN_ACTIONS)[number]
export type OfModule = { readonly Params: { readonly module: string } }

/** How calls on records of own modules are answered and registered: the module of the path, and the caller's right to it. */
export function ownCalls(app: FastifyInstance, services: Services) {
  const moduleOf = async (
    { params }: FastifyRequest,
    { caller, model }: Asking,
    action: Action,
  ): Promise<MergedModule> => {
    const { module: name } = params as OfModule['Params']
    const module = model.modules.get(name)
    // Somebody else's module is not there, whatever rights the asker has.
    if (module === undefined || module.origin !== 'tenant') refuse(404, 'NOT_FOUND', text('model.unknown'))
    requires(caller, `${ownRights(name)}:${action}`)
    return module
  }
  const answer = <T>(
    request: FastifyRequest,
    work: (module: MergedModule, asking: Asking) => Promise<T>,
    action: Action = 'view',
  ) =>
    ask(services, callerOf(request), async (asking) => work(await moduleOf(request, asking, action), asking))
  /** The same of a list, which a standby may answer. */
  const answerAside = <T>(
    request: FastifyRequest,
    work: (module: MergedModule, asking: Asking) => Promise<T>,
  ) =>
    askAside(services, callerOf(request), async (asking) =>
      work(await moduleOf(request, asking, 'view'), asking),
    )
  const write = (
    name: string,
    action: Action,
    work: (module: MergedModule, body: JsonObject, asking: Asking) => Promise<Written<Json>>,
  ): void => {
    app.post<OfModule>(
      `/mini/m/:module/${name}`,
      { schema: { params: PARAMS }, config: { once: true } },
      (request) => {
        const entity = ownRights(request.params.module)
        return writeOnce(
          services.database,
          request,
          { action: `${entity}:${action}`, entity },
          async (trx, caller, isHeld) => {
            const asking = await askingToWrite(services, caller, trx, { isHeld, request })
            return work(await moduleOf(request, asking, action), bodyOf(request.body), asking)
          },
          {
            along: holdingModel(services),
            isAtOnce: services.modules.known(callerOf(request).tenantId) !== undefined,
          },
        )
      },
    )
  }
  return { answer, answerAside, write }
}
