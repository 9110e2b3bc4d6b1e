import type { Asking } from '../asking/asking.ts'
import type { Caller } from '../auth/caller.ts'
import type { Trx } from '../db/database.ts'
import type { Services } from './resource.ts'

/** Puts together what a call works with. */
export async function askingOf(services: Services, caller: Caller, trx: Trx): Promise<Asking> {
  return {
    trx,
    caller,
    now: new Date(services.now()),
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
