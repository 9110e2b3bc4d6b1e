import type { FastifyRequest } from 'fastify'
import type { Asking } from '../asking/asking.ts'
import type { Caller } from '../auth/caller.ts'
import type { Trx } from '../db/database.ts'
import type { Services } from './resource.ts'
import { writtenAt } from './written-at.ts'

/** Writes wait on a phone for up to so many days. */
const WAIT_MOST_DAYS = 3

/** Puts together what a call works with. @param request  of a write, which may have waited */
export async function askingOf(
  services: Services,
  caller: Caller,
  trx: Trx,
  request?: FastifyRequest,
): Promise<Asking> {
  const now = new Date(services.now())
  return {
    trx,
    caller,
    now,
    ...(request === undefined ? {} : { writtenAt: writtenAt(request, now, WAIT_MOST_DAYS) }),
    zone: caller.tenant.timezone,
    cursorSecret: services.secret,
    model: await services.modules.of(trx, caller.tenantId),
  }
}

/** Answers a reading call in one transaction of the caller's tenant. */
export function ask<T>(services: Services, caller: Caller, work: (asking: Asking) => Promise<T>): Promise<T> {
  const { tenantId, userId } = caller
  return services.database.tenant({ tenantId, userId, isReading: true }, async (trx) =>
    work(await askingOf(services, caller, trx)),
  )
}
