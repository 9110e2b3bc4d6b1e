import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cleanLogins } from '../../../src/server/flows/jobs/cleaning.ts'
import { createSessions } from '../../../src/server/kernel/auth/sessions.ts'
import { newId } from '../../../src/server/kernel/db/id.ts'
import { openTestApp, type TestApp } from '../support.ts'

let server: TestApp
beforeAll(async () => {
  server = await openTestApp()
})
afterAll(() => server.close())

const HOUR = 3_600_000
const body = (more: object = {}) => ({
  account: 'demo',
  password: 'Crm@2026',
  agree: true,
  deviceId: newId(),
  ...more,
})
const login = (more: object = {}) => server.with(null).post('/mini/login/validate', body(more))

describe('signing in', () => {
  it('returns a token that opens the user detail', async () => {
    const answer = await login()

    expect(answer.status).toBe(200)
    expect(answer.data).toMatchObject({ tenantId: 'xinghai', mustChangePassword: false })
    expect(answer.data.tenants.map((tenant: { name: string }) => tenant.name)).toEqual([
      '星海科技',
      '云帆贸易',
    ])
    const detail = await server.with(answer.data.token).get('/mini/user/detail')
    expect(detail.data.userInfo).toMatchObject({ id: 'u-demo', name: '李明轩', dept: '销售一部' })
    expect(detail.data.selected).toEqual({
      shortcut: [200, 201, 203],
      common: [100, 110, 111, 101, 120, 150],
      bottom: [100, 120, 160],
    })
    expect(detail.data.permissions).toContain('customer:add')
    expect(detail.data.permissions).not.toContain('customer:export')
  })

  it('accepts the token raw and as Bearer', async () => {
    const { token } = (await login()).data

    const raw = await server.with(token).get('/mini/user/detail')
    const bearer = await server.with(`Bearer ${token}`).get('/mini/user/detail')

    expect([raw.meta.code, bearer.meta.code]).toEqual([200, 200])
  })

  it('stores the rights of users with the same roles once', async () => {
    const sessions = await createSessions(server.database, {
      now: () => server.clock.now,
      shipped: () => [],
      operators: new Set(),
    })
    const [one, other, manager] = await Promise.all(
      ['zhaolei', 'sunyue', 'manager'].map((account) => sessions.person(`u-${account}`, 'xinghai')),
    )
    await sessions.close()

    expect(other?.permissions).toBe(one?.permissions)
    expect(other?.tenant).toBe(one?.tenant)
    expect(other?.tenant.settings).toBeTypeOf('object')
    expect(other?.userId).toBe('u-sunyue')
    expect(manager?.permissions).not.toEqual(one?.permissions)
  })

  it('carries the claims of the specification in the token', async () => {
    const { token, expiresAt } = (await login()).data

    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ uid: 'u-demo', tid: 'xinghai', role: ['sales'] })
    expect(claims.permission).toContain('customer:view')
    expect(Object.keys(claims).sort()).toEqual(['exp', 'permission', 'role', 'sid', 'tid', 'uid', 'ver'])
    expect(expiresAt - server.clock.now).toBe(12 * HOUR)
  })

  it('works with the mobile number and with the name of a tenant', async () => {
    const byMobile = await login({ account: '13800000004' })
    const elsewhere = await login({ tenantCode: 'yunfan' })
    await login({ tenantCode: 'xinghai' })

    expect(byMobile.data.tenantId).toBe('xinghai')
    expect(elsewhere.data.tenantId).toBe('yunfan')
  })

  it.each([undefined, false, 'yes', null])('is refused without consent to the terms (%s)', async (agree) => {
    const answer = await login({ agree })

    expect(answer.meta.error?.fields).toHaveProperty('agree')
  })

  it('has the same error for a wrong password and an unknown account', async () => {
    const wrong = await login({ account: 'zhaolei', password: 'x' })
    const unknown = await login({ account: 'nobody-here', password: 'x' })

    expect(wrong.meta).toEqual(unknown.meta)
    expect(wrong.meta).toMatchObject({
      code: 400,
      message: '账号或密码错误',
      error: { type: 'LOGIN_FAILED' },
    })
  })

  it('needs a captcha from the third failure on and locks the account at the fifth', async () => {
    const fail = (more: object = {}) =>
      login({ account: 'sunyue', password: 'wrong', deviceId: 'd1', ...more })
    const captcha = async () => {
      const { data } = await server.with(null).get('/mini/login/captcha?deviceId=d1')
      const row = await server.database.system((trx) =>
        trx.selectFrom('captcha').select('answer').where('id', '=', data.captchaId).executeTakeFirstOrThrow(),
      )
      expect(data.image).toMatch(/^data:image\/svg\+xml;base64,/)
      expect(Buffer.from(data.image.split(',')[1], 'base64').toString()).not.toContain(row.answer)
      return { captchaId: data.captchaId, captcha: row.answer }
    }

    const types = [
      (await fail()).meta.error?.type,
      (await fail()).meta.error?.type,
      (await fail()).meta.error?.type,
    ]
    const withoutCaptcha = await fail({ password: 'Crm@2026' })
    const wrongCaptcha = await fail({ password: 'Crm@2026', ...(await captcha()), captcha: 'nope' })
    const fourth = await fail(await captcha())
    const fifth = await fail(await captcha())
    const rightButResting = await fail({ password: 'Crm@2026', ...(await captcha()) })

    expect(types).toEqual(['LOGIN_FAILED', 'LOGIN_FAILED', 'CAPTCHA_REQUIRED'])
    expect(withoutCaptcha.meta.error?.type).toBe('CAPTCHA_REQUIRED')
    expect(wrongCaptcha.meta.error?.type).toBe('CAPTCHA_REQUIRED')
    expect(fourth.meta.message).toBe('账号或密码错误')
    expect(fifth.meta.message).toContain('15 分钟')
    expect(rightButResting.meta.message).toContain('15 分钟')
    server.clock.now += 15 * 60_000
    expect((await fail({ password: 'Crm@2026' })).meta.code).toBe(200)
  })

  it('locks no account for longer if the clock is set back meanwhile', async () => {
    const fail = (more: object = {}) =>
      login({ account: 'sunyue', password: 'wrong', deviceId: 'd2', ...more })
    await Promise.all(Array.from({ length: 6 }, () => fail()))
    await server.database.system((trx) =>
      trx
        .updateTable('login_failure')
        .set({ count: 5, locked_until: new Date(server.clock.now + 15 * 60_000) })
        .where('account', '=', 'sunyue')
        .execute(),
    )
    const resting = await fail({ password: 'Crm@2026' })

    server.clock.now -= HOUR
    const back = await fail({ password: 'Crm@2026' })
    server.clock.now += HOUR

    expect(resting.meta.message).toContain('15 分钟')
    expect(back.meta.code).toBe(200)
  })

  it('counts parallel guesses one by one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => login({ account: 'huangjie', password: `guess ${index}` })),
    )

    const looked = answers.filter((answer) => answer.meta.message === '账号或密码错误')
    expect(looked).toHaveLength(3)
  })

  it('counts guesses by account and by mobile number together, and logs them', async () => {
    const { rows } = await server.database.system((trx) =>
      sql<{ account: string; mobile: string }>`select account, mobile from app_user
        where mobile is not null and account <> 'demo' order by account desc limit 1`.execute(trx),
    )
    const { account: name = '', mobile = '' } = rows[0] ?? {}
    const written = () =>
      server.database.system(async (trx) => {
        const found = await sql`select 1 from audit_log l join app_user u on u.id = l.user_id
          where l.action = 'session:failed' and u.account = ${name} and l.address <> ''`.execute(trx)
        return found.rows.length
      })
    const before = await written()
    const types: unknown[] = []
    for (const account of [name, mobile, name.toUpperCase(), mobile])
      types.push((await login({ account, password: 'x' })).meta.error?.type)

    expect(types).toEqual(['LOGIN_FAILED', 'LOGIN_FAILED', 'CAPTCHA_REQUIRED', 'CAPTCHA_REQUIRED'])
    await vi.waitFor(async () => expect(await written()).toBe(before + 3))
  })

  it('deletes old captchas, failures and sessions', async () => {
    const count = async (table: 'captcha' | 'login_failure' | 'session') => {
      const { rows } = await server.database.system((trx) =>
        sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(trx),
      )
      return rows[0]?.n
    }
    await server.with(null).get('/mini/login/captcha?deviceId=left')
    await login({ account: 'nobody-there', password: 'x' })
    const before = await count('session')

    await cleanLogins(server.database, server.clock.now)
    const soon = [await count('captcha'), await count('session')]
    await cleanLogins(server.database, server.clock.now + 200 * 24 * HOUR)

    expect(soon).toEqual([1, before])
    expect([await count('captcha'), await count('login_failure'), await count('session')]).toEqual([0, 0, 0])
  })

  it('forgets failures after a success', async () => {
    await login({ account: 'liufang', password: 'x' })
    await login({ account: 'liufang', password: 'x' })
    await login({ account: 'liufang' })

    const answer = await login({ account: 'liufang', password: 'x' })

    expect(answer.meta.error?.type).toBe('LOGIN_FAILED')
  })
})

