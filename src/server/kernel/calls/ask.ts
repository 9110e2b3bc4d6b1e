import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { Asking } from '../asking/asking.ts'
import type { Caller } from '../auth/caller.ts'
import type { Trx } from '../db/database.ts'
import { modelHeld } from '../model/overrides.ts'
import { KEPT_HOURS } from '../records/write-once.ts'
import type { Services } from './resource.ts'
import { writtenAt } from './written-at.ts'

/** Writes wait on a phone as long as their token is known. */
const WAIT_MOST_DAYS = KEPT_HOURS / 24

/** Puts together what a call works with. @param request  of a write, which may have waited */
export async function askingOf(
  services: Services,
  caller: Caller,
  trx: Trx,
  request?: FastifyRequest,
): Promise<Asking> {
  const parts = partsOf(services, caller, trx)
  return {
    ...parts,
    ...(request === undefined ? {} : { writtenAt: writtenAt(request, parts.now, WAIT_MOST_DAYS) }),
    model: await services.modules.of(trx, caller.tenantId),
  }
}

const partsOf = (services: Services, caller: Caller, trx: Trx) => ({
  trx,
  caller,
  now: new Date(services.now()),
  zone: caller.tenant.timezone,
  cursorSecret: services.secret,
})

/**
 * The same for a call that writes records: until its transaction ends no field becomes one of another kind, and what it knows of the
 * tenant's fields is what they are, whether this server has heard of the last change or not.
 *
 * `request` is that of a write, which may have waited; `isHeld`: {@link holdingModel} has been asked, and answered yes
 */
export async function askingToWrite(
  services: Services,
  caller: Caller,
  trx: Trx,
  { isHeld = false, request }: { readonly isHeld?: boolean; readonly request?: FastifyRequest } = {},
): Promise<Asking> {
  const asking = await askingOf(services, caller, trx, request)
  if (isHeld || (await isLast(asking))) return asking
  return { ...asking, model: await services.modules.within(trx, caller.tenantId) }
}

/** Holds the model that {@link askingToWrite} will have, along with another statement; false where that has to be asked by itself. */
export const holdingModel =
  ({ modules }: Services) =>
  ({ tenantId }: Caller): RawBuilder<boolean> => {
    const known = modules.known(tenantId)
    return known === undefined ? sql<boolean>`false` : modelHeld(tenantId, known.versions)
  }

async function isLast({ trx, caller, model }: Asking): Promise<boolean> {
  const { rows } = await sql<{
    is: boolean
  }>`select ${modelHeld(caller.tenantId, model.versions)} as is`.execute(trx)
  return rows[0]?.is === true
}

/** Answers a reading call in one transaction of the caller's tenant. */
export function ask<T>(services: Services, caller: Caller, work: (asking: Asking) => Promise<T>): Promise<T> {
  const { tenantId, userId } = caller
  return services.database.tenant({ tenantId, userId, isReading: true }, async (trx) =>
    work(await askingOf(services, caller, trx)),
  )
}

/**
 * The same for lists and statistics, which write nothing on their way: a standby may answer them. What is kept in memory is not read there,
 * for others would be told of it too.
 */
export function askAside<T>(
  services: Services,
  caller: Caller,
  work: (asking: Asking) => Promise<T>,
): Promise<T> {
  const { tenantId, userId } = caller
  const model = services.modules.known(tenantId)
  if (model === undefined) return ask(services, caller, work)
  return services.database.tenant({ tenantId, userId, isReading: true, mayBeStandby: true }, (trx) =>
    work({ ...partsOf(services, caller, trx), model }),
  )
}
