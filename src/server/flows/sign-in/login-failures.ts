import type { Trx } from '../../kernel/db/database.ts'
import { isWithin } from '../../kernel/time/within.ts'

/** The state of an account after counting one more attempt. */
export interface Attempt {
  /** Consecutive failures, including this attempt until it succeeds. */
  readonly count: number
  readonly lockedUntil: number | null
}

/** Number of failures before a captcha is required, and before the account is locked (DOMAIN 1.13). */
export const CAPTCHA_AFTER = 3
export const LOCK_AFTER = 5
export const LOCK_MS = 15 * 60 * 1000

/**
 * Reads and locks the account's row until the transaction ends, so that parallel guesses are counted one by one. Failures are reset after {@link
 * LOCK_MS} without attempts. Unknown accounts are counted in the same way.
 */
export async function failuresOf(trx: Trx, account: string, now: number): Promise<Attempt> {
  const row = await trx
    .insertInto('login_failure')
    .values({ account, count: 0, updated_at: new Date(now) })
    .onConflict((conflict) => conflict.column('account').doUpdateSet({ account }))
    .returningAll()
    .executeTakeFirstOrThrow()
  const lockedUntil = row.locked_until?.getTime() ?? null
  const isRecent = isWithin(LOCK_MS, row.updated_at.getTime(), now)
  if (lockedUntil !== null)
    return isRecent ? { count: row.count, lockedUntil } : { count: 0, lockedUntil: null }
  return { count: isRecent ? row.count : 0, lockedUntil: null }
}

/** Counts an attempt before its password is checked; the fifth in a row locks the account until one succeeds. */
export async function countAttempt(trx: Trx, account: string, count: number, now: number): Promise<void> {
  await trx
    .updateTable('login_failure')
    .set({
      count,
      locked_until: count >= LOCK_AFTER ? new Date(now + LOCK_MS) : null,
      updated_at: new Date(now),
    })
    .where('account', '=', account)
    .execute()
}

/** The password was right: failures are reset. */
export async function forgetFailures(trx: Trx, account: string): Promise<void> {
  await trx.deleteFrom('login_failure').where('account', '=', account).execute()
}
