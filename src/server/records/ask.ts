import type { Caller } from '../auth/caller.ts'
import type { Trx } from '../db/database.ts'
import type { Services } from '../resource.ts'
import type { Asking } from './asking.ts'

/** Puts together what a call works with. */
export function askingOf(services: Services, caller: Caller, trx: Trx): Asking {
  return {
    trx,
    caller,
    now: new Date(services.now()),
    zone: caller.tenant.timezone,
    cursorSecret: services.secret,
    modules: services.modules,
  }
}

/** Answers a reading call in one transaction of the caller's tenant. */
export function ask<T>(services: Services, caller: Caller, work: (asking: Asking) => Promise<T>): Promise<T> {
  const { tenantId, userId } = caller
  return services.database.tenant({ tenantId, userId, isReading: true }, (trx) =>
    work(askingOf(services, caller, trx)),
  )
}