describe('a session', () => {
  it.each([
    ['no token', null, 'TOKEN_INVALID'],
    ['nonsense', 'nonsense', 'TOKEN_INVALID'],
    ['a token without signature', 'eyJhbGciOiJub25lIn0.eyJ1aWQiOiJ1LWRlbW8ifQ.', 'TOKEN_INVALID'],
  ])('is refused with 401 for %s', async (_, token, type) => {
    const answer = await server.with(token).get('/mini/user/detail')

    expect(answer.status).toBe(200)
    expect(answer.meta).toMatchObject({ code: 401, error: { type } })
  })

  it('ends after twelve hours, and is renewed while in use', async () => {
    const idle = await server.as('demo')
    const used = await server.as('demo')
    server.clock.now += 7 * HOUR
    const renewed = (await used.get('/mini/user/detail')).headers['x-auth-token']

    server.clock.now += 6 * HOUR

    expect((await idle.get('/mini/user/detail')).meta.error?.type).toBe('TOKEN_EXPIRED')
    expect((await server.with(String(renewed)).get('/mini/user/detail')).meta.code).toBe(200)
  })

  it('is renewed on request', async () => {
    const client = await server.as('demo')
    server.clock.now += HOUR

    const { data } = await client.post('/mini/login/refresh')

    expect(data.expiresAt - server.clock.now).toBe(12 * HOUR)
    expect((await server.with(data.token).get('/mini/user/detail')).meta.code).toBe(200)
  })

  it('ends at once after signing out', async () => {
    const client = await server.as('demo')
    await client.post('/mini/login/logout')

    expect((await client.get('/mini/user/detail')).meta).toMatchObject({ code: 401 })
  })

  it('ends the oldest of more than three devices', async () => {
    const first = await server.as('zengke', 'phone-1')
    await server.as('zengke', 'phone-2')
    const third = await server.as('zengke', 'phone-3')
    await server.as('zengke', 'phone-4')

    expect((await first.get('/mini/user/detail')).meta).toMatchObject({
      code: 401,
      message: '账号已在其他设备登录，请重新登录',
      error: { type: 'KICKED' },
    })
    expect((await third.get('/mini/user/detail')).meta.code).toBe(200)
  })

  it('replaces the session of the same device when it signs in again, and ends no other', async () => {
    const other = await server.as('xiejing', 'phone-1')
    for (let time = 0; time < 5; time++) await server.as('xiejing', 'phone-2')

    expect((await other.get('/mini/user/detail')).meta.code).toBe(200)
  })

  it.each([
    [402, 'TENANT_EXPIRED', 'tenant', { expire_at: new Date('2026-01-01') }, { expire_at: null }],
    [402, 'TENANT_DISABLED', 'tenant', { status: 'disabled' }, { status: 'normal' }],
    [403, 'USER_DISABLED', 'membership', { status: 'disabled' }, { status: 'enabled' }],
    [403, 'MEMBERSHIP_REMOVED', 'membership', { status: 'left' }, { status: 'enabled' }],
  ] as const)('answers %i %s to the ended device', async (code, type, table, change, back) => {
    const client = await server.as('blank')
    const set = (values: object) =>
      server.database.system((trx) =>
        table === 'tenant'
          ? trx.updateTable('tenant').set(values).where('id', '=', 'kongbai').execute()
          : trx.updateTable('membership').set(values).where('user_id', '=', 'u-blank').execute(),
      )
    await set(change)
    server.clock.now += 6000

    const answer = await client.get('/mini/user/detail')

    await set(back)
    expect(answer.meta).toMatchObject({ code, error: { type } })
  })

  it('of an expired tenant cannot be opened, and a message explains it', async () => {
    await server.database.system((trx) =>
      trx.updateTable('tenant').set({ status: 'expired' }).where('id', '=', 'kongbai').execute(),
    )

    const answer = await login({ account: 'blank' })

    expect(answer.meta).toMatchObject({ code: 400, message: '企业已到期，请联系管理员' })
    await server.database.system((trx) =>
      trx.updateTable('tenant').set({ status: 'normal' }).where('id', '=', 'kongbai').execute(),
    )
  })

  it('notices changed rights and tells the client to read them again', async () => {
    const client = await server.as('wuyong')
    await server.database.system(async (trx) => {
      const role = await trx
        .selectFrom('role')
        .select('id')
        .where('tenant_id', '=', 'xinghai')
        .where('code', '=', 'sales')
        .executeTakeFirstOrThrow()
      await trx
        .insertInto('role_assignment')
        .values({ tenant_id: 'xinghai', user_id: 'u-wuyong', role_id: role.id })
        .execute()
    })
    server.clock.now += 6000

    const answer = await client.get('/mini/user/detail')

    expect(answer.headers['x-auth-refresh']).toBe('1')
    expect(answer.data.permissions).toContain('customer:add')
  })
})

