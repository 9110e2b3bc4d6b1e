import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../auth/caller.ts'
import type { CallContext } from '../context/call-context.ts'
import { callerIn } from '../context/caller-in-model.ts'
import type { Trx } from '../db/database.ts'
import type { TenantModel } from '../model/library.ts'
import { sharedModelLock } from '../model/overrides.ts'
import { RETENTION_HOURS } from '../records/write-once.ts'
import type { Services } from './resource.ts'
import { writtenAt } from './written-at.ts'

/** Writes wait on a phone for at most as long as their token is remembered. */
const MAX_WAIT_DAYS = RETENTION_HOURS / 24

/** Builds the context of a call. @param request  of a write, which may have waited on the device */
export async function callContextOf(
  services: Services,
  caller: Caller,
  trx: Trx,
  request?: FastifyRequest,
): Promise<CallContext> {
  const model = await services.modules.of(trx, caller.tenantId)
  const ctx = contextIn(model, services, caller, trx)
  return request === undefined ? ctx : { ...ctx, writtenAt: writtenAt(request, ctx.now, MAX_WAIT_DAYS) }
}

const contextIn = (model: TenantModel, services: Services, caller: Caller, trx: Trx): CallContext => ({
  trx,
  caller: callerIn(caller, model),
  now: new Date(services.now()),
  zone: caller.tenant.timezone,
  cursorSecret: services.secret,
  model,
})

/**
 * The same for a call that writes records. Until its transaction ends no field changes its kind, and its description of the tenant's fields is
 * current, whether or not this server has heard of the last change. `request` is that of a write, which may have waited on the device; `isHeld`:
 * {@link modelLock} was called and returned true
 */
export async function writeContext(
  services: Services,
  caller: Caller,
  trx: Trx,
  { isHeld = false, request }: { readonly isHeld?: boolean; readonly request?: FastifyRequest } = {},
): Promise<CallContext> {
  const ctx = await callContextOf(services, caller, trx, request)
  if (isHeld || (await isLast(ctx))) return ctx
  const model = await services.modules.within(trx, caller.tenantId)
  return { ...ctx, caller: callerIn(caller, model), model }
}

/** Locks the model that {@link writeContext} will use, along with another statement; false if it needs a statement of its own. */
export const modelLock =
  ({ modules }: Services) =>
  ({ tenantId }: Caller): RawBuilder<boolean> => {
    const known = modules.known(tenantId)
    return known === undefined ? sql<boolean>`false` : sharedModelLock(tenantId, known.versions)
  }

async function isLast({ trx, caller, model }: CallContext): Promise<boolean> {
  const { rows } = await sql<{
    is: boolean
  }>`select ${sharedModelLock(caller.tenantId, model.versions)} as is`.execute(trx)
  return rows[0]?.is === true
}

/** Answers a reading call in one transaction of the caller's tenant. */
export function runRead<T>(
  services: Services,
  caller: Caller,
  work: (ctx: CallContext) => Promise<T>,
): Promise<T> {
  const { tenantId, userId } = caller
  return services.database.tenant({ tenantId, userId, isReading: true }, async (trx) =>
    work(await callContextOf(services, caller, trx)),
  )
}

/**
 * The same for lists and statistics, which write nothing: a standby may answer them. Data that servers cache is not read there, because other servers
 * are notified of changes to it.
 */
export function runStandbyRead<T>(
  services: Services,
  caller: Caller,
  work: (ctx: CallContext) => Promise<T>,
): Promise<T> {
  const { tenantId, userId } = caller
  const model = services.modules.known(tenantId)
  if (model === undefined) return runRead(services, caller, work)
  return services.database.tenant({ tenantId, userId, isReading: true, mayBeStandby: true }, (trx) =>
    work(contextIn(model, services, caller, trx)),
  )
}
