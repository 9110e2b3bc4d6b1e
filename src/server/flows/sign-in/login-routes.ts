import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { LoginBody } from '../../../contract/session.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import { extendSession, revokeDevice } from '../../kernel/auth/session-store.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import type { Database } from '../../kernel/db/database.ts'
import { audit } from '../../kernel/records/write-once.ts'
import { createSharedLimit } from '../../kernel/security/shared-limit.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { createCaptcha } from './captcha.ts'
import { login, signFor } from './login.ts'

const DEVICE = { type: 'string', minLength: 1, maxLength: 100 } as const

const LOGIN_BODY = {
  type: 'object',
  required: ['account', 'password', 'deviceId'],
  additionalProperties: false,
  properties: {
    account: { type: 'string', minLength: 1, maxLength: 64 },
    password: { type: 'string', minLength: 1, maxLength: 128 },
    agree: {},
    captcha: { type: 'string', maxLength: 10, nullable: true },
    captchaId: { type: 'string', maxLength: 64, nullable: true },
    tenantCode: { type: 'string', maxLength: 64 },
    deviceId: DEVICE,
    isPc: { type: 'boolean' },
    clientToken: { type: 'string', maxLength: 64 },
  },
} as const

/** A device on which this person was signed in before is not affected by other people behind the same address. */
function isKnownDevice(database: Database, { account, deviceId }: LoginBody): Promise<boolean> {
  const name = account.trim().toLowerCase()
  return database.system(async (trx) => {
    const { rows } = await sql`select 1 from session s join app_user u on u.id = s.user_id
      where (u.account = ${name} or u.mobile = ${name}) and s.device_id = ${deviceId} limit 1`.execute(trx)
    return rows.length > 0
  })
}

/** Signing in, signing out, and renewing tokens (DOMAIN 8.2). */
export const loginRoutes: Resource = (app, services) => {
  const { config, database, now, sessions } = services
  const perAddress = createSharedLimit(database, now, {
    name: 'login address',
    max: 30,
    keyOf: (request) => request.ip,
  })
  const perAccount = createSharedLimit(database, now, {
    name: 'login account',
    max: 10,
    keyOf: (request) => (request.body as LoginBody).account.trim().toLowerCase(),
  })
  const captchas = createSharedLimit(database, now, {
    name: 'captcha',
    max: 30,
    keyOf: (request) => request.ip,
  })

  app.post<{ Body: LoginBody }>(
    '/mini/login/validate',
    { config: { public: true }, schema: { body: LOGIN_BODY } },
    async (request) => {
      if (config.rateLimits) {
        await perAddress(request).catch(async (refusal: unknown) => {
          if (!(await isKnownDevice(database, request.body))) throw refusal
        })
        await perAccount(request as FastifyRequest)
      }
      return login(services, request)
    },
  )

  app.get<{ Querystring: { deviceId: string } }>(
    '/mini/login/captcha',
    {
      config: { public: true },
      schema: { querystring: { type: 'object', required: ['deviceId'], properties: { deviceId: DEVICE } } },
    },
    async (request) => {
      if (config.rateLimits) await captchas(request as FastifyRequest)
      return createCaptcha(database, request.query.deviceId, now())
    },
  )

  app.post('/mini/login/logout', { config: { beforePassword: true } }, async (request) => {
    const caller = callerOf(request)
    await database.system((trx) => revokeDevice(trx, caller.sessionId, 'logout', now()))
    await database.tenant(caller, (trx) =>
      audit(trx, request, { action: 'session:logout', entity: 'session' }, {}),
    )
    await sessions.changed(caller.userId)
    return null
  })

  app.post('/mini/login/refresh', { config: { beforePassword: true } }, async (request) => {
    const caller = callerOf(request)
    const isOpen = await database.system((trx) => extendSession(trx, caller.sessionId, now()))
    if (!isOpen) refuse(401, 'TOKEN_INVALID', text('session.over'))
    await sessions.changed(caller.userId)
    return signFor(services, caller.sessionId, caller.tenantId)
  })
}
