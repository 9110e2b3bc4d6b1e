import { hashPassword } from '../../kernel/auth/password.ts'
import { SESSION_CHANNEL } from '../../kernel/auth/sessions.ts'
import type { Database } from '../../kernel/db/database.ts'
import { newPassword } from './new-administrator.ts'

/**
 * Sets a new password for somebody who cannot sign in; it must be changed at the next sign-in. Ends their sessions and unlocks the account.
 *
 * @returns the password @throws Error with a message if the account does not exist
 */
export async function giveNewPassword(database: Database, account: string): Promise<string> {
  const password = newPassword()
  const hash = await hashPassword(password)
  await database.system(async (trx) => {
    const login = await trx
      .updateTable('app_user')
      .set({
        password_hash: hash,
        must_change_password: true,
        password_changed_at: new Date(),
        is_demo: false,
      })
      .where('account', '=', account.trim().toLowerCase())
      .where('status', '<>', 'cancelled')
      .returning('id')
      .executeTakeFirst()
    if (login === undefined) throw new Error(`nobody signs in as ${account}; nothing was changed`)
    await trx
      .updateTable('session')
      .set({ revoked_at: new Date(), revoked_reason: 'password' })
      .where('user_id', '=', login.id)
      .where('revoked_at', 'is', null)
      .execute()
    await database.notify(trx, SESSION_CHANNEL, login.id)
    await trx.deleteFrom('login_failure').where('account', '=', account.trim().toLowerCase()).execute()
  })
  return password
}