describe('switching the tenant', () => {
  it('returns a token for the other tenant; running calls can still finish', async () => {
    const client = await server.as('demo')
    await client.post('/mini/tenant/switch', { tenantId: 'xinghai' })

    const { data } = await client.post('/mini/tenant/switch', { tenantId: 'yunfan' })

    const there = server.with(data.token)
    expect((await there.get('/mini/user/detail')).data.tenant.name).toBe('云帆贸易')
    expect((await client.get('/mini/user/detail')).meta.code).toBe(200)
    const list = await there.get('/mini/tenant/list')
    expect(list.data.find((tenant: { current: boolean }) => tenant.current).id).toBe('yunfan')
    await there.post('/mini/tenant/switch', { tenantId: 'xinghai' })
  })

  it('leaves an old token that is never renewed, is no separate device, and ends with its successor', async () => {
    const before = await server.as('demo')
    const devices = async (client: typeof before) =>
      (await client.get('/mini/user/session/list')).data.list.length
    const count = await devices(before)
    const switched = await before.post('/mini/tenant/switch', { tenantId: 'yunfan' })
    const after = server.with(switched.data.token)

    const refreshed = await before.post('/mini/login/refresh')
    const countAfter = await devices(after)
    await after.post('/mini/login/logout')
    const late = await before.get('/mini/user/detail')

    expect([refreshed.meta.code, late.meta.code]).toEqual([401, 401])
    expect(countAfter).toBe(count)
  })

  it('does not extend the old token when it is used', async () => {
    const begun = server.clock.now
    const before = await server.as('demo')
    server.clock.now += 7 * HOUR
    await before.post('/mini/tenant/switch', { tenantId: 'yunfan' })

    const used = await before.get('/mini/user/detail')
    server.clock.now += 61_000
    const late = await before.get('/mini/user/detail')
    server.clock.now = begun

    expect(used.headers['x-auth-token']).toBeUndefined()
    expect([used.meta.code, late.meta.code]).toEqual([200, 401])
  })

  it('refuses tenants that the user does not belong to', async () => {
    const client = await server.as('demo')

    expect((await client.post('/mini/tenant/switch', { tenantId: 'kongbai' })).meta.code).toBe(404)
  })

  it('shows each tenant its own dictionary labels', async () => {
    const here = await server.as('demo')
    const there = server.with((await here.post('/mini/tenant/switch', { tenantId: 'yunfan' })).data.token)

    const label = async (client: typeof here) =>
      (await client.get('/engine/web/dict/list')).data.customer_level[0].label

    expect([await label(here), await label(there)]).toEqual(['重点客户', '战略客户'])
    await there.post('/mini/tenant/switch', { tenantId: 'xinghai' })
  })
})

