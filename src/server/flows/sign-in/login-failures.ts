import type { Trx } from '../../kernel/db/database.ts'
import { isWithin } from '../../kernel/time/within.ts'

/** Where an account stands after one more attempt was counted. */
export interface Attempt {
  /** Failures in a row, this attempt included until it succeeds. */
  readonly count: number
  readonly lockedUntil: number | null
}

/** Failures before a captcha is asked, and before the account rests (DOMAIN 1.13). */
export const CAPTCHA_AFTER = 3
export const LOCK_AFTER = 5
export const LOCK_MS = 15 * 60 * 1000

/**
 * Reads and locks the account's row until the transaction ends, so that parallel guesses are counted one by one.
 * Old failures are forgotten after {@link LOCK_MS} of quiet. Unknown accounts are counted the same way.
 */
export async function failuresOf(trx: Trx, account: string, now: number): Promise<Attempt> {
  const row = await trx
    .insertInto('login_failure')
    .values({ account, count: 0, updated_at: new Date(now) })
    .onConflict((conflict) => conflict.column('account').doUpdateSet({ account }))
    .returningAll()
    .executeTakeFirstOrThrow()
  const lockedUntil = row.locked_until?.getTime() ?? null
  const isLate = isWithin(LOCK_MS, row.updated_at.getTime(), now)
  if (lockedUntil !== null)
    return isLate ? { count: row.count, lockedUntil } : { count: 0, lockedUntil: null }
  return { count: isLate ? row.count : 0, lockedUntil: null }
}

/** Counts an attempt before its password is looked at; the fifth in a row rests the account until it succeeds. */
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

/** The password was right: failures are forgotten. */
export async function forgetFailures(trx: Trx, account: string): Promise<void> {
  await trx.deleteFrom('login_failure').where('account', '=', account).execute()
}
