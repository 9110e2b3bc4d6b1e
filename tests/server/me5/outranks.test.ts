import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { aCustomer } from './rows.ts'

let server: TestApp
let admin: Client
beforeAll(async () => {
  server = await openTestApp()
  admin = await server.as('admin')
})
afterAll(() => server.close())

const PERMISSIONS = ['system:user', 'system:dept', 'system:role', 'customer:view']
let count = 0
const aRole = async (scope: string, more: object = {}) =>
  (
    await admin.post('/engine/web/role/save', {
      name: `人事 ${++count}`,
      permissions: PERMISSIONS,
      scopes: { default: scope },
      ...more,
    })
  ).data.id as string
const input = (role_ids: readonly string[], more: object = {}) => ({
  account: `hr${++count}`,
  password: 'Start-2026',
  name: '曾新',
  mobile: '',
  dept_id: 'xh-sales-1',
  role_ids,
  ...more,
})
const aUser = async (roles: readonly string[], more: object = {}) =>
  (await admin.post('/engine/web/user/save', input(roles, more))).data.record
/** A new person who manages people, from 销售一部. */
async function aDeputy(role: string): Promise<Client> {
  const { account } = await aUser([role])
  const first = { account, password: 'Start-2026', agree: true, deviceId: account }
  const { token } = (await server.with(null).post('/mini/login/validate', first)).data
  const words = { newPassword: 'Own-2026-word', confirmPassword: 'Own-2026-word' }
  const change = { oldPassword: 'Start-2026', ...words }
  return server.with((await server.with(token).post('/mini/user/password', change)).data.token)
}
const codesOf = (answers: readonly { meta: { code: number } }[]) => answers.map(({ meta }) => meta.code)