describe('changing the password', () => {
  it('limits guesses of the old password, however fast, without affecting sign-in', async () => {
    const stolen = await server.as('fengqi')
    const guess = (oldPassword: string) =>
      stolen.post('/mini/user/password', {
        oldPassword,
        newPassword: 'New@2026x',
        confirmPassword: 'New@2026x',
      })

    await Promise.all(Array.from({ length: 8 }, (_, at) => guess(`guess ${at}`)))
    const right = await guess('Crm@2026')
    const signedIn = await login({ account: 'fengqi' })
    server.clock.now += 16 * 60_000
    const later = await guess('Crm@2026')

    expect(right.meta).toMatchObject({ code: 400, message: '旧密码多次输入错误，请 15 分钟后再试' })
    expect(signedIn.meta.code).toBe(200)
    expect(later.meta.code).toBe(200)
  })

  it('ends the other sessions, keeps this one, and refuses the last three passwords', async () => {
    const here = await server.as('zhaming')
    const elsewhere = await server.as('zhaming')
    const change = (oldPassword: string, newPassword: string, confirmPassword = newPassword) =>
      here.post('/mini/user/password', { oldPassword, newPassword, confirmPassword })

    expect((await change('wrong', 'New@2026x')).meta.error?.fields).toHaveProperty('oldPassword')
    expect((await change('Crm@2026', 'New@2026x', 'other')).meta.error?.fields).toHaveProperty(
      'confirmPassword',
    )
    expect((await change('Crm@2026', 'aaaaaaaa')).meta.error?.fields).toHaveProperty('newPassword')
    expect((await change('Crm@2026', 'Crm@2026')).meta.error?.fields).toHaveProperty('newPassword')
    const done = await change('Crm@2026', 'New@2026x')
    const reused = await change('New@2026x', 'Crm@2026')

    expect(done.meta.code).toBe(200)
    expect((await server.with(done.data.token).get('/mini/user/detail')).meta.code).toBe(200)
    expect((await elsewhere.get('/mini/user/detail')).meta.code).toBe(401)
    expect(reused.meta.error?.fields).toHaveProperty('newPassword')
  })
})

