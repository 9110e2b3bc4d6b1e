import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refuseDemoAccounts } from '../../../src/server/http/seed/demo-accounts.ts'
import {
  companyFaults,
  makeCompany,
  type NewCompany,
} from '../../../src/server/http/setup/new-administrator.ts'
import { giveNewPassword } from '../../../src/server/http/setup/new-password.ts'
import { EMPTY, PEOPLE } from '../images.ts'
import { openTestApp, openTestDatabase, type TestApp } from '../support.ts'

const COMPANY: NewCompany = {
  tenant: '长河机械',
  account: 'lizhen',
  name: '李真',
  mobile: '13912345678',
  password: 'Chang-he2026',
}

describe('setup', () => {
  let server: TestApp
  beforeAll(async () => {
    server = await openTestApp({}, EMPTY)
  })
  afterAll(() => server.close())
  const signIn = (account: string, password: string) =>
    server.with(null).post('/mini/login/validate', { account, password, agree: true, deviceId: account })

  it('creates a tenant whose administrator signs in with the given password and has all rights', async () => {
    const made = await makeCompany(server.database, COMPANY)
    const { data, meta } = await signIn('lizhen', 'Chang-he2026')

    expect([made.password, meta.code]).toEqual([null, 200])
    const me = await server.with(data.token).get('/mini/user/detail')
    expect(me.data).toMatchObject({
      userInfo: { name: '李真' },
      tenant: { name: '长河机械' },
      mustChangePassword: false,
    })
    const users = await server.with(data.token).post('/engine/web/user/list', {})
    expect(users.data.list.map((row: { account: string }) => row.account)).toEqual(['lizhen'])
  })

  it('creates further tenants, and a password that must be changed if none was given', async () => {
    const other = {
      ...COMPANY,
      tenant: '长河 机械',
      account: 'wangwei',
      mobile: '13912345679',
      password: null,
    }

    const made = await makeCompany(server.database, other)

    expect(companyFaults({ ...other, password: made.password })).toEqual([])
    expect(made.code).toBe('changhejixie2')
    const { data } = await signIn('wangwei', made.password ?? '')
    expect((await server.with(data.token).get('/mini/user/detail')).data.mustChangePassword).toBe(true)
  })

  it('makes a user with a login the administrator of another tenant too: with the same password, and they choose the tenant', async () => {
    const made = await makeCompany(server.database, { ...COMPANY, tenant: '远山贸易', password: null })

    expect([made.password, made.elsewhere]).toEqual([null, ['长河机械']])
    const { data } = await signIn('lizhen', 'Chang-he2026')
    expect(data).toMatchObject({ mustChangePassword: false })
    expect(data.tenants.map((tenant: { name: string }) => tenant.name).sort()).toEqual([
      '远山贸易',
      '长河机械',
    ])
    const moved = await server.with(data.token).post('/mini/tenant/switch', { tenantId: made.tenantId })
    const users = await server.with(moved.data.token).post('/engine/web/user/list', {})
    expect(users.data.list.map((row: { account: string }) => row.account)).toEqual(['lizhen'])
  })

  it('gives a locked out user a password that must be changed, and ends their sessions', async () => {
    await makeCompany(server.database, {
      ...COMPANY,
      tenant: '江口制造',
      account: 'locked',
      mobile: '13912345699',
    })
    const before = (await signIn('locked', 'Chang-he2026')).data.token
    for (let wrong = 0; wrong < 10; wrong++) await signIn('locked', 'wrong-2026')

    const password = await giveNewPassword(server.database, ' Locked ')

    await expect.poll(async () => (await server.with(before).get('/mini/user/detail')).meta.code).toBe(401)
    expect((await signIn('locked', 'Chang-he2026')).meta.code).not.toBe(200)
    expect((await signIn('locked', password)).data).toMatchObject({ mustChangePassword: true })
    await expect(giveNewPassword(server.database, 'nobody')).rejects.toThrow('nobody signs in as nobody')
  })

  it.each([
    [
      'the tenant is there',
      { account: 'new', mobile: '13900000001' },
      'the tenant 长河机械 is there already',
    ],
    [
      'the account is of somebody else',
      { tenant: '新公司', mobile: '13900000001' },
      'somebody with another mobile',
    ],
    ['the mobile is of somebody else', { tenant: '新公司', account: 'new' }, 'signs in as lizhen'],
    ['both are, of two', { tenant: '新公司', mobile: '13912345679' }, 'are of two people'],
    ['the login has a password', { tenant: '新公司' }, 'has a password, which stays'],
  ])('creates nothing if %s', async (_, change, sentence) => {
    await expect(makeCompany(server.database, { ...COMPANY, ...change })).rejects.toThrow(sentence)
    const { rows } = await server.database.system(async (trx) => ({
      rows: await trx.selectFrom('tenant').select('name').where('name', '=', '新公司').execute(),
    }))
    expect(rows).toEqual([])
  })

  it.each([
    [{ tenant: ' ' }, '--tenant'],
    [{ account: '1x' }, '--account'],
    [{ name: '' }, '--name'],
    [{ mobile: '12345' }, '--mobile'],
    [{ password: 'short' }, 'password'],
    [{ password: 'lizhen' }, 'password'],
  ])('reports the fault of %o', (change, word) => {
    expect(companyFaults({ ...COMPANY, ...change })).toEqual([expect.stringContaining(word)])
  })
})

describe('accounts of the demo data', () => {
  it('prevent a start in production until none of them can sign in', async () => {
    const { database, drop } = await openTestDatabase(PEOPLE)

    await expect(refuseDemoAccounts(database)).rejects.toThrow(
      /^\d+ accounts of the demo data can sign in \(admin, /,
    )
    await database.system((trx) => trx.updateTable('membership').set({ status: 'disabled' }).execute())
    await expect(refuseDemoAccounts(database)).resolves.toBeUndefined()
    await drop()
  })
})