describe('a user who manages people with the scope of their department and those below', () => {
  let role: string
  let self: string
  let deputy: Client
  beforeAll(async () => {
    role = await aRole('dept_sub')
    self = await aRole('self', { permissions: ['customer:view'] })
    deputy = await aDeputy(role)
  })
  const dept = (id: string, name: string, parent_id: string | null) =>
    deputy.post('/engine/web/dept/save', { id, name, parent_id })

  it('moves no department into their scope, out of it, or outside it', async () => {
    const { id } = (await deputy.post('/engine/web/dept/save', { name: '一组', parent_id: 'xh-sales-1' }))
      .data
    const inner = (await deputy.post('/engine/web/dept/save', { name: '二组', parent_id: 'xh-sales-1' })).data
    await server.database.system((trx) => aCustomer(trx, { id: 'theirs', owner: 'u-zengke' }))

    const refused = [
      await dept('xh-sales-2', '销售二部', 'xh-sales-1'),
      await dept('xh-sales-1', '销售一部', 'xh-root'),
      await dept('xh-sales-1', '销售一部', null),
      await dept(id, '一组', 'xh-sales-2'),
      await dept('xh-sales-2', '销售二部', 'xh-root'),
    ]
    const done = [await dept(id, '一组', inner.id), await dept('xh-sales-2', '销售二部', 'xh-sales')]

    expect(codesOf(refused)).toEqual(refused.map(() => 405))
    expect(refused[0]?.meta.message).toContain('数据范围')
    expect(codesOf(done)).toEqual([200, 200])
    expect((await deputy.get('/mini/customer/detail?id=theirs')).meta.code).toBe(404)
  })

  it('places nobody where they would see more: new, alone or with others', async () => {
    const { id } = await aUser([role])
    const root = { dept_id: 'xh-root' }
    const user = (await admin.get(`/engine/web/user/detail?id=${id}`)).data.record

    const refused = [
      await deputy.post('/engine/web/user/save', input([role], root)),
      await deputy.post('/engine/web/user/save', { ...user, ...root }),
      await deputy.post('/engine/web/user/place', { ids: [id], ...root }),
    ]
    const done = [
      await deputy.post('/engine/web/user/save', input([role])),
      await deputy.post('/engine/web/user/save', input([self], root)),
      await deputy.post('/engine/web/user/password', { id, password: 'Other-2026' }),
    ]

    expect(codesOf(refused)).toEqual([405, 405, 405])
    expect(codesOf(done)).toEqual([200, 200, 200])
  })

  it('does not change somebody with the same role in a department above or beside', async () => {
    for (const dept_id of ['xh-root', 'xh-sales-2']) {
      const { id } = await aUser([role], { dept_id })
      const detail = (await deputy.get(`/engine/web/user/detail?id=${id}`)).data
      const refused = [
        await deputy.post('/engine/web/user/password', { id, password: 'Other-2026' }),
        await deputy.post('/engine/web/user/save', { ...detail.record, dept_id: 'xh-sales-1' }),
        await deputy.post('/engine/web/user/status', { id, enabled: false }),
      ]
      expect(codesOf(refused), dept_id).toEqual([405, 405, 405])
      expect(detail.actions).toEqual([])
    }
  })

  it('takes no people or records of other departments into their own', async () => {
    const { id, version } = await aUser([self], { dept_id: 'xh-sales-2' })
    const mine = await aUser([self])
    const record = (await admin.get(`/engine/web/user/detail?id=${id}`)).data.record
    const refused = [
      await deputy.post('/engine/web/user/place', { ids: [id], dept_id: 'xh-sales-1' }),
      await deputy.post('/engine/web/user/save', { ...record, version, dept_id: 'xh-sales-1' }),
      await deputy.post('/engine/web/user/handover', { id, toUserId: mine.id }),
    ]
    expect(codesOf(refused)).toEqual([405, 405, 405])
    expect(
      (await deputy.post('/engine/web/user/place', { ids: [id], dept_id: 'xh-finance' })).meta.code,
    ).toBe(200)
  })

  it('makes nobody the superior of people whom they do not see', async () => {
    const chain = await aRole('self_sub', { permissions: ['customer:view'] })
    const boss = await aUser([chain])
    const stranger = await aUser([self], { dept_id: 'xh-sales-2' })
    const mine = await aUser([self])
    const under = (user: object) => deputy.post('/engine/web/user/save', { ...user, supervisor_id: boss.id })
    expect((await under(mine)).meta.code).toBe(200)
    expect((await under(stranger)).meta.code).toBe(405)
  })

  it('changes no role by which somebody elsewhere sees, or would see, more', async () => {
    const held = await aRole('self', { permissions: ['customer:view'] })
    await aUser([held], { dept_id: 'xh-sales-2' })
    const saved = (more: object) =>
      admin
        .get(`/engine/web/role/detail?id=${held}`)
        .then(({ data }) => deputy.post('/engine/web/role/save', { ...data.record, ...more }))
    expect((await saved({ name: '改名' })).meta.code).toBe(200)
    expect((await saved({ scopes: { default: 'dept' } })).meta.code).toBe(405)
    await aUser([role], { dept_id: 'xh-root' })
    const own = (await admin.get(`/engine/web/role/detail?id=${role}`)).data.record
    expect((await deputy.post('/engine/web/role/save', { ...own, name: '缩小' })).meta.code).toBe(405)
  })
})

it('a user whose scope is everything moves departments and people as before', async () => {
  const deputy = await aDeputy(await aRole('all'))
  const { id } = await aUser([await aRole('dept_sub')])
  const done = [
    await deputy.post('/engine/web/dept/save', {
      id: 'xh-sales-2',
      name: '销售二部',
      parent_id: 'xh-sales-1',
    }),
    await deputy.post('/engine/web/dept/save', { id: 'xh-sales-2', name: '销售二部', parent_id: 'xh-sales' }),
    await deputy.post('/engine/web/user/place', { ids: [id], dept_id: 'xh-root' }),
    await deputy.post('/engine/web/user/password', { id, password: 'Other-2026' }),
  ]
  expect(codesOf(done)).toEqual([200, 200, 200, 200])
})

it('a user whose scope names departments gives the scope of a department only there', async () => {
  const deputy = await aDeputy(
    await aRole('dept_custom', { custom_depts: { default: ['xh-sales-1', 'xh-sales-2'] } }),
  )
  const dept = await aRole('dept', { permissions: ['customer:view'] })
  const made = [
    await deputy.post('/engine/web/user/save', input([dept], { dept_id: 'xh-sales-2' })),
    await deputy.post('/engine/web/user/save', input([dept], { dept_id: 'xh-sales' })),
  ]
  expect(codesOf(made)).toEqual([200, 405])
})