describe('menus', () => {
  it('are those that the user may use', async () => {
    const finance = await server.as('finance')

    const { data } = await finance.get('/mini/user/detail')

    const ids = data.authorities.map((menu: { id: number }) => menu.id)
    expect(ids).toContain(130)
    expect(ids).not.toContain(110)
    expect(data.selected.shortcut.every((id: number) => ids.includes(id))).toBe(true)
  })

  it('are saved within their limits', async () => {
    const client = await server.as('tangwei')
    const save = (shortcut: number[], common: number[], bottom: number[]) =>
      client.post('/mini/user/menu/save', { shortcut, common, bottom })

    const refused = [
      await save([200], [100, 110, 111, 101], []),
      await save([200, 201], [100, 110, 111], []),
      await save([200, 201], [100, 110, 111, 101], [100, 110, 111, 101]),
      await save([200, 200], [100, 110, 111, 101], []),
      await save([200, 999], [100, 110, 111, 101], []),
    ]
    const saved = await save([200, 206], [100, 110, 111, 101], [])

    expect(refused.map((answer) => answer.meta.code)).toEqual([400, 400, 400, 400, 400])
    expect(saved.data).toEqual({ shortcut: [200, 206], common: [100, 110, 111, 101], bottom: [] })
    expect((await client.get('/mini/user/detail')).data.selected).toEqual(saved.data)
  })
})

describe('limits', () => {
  it('of an address never block a device on which the user was signed in before', async () => {
    const limited = await openTestApp({ RATE_LIMITS: 'on' })
    await limited.as('demo', 'my-phone')
    const others = Array.from({ length: 30 }, (_, time) =>
      limited.with(null).post('/mini/login/validate', body({ account: `x${time}`, agree: false })),
    )
    await Promise.all(others)

    const signIn = async (deviceId: string) => {
      const own = body({ account: 'demo', password: 'Crm@2026', deviceId })
      return (await limited.with(null).post('/mini/login/validate', own)).meta.code
    }
    const codes = [await signIn('some-phone'), await signIn('my-phone')]
    await limited.close()

    expect(codes).toEqual([429, 200])
  })

  it('count each address behind a trusted proxy, whose request id is kept', async () => {
    const behind = await openTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' })
    const from = (address: string, id = '') =>
      behind.app.inject({
        method: 'POST',
        url: '/mini/login/validate',
        headers: { 'x-forwarded-for': `6.6.6.6, ${address}`, 'x-request-id': id },
        payload: body({ account: address, agree: false }),
      })
    for (let time = 0; time < 30; time += 1) await from('203.0.113.7')

    const answers = [
      await from('203.0.113.7'),
      await from('203.0.113.8', 'proxy-1'),
      await from('203.0.113.8', 'a b'),
    ]
    await behind.close()

    expect(answers.map((answer) => answer.json().meta.code)).toEqual([429, 400, 400])
    expect(answers[1]?.headers['x-request-id']).toBe('proxy-1')
    expect(answers[2]?.headers['x-request-id']).not.toBe('a b')
  })

  it('refuse the eleventh attempt for one account within a minute', async () => {
    const limited = await openTestApp({ RATE_LIMITS: 'on' })
    const codes: number[] = []
    for (let time = 0; time < 11; time++) {
      const answer = await limited
        .with(null)
        .post('/mini/login/validate', body({ account: 'x', password: 'y' }))
      codes.push(answer.meta.code)
    }
    limited.clock.now -= HOUR
    const back = await limited.with(null).post('/mini/login/validate', body({ account: 'x', password: 'y' }))
    await limited.close()

    expect(codes.slice(0, 10)).not.toContain(429)
    expect([codes[10], back.meta.code]).toEqual([429, 400])
  })
})
