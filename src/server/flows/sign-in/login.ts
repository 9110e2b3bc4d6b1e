import type { FastifyRequest } from 'fastify'
import type { LoginAnswer, LoginBody } from '../../../contract/session.ts'
import { claimsOf } from '../../kernel/auth/guard.ts'
import { verifyPassword } from '../../kernel/auth/password.ts'
import { openSession } from '../../kernel/auth/session-store.ts'
import { type TenantChoice, tenantsOf } from '../../kernel/auth/tenants.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { auditOf } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { takeCaptcha } from './captcha.ts'
import { deviceName } from './device-name.ts'
import {
  CAPTCHA_AFTER,
  countAttempt,
  failuresOf,
  forgetFailures,
  LOCK_AFTER,
  LOCK_MS,
} from './login-failures.ts'
import { notifyOfNewDevice } from './notify-security.ts'

/**
 * Signs a person in (DOMAIN 1.13). Three failures require a captcha, five lock the account for 15 minutes; the message never reveals whether the
 * account or the password was wrong.
 */
export async function login(
  services: Services,
  request: FastifyRequest<{ Body: LoginBody }>,
): Promise<LoginAnswer> {
  const { database, now } = services
  const { body } = request
  if (body.agree !== true)
    refuse(400, 'VALIDATION', text('login.agree'), { fields: { agree: text('login.agree') } })
  const account = body.account.trim().toLowerCase()
  const captchaOk = await takeCaptcha(database, body, now())
  const { count, user, counted } = await database.system(async (trx) => {
    const user = await findUser(trx, account)
    // Guesses by mobile number count for the same person.
    const counted = user?.account ?? account
    return { user, counted, count: await admit(trx, counted, captchaOk, now()) }
  })
  const right = await verifyPassword(user?.password_hash ?? null, body.password)
  if (!right || user === undefined) {
    // Not awaited: the response time must not reveal whether the account exists.
    if (user !== undefined)
      recordFailure(services, request, user.id, count).catch((error: unknown) =>
        services.log.error({ err: error }, 'a failed login was not written down'),
      )
    return failed(count)
  }
  if (user.status !== 'normal') refuse(400, 'LOGIN_FAILED', text('session.user-disabled'))
  const { sessionId, tenant, tenants } = await database.system(async (trx) => {
    await forgetFailures(trx, counted)
    const all = await tenantsOf(trx, user.id, now())
    const chosen = chooseTenant(all, body.tenantCode)
    const id = await openSession(
      trx,
      {
        userId: user.id,
        tenantId: chosen.id,
        deviceId: body.deviceId,
        deviceName: deviceName(request.headers['user-agent']),
      },
      now(),
    )
    await recordLogin(trx, request, user.id, chosen.id, now())
    const identity = { userId: user.id, tenantId: chosen.id, now: new Date(now()) }
    await notifyOfNewDevice(trx, id, body.deviceId, identity)
    return { sessionId: id, tenant: chosen, tenants: all }
  })
  await services.sessions.changed(user.id)
  const signed = await signFor(services, sessionId, tenant.id)
  return {
    ...signed,
    tenantId: tenant.id,
    mustChangePassword: user.must_change_password,
    tenants: tenants.map(({ id, name }) => ({ id, name })),
  }
}

/** A token for a session's current state. */
export async function signFor({ sessions, tokens, now }: Services, sessionId: string, tenantId: string) {
  const state = await sessions.find(sessionId, tenantId)
  if (state === null) refuse(401, 'TOKEN_INVALID', text('session.over'))
  return tokens.sign(claimsOf(state), now())
}

/** Counts the attempt; refuses locked accounts, and those that need a captcha. */
async function admit(trx: Trx, account: string, captchaOk: boolean, now: number): Promise<number> {
  const { count, lockedUntil } = await failuresOf(trx, account, now)
  if (lockedUntil !== null) refuseLocked(lockedUntil - now)
  if (count >= CAPTCHA_AFTER && !captchaOk) {
    refuse(
      400,
      'CAPTCHA_REQUIRED',
      text(count === CAPTCHA_AFTER ? 'login.captcha-required' : 'login.captcha-wrong'),
    )
  }
  await countAttempt(trx, account, count + 1, now)
  return count + 1
}

function failed(count: number): never {
  if (count >= LOCK_AFTER) refuseLocked(LOCK_MS)
  refuse(400, count >= CAPTCHA_AFTER ? 'CAPTCHA_REQUIRED' : 'LOGIN_FAILED', text('login.failed'))
}

function refuseLocked(leftMs: number): never {
  refuse(400, 'LOGIN_FAILED', text('login.locked', { minutes: Math.ceil(leftMs / 60_000) }), {
    data: { retryAfter: Math.ceil(leftMs / 1000) },
  })
}

async function findUser(trx: Trx, account: string) {
  return trx
    .selectFrom('app_user')
    .selectAll()
    .where((where) => where.or([where('account', '=', account), where('mobile', '=', account)]))
    .orderBy('account')
    .executeTakeFirst()
}

function chooseTenant(all: readonly TenantChoice[], code: string | undefined): TenantChoice {
  const wanted = code === undefined || code === '' ? all : all.filter((tenant) => tenant.code === code)
  const usable = wanted.find((tenant) => tenant.status === 'normal')
  if (usable !== undefined) return usable
  if (wanted.some((tenant) => tenant.status === 'expired')) {
    refuse(400, 'LOGIN_FAILED', text('session.tenant-expired'))
  }
  return refuse(400, 'LOGIN_FAILED', text('login.no-tenant'))
}

async function recordLogin(trx: Trx, request: FastifyRequest, userId: string, tenantId: string, now: number) {
  await trx
    .updateTable('membership')
    .set({ last_used_at: new Date(now) })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute()
  const user = { tenantId, userId }
  await auditOf(trx, user, request, { action: 'session:login', entity: 'session' }, {})
}

/** A wrong password for an existing person is recorded in the log of each tenant they work for. */
async function recordFailure(
  { database, now }: Services,
  request: FastifyRequest,
  userId: string,
  count: number,
): Promise<void> {
  await database.system(async (trx) => {
    for (const { id } of await tenantsOf(trx, userId, now()))
      await auditOf(
        trx,
        { tenantId: id, userId },
        request,
        { action: 'session:failed', entity: 'session' },
        { detail: { count } },
      )
  })
}
