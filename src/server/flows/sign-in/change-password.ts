import type { FastifyRequest } from 'fastify'
import { callerOf } from '../../kernel/auth/caller.ts'
import { hashPassword, passwordFault, verifyPassword } from '../../kernel/auth/password.ts'
import { revokeOthers } from '../../kernel/auth/session-store.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { json } from '../../kernel/db/json.ts'
import { audit } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { signFor } from './login.ts'
import { countAttempt, failuresOf, forgetFailures } from './login-failures.ts'
import { notifyOfPassword } from './notify-security.ts'

export interface PasswordBody {
  readonly oldPassword: string
  readonly newPassword: string
  readonly confirmPassword: string
}

/** Number of old passwords that cannot be used again (DOMAIN 1.13). */
const REMEMBERED_PASSWORDS = 3

/** Changes the caller's password; their other sessions end, this one gets a new token. */
export async function changePassword(services: Services, request: FastifyRequest<{ Body: PasswordBody }>) {
  const { database, now, sessions } = services
  const caller = callerOf(request)
  const { oldPassword, newPassword, confirmPassword } = request.body
  const user = await database.system((trx) =>
    trx.selectFrom('app_user').selectAll().where('id', '=', caller.userId).executeTakeFirstOrThrow(),
  )
  const wrong = (field: keyof PasswordBody, message: string) =>
    refuse(400, 'VALIDATION', message, { fields: { [field]: message } })
  const rests = await admitGuess(services, caller.userId)
  if (rests !== null) wrong('oldPassword', text('password.rests', { minutes: Math.ceil(rests / 60_000) }))
  if (!(await verifyPassword(user.password_hash, oldPassword)))
    wrong('oldPassword', text('password.old-wrong'))
  await database.system((trx) => forgetFailures(trx, guessesOf(caller.userId)))
  if (newPassword !== confirmPassword) wrong('confirmPassword', text('password.mismatch'))
  const fault = passwordFault(newPassword, caller.account)
  if (fault !== null) wrong('newPassword', text(fault === 'weak' ? 'password.weak' : 'password.is-account'))
  const history = [user.password_hash, ...stringsOf(user.password_history)].slice(0, REMEMBERED_PASSWORDS)
  for (const earlier of history) {
    if (await verifyPassword(earlier, newPassword)) wrong('newPassword', text('password.same'))
  }
  const hashed = await hashPassword(newPassword)
  await database.system(async (trx) => {
    await trx
      .updateTable('app_user')
      .set({
        password_hash: hashed,
        password_history: json(history),
        password_changed_at: new Date(now()),
        must_change_password: false,
      })
      .where('id', '=', caller.userId)
      .execute()
    await revokeOthers(trx, caller.userId, caller.sessionId, now())
  })
  await database.tenant(caller, async (trx) => {
    await audit(trx, request, { action: 'user:password', entity: 'app_user' }, { recordId: caller.userId })
    await notifyOfPassword(trx, { userId: caller.userId, tenantId: caller.tenantId, now: new Date(now()) })
  })
  await sessions.changed(caller.userId)
  return { ...(await signFor(services, caller.sessionId, caller.tenantId)), tenantId: caller.tenantId }
}

/** Guesses at the old password are counted separately from sign-ins: somebody with a stolen phone cannot lock the account. */
const guessesOf = (userId: string): string => `password/${userId}`

/** Counts a guess before it is checked. @returns for how many milliseconds no further guess is accepted; null while one is */
function admitGuess({ database, now }: Services, userId: string): Promise<number | null> {
  return database.system(async (trx) => {
    const { count, lockedUntil } = await failuresOf(trx, guessesOf(userId), now())
    if (lockedUntil !== null) return lockedUntil - now()
    await countAttempt(trx, guessesOf(userId), count + 1, now())
    return null
  })
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
