import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_KINDS } from '../../../src/contract/admin.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { aContract, aCustomer, anApproval } from './rows.ts'

let server: TestApp
let admin: Client
let demo: Client
let stranger: Client
beforeAll(async () => {
  server = await openTestApp()
  admin = await server.as('admin')
  demo = await server.as('demo')
  stranger = await server.as('yfadmin')
})
afterAll(() => server.close())

const audits = (action: string) =>
  server.database.system(async (trx) => {
    const { rows } = await sql<{
      user_id: string
      record_id: string
    }>`select user_id, record_id from audit_log
      where action = ${action} order by at desc`.execute(trx)
    return rows
  })

describe('administration', () => {
  it.each([...ADMIN_KINDS])('of %s is refused without its right, for every call', async (kind) => {
    const answers = [
      await demo.post(`/engine/web/${kind}/list`, {}),
      await demo.get(`/engine/web/${kind}/detail?id=x`),
      ...(kind === 'log' ? [] : [await demo.post(`/engine/web/${kind}/save`, { name: 'x' })]),
      ...(['log', 'flow', 'tenant'].includes(kind)
        ? []
        : [await demo.post(`/engine/web/${kind}/delete`, { id: 'x' })]),
    ]

    expect(answers.map((answer) => answer.meta.code)).toEqual(answers.map(() => 405))
    expect((await admin.post(`/engine/web/${kind}/list`, {})).meta.code).toBe(200)
  })

  it('reveals nothing of another tenant: its ids are not found by any call, its rows are in no list', async () => {
    const pool = await stranger.post('/engine/web/pool/save', { entity: 'customer', name: '云帆的秘密公海' })
    const dept = await stranger.post('/engine/web/dept/save', {
      name: '云帆的秘密部门',
      parent_id: 'yf-root',
    })
    const notice = await stranger.post('/engine/web/notice/save', { title: '云帆的秘密公告' })
    const role = (await stranger.post('/engine/web/role/list', {})).data.list[0].id
    const log = (await stranger.post('/engine/web/log/list', {})).data.list[0].id
    const ids = {
      user: 'u-guopeng',
      role,
      dept: dept.data.id,
      pool: pool.data.id,
      notice: notice.data.id,
      log,
    }

    for (const [kind, id] of Object.entries(ids)) {
      const answers = [
        await admin.get(`/engine/web/${kind}/detail?id=${id}`),
        ...(kind === 'log'
          ? []
          : [
              await admin.post(`/engine/web/${kind}/save`, {
                id,
                version: 1,
                name: '越权',
                title: '越权',
                permissions: [],
              }),
              await admin.post(`/engine/web/${kind}/delete`, { id }),
            ]),
        ...(kind === 'user'
          ? [
              await admin.post('/engine/web/user/status', { id, enabled: false }),
              await admin.post('/engine/web/user/password', { id, password: 'Neu-2026!x' }),
              await admin.post('/engine/web/user/handover', { id, toUserId: 'u-demo' }),
              await admin.post('/engine/web/user/handover', { id: 'u-demo', toUserId: id }),
            ]
          : []),
      ]
      expect([kind, answers.map((answer) => answer.meta.code)]).toEqual([kind, answers.map(() => 404)])
      expect((await admin.post(`/engine/web/${kind}/list`, {})).body).not.toContain('秘密')
    }
  })
})

describe('colleagues', () => {
  const aUser = (more: object = {}) => ({
    account: 'newbie',
    password: 'Start-2026',
    name: '曾新',
    mobile: '13700001111',
    dept_id: 'xh-sales-1',
    supervisor_id: 'u-manager',
    ...more,
  })
  const roleId = async (code: string) =>
    (await admin.post('/engine/web/role/list', {})).data.list.find(
      (role: { code: string }) => role.code === code,
    ).id

  it('receive a login, must change their password, and see what their role allows', async () => {
    const made = await admin.post('/engine/web/user/save', aUser({ role_ids: [await roleId('sales')] }))

    const signedIn = await server.with(null).post('/mini/login/validate', {
      account: 'newbie',
      password: 'Start-2026',
      agree: true,
      deviceId: 'd1',
    })
    expect(made.data.record).toMatchObject({ account: 'newbie', dept_name: '销售一部', role_names: '销售' })
    expect(signedIn.data.mustChangePassword).toBe(true)
    const newbie = server.with(signedIn.data.token)
    expect((await newbie.get('/mini/user/detail')).data.mustChangePassword).toBe(true)
    const changed = await newbie.post('/mini/user/password', {
      oldPassword: 'Start-2026',
      newPassword: 'Mine-2026',
      confirmPassword: 'Mine-2026',
    })
    const after = server.with(changed.data.token)
    expect((await after.get('/mini/user/detail')).data.mustChangePassword).toBe(false)
    expect((await audits('user:save'))[0]?.record_id).toBe(made.data.id)
    expect((await audits('user:password')).map((row) => row.record_id)).toEqual([made.data.id])
    const taken = await admin.post('/engine/web/user/save', aUser({ mobile: '' }))
    expect(taken.meta.error?.fields).toHaveProperty('account')
    const elsewhere = await stranger.post(
      '/engine/web/user/save',
      aUser({ dept_id: 'yf-root', supervisor_id: '', account: 'other' }),
    )
    expect(elsewhere.meta.error?.fields).toHaveProperty('mobile')
  })

  it.each([
    [{ account: 'X' }, 400],
    [{ account: 'weak', password: '123' }, 400],
    [{ account: 'nodept', dept_id: 'yf-root' }, 400],
    [{ account: 'noboss', supervisor_id: 'u-guopeng' }, 400],
    [{ account: 'norole', role_ids: ['nothing'] }, 400],
  ])('are refused with %j, and no row is left behind', async (more, code) => {
    const answer = await admin.post('/engine/web/user/save', aUser({ mobile: '', ...more }))

    expect(answer.meta.code).toBe(code)
    const { rows } = await server.database.system((trx) =>
      sql`select 1 from app_user where account in ('weak', 'nodept', 'noboss', 'norole')`.execute(trx),
    )
    expect(rows).toEqual([])
  })

  it('are created once, however often the call arrives', async () => {
    const body = { ...aUser({ account: 'twice', mobile: '' }), clientToken: 'make-twice-1' }

    const answers = await Promise.all([1, 2].map(() => admin.post('/engine/web/user/save', body)))

    expect(new Set(answers.map((answer) => answer.data.id)).size).toBe(1)
  })

  it('are signed out at once when they are disabled, and can return when they are enabled', async () => {
    const seller = await server.as('luoting')

    await admin.post('/engine/web/user/status', { id: 'u-luoting', enabled: false })
    const out = await seller.get('/mini/user/detail')
    await admin.post('/engine/web/user/status', { id: 'u-luoting', enabled: true })

    expect(out.meta).toMatchObject({ code: 403, error: { type: 'USER_DISABLED' } })
    expect((await server.as('luoting')).token).not.toBe('')
  })

  it('include at least one administrator, and cannot disable their own account', async () => {
    const { record } = (await admin.get('/engine/web/user/detail?id=u-admin')).data
    const last = await admin.post('/engine/web/user/save', { ...record, role_ids: [await roleId('sales')] })
    const self = await admin.post('/engine/web/user/status', { id: 'u-admin', enabled: false })

    expect([last.meta.code, self.meta.code]).toEqual([409, 409])
  })

  it('who manage users cannot raise their own rights, nor change users of higher rank', async () => {
    const permissions = ['system:user', 'system:role', 'customer:view']
    const made = await admin.post('/engine/web/role/save', { name: '人事', permissions })
    const user = await admin.post(
      '/engine/web/user/save',
      aUser({ account: 'hr', mobile: '', role_ids: [made.data.id] }),
    )
    const hr = server.with(
      (
        await server
          .with(null)
          .post('/mini/login/validate', { account: 'hr', password: 'Start-2026', agree: true, deviceId: 'd' })
      ).data.token,
    )
    const version = made.data.version

    const codes = [
      await hr.post('/engine/web/role/save', {
        id: made.data.id,
        version,
        name: '人事',
        permissions: [...permissions, 'contract:approve'],
      }),
      await hr.post('/engine/web/role/save', { id: made.data.id, version, name: '人事', permissions: ['*'] }),
      await hr.post('/engine/web/user/save', {
        ...user.data.record,
        role_ids: [await roleId('tenant_admin')],
      }),
      await hr.post('/engine/web/user/password', { id: 'u-admin', password: 'Mine-2026!' }),
      await hr.post('/engine/web/user/status', { id: 'u-director', enabled: false }),
    ].map((answer) => answer.meta.code)

    expect(codes).toEqual([405, 405, 405, 405, 405])
  })

  it('who manage users cannot grant or revoke wider data, more fields or a higher rank than their own', async () => {
    const permissions = ['system:user', 'system:role', 'customer:view', 'customer:edit', 'stats:self']
    const made = await admin.post('/engine/web/role/save', {
      name: '分公司人事',
      permissions,
      scopes: { default: 'dept' },
      field_rights: { customer: { mobile: 'masked' } },
    })
    const wide = await admin.post('/engine/web/role/save', {
      name: '全部客户',
      permissions: ['customer:view'],
      scopes: { default: 'all' },
    })
    const user = await admin.post(
      '/engine/web/user/save',
      aUser({ account: 'hr2', mobile: '', role_ids: [made.data.id] }),
    )
    const { data: first } = await server.with(null).post('/mini/login/validate', {
      account: 'hr2',
      password: 'Start-2026',
      agree: true,
      deviceId: 'd2',
    })
    const { data: own } = await server.with(first.token).post('/mini/user/password', {
      oldPassword: 'Start-2026',
      newPassword: 'Own-2026-word',
      confirmPassword: 'Own-2026-word',
    })
    const deputy = server.with(own.token)
    const masked = { customer: { mobile: 'masked' } }
    const role = {
      name: '新角色',
      permissions: ['customer:view'],
      scopes: { default: 'self' },
      field_rights: masked,
    }
    const save = (more: object) => deputy.post('/engine/web/role/save', { ...role, ...more })
    const elsewhere = 'xh-sales-2'

    const fine = await save({})
    const refused = [
      await save({ name: '范围', scopes: { default: 'all' } }),
      await save({ name: '范围 2', scopes: { default: 'self', customer: 'dept_sub' } }),
      await save({
        name: '部门',
        scopes: { default: 'dept_custom' },
        custom_depts: { default: [elsewhere] },
      }),
      await save({ name: '字段', field_rights: {} }),
      await save({ id: wide.data.id, version: 1, name: '缩小', permissions: [] }),
      await deputy.post('/engine/web/role/delete', { id: wide.data.id }),
      await deputy.post('/engine/web/user/save', { ...user.data.record, role_ids: [wide.data.id] }),
      await deputy.post('/engine/web/user/save', { ...user.data.record, supervisor_id: 'u-zhaolei' }),
      await deputy.post('/engine/web/user/handover', { id: 'u-director', toUserId: user.data.id }),
    ].map((answer) => answer.meta.code)

    expect(fine.meta.code).toBe(200)
    expect(refused).toEqual(refused.map(() => 405))
    const { list } = (await deputy.get('/engine/web/user/roles')).data
    const isOffered = (id: string) =>
      list.find((one: { value: string }) => one.value === id)?.disabled === false
    expect([isOffered(wide.data.id), isOffered(fine.data.id)]).toEqual([false, true])
  })

  it('are found by department with its subdepartments, as counted in the tree, and moved together', async () => {
    const tree = async () => (await admin.get('/engine/web/user/depts')).data.list
    type Dept = { id: string; people: number; children: readonly Dept[] }
    const flat = (list: readonly Dept[]): readonly Dept[] => list.flatMap((it) => [it, ...flat(it.children)])
    const listed = async (dept: string) => {
      const filters = [{ field: 'dept_path', op: 'contains', value: dept }]
      return (await admin.post('/engine/web/user/list', { filters, limit: 100 })).data.list
    }
    const depts = flat(await tree())
    for (const { id, people } of depts) expect((await listed(id)).length, id).toBe(people)
    expect(depts.length).toBeGreaterThan(4)
    const { list, rows } = (await admin.post('/engine/web/dept/list', {})).data
    expect(list).toEqual(await tree())
    const said = new Map(
      rows.map((row: { name: string; people_text: string }) => [row.name, row.people_text]),
    )
    expect([said.get('销售中心'), said.get('财务部')]).toEqual([
      expect.stringMatching(/^\d+ 人（本部门 \d+ 人）$/),
      expect.stringMatching(/^\d+ 人$/),
    ])

    const ids = ['u-zhaolei', 'u-sunyue']
    await server.database.system((trx) => aCustomer(trx, { id: 'goes-along', owner: 'u-zhaolei' }))
    const placed = await admin.post('/engine/web/user/place', { ids, dept_id: 'xh-sales-2' })
    const after = await admin.get('/mini/customer/detail?id=goes-along')

    expect(placed.data.ids).toEqual(ids)
    expect((await listed('xh-sales-2')).map((it: { id: string }) => it.id)).toEqual(
      expect.arrayContaining(ids),
    )
    expect(after.data.record.owner_dept_id).toBe('xh-sales-2')
    expect((await admin.post('/engine/web/user/place', { ids, dept_id: 'yf-root' })).meta.code).toBe(400)
    expect((await admin.post('/engine/web/user/place', { ids: [], dept_id: 'xh-sales-1' })).meta.code).toBe(
      400,
    )
    expect(
      (await admin.post('/engine/web/user/place', { ids: ['u-zhaolei', 'u-guopeng'], dept_id: 'xh-sales-1' }))
        .meta.code,
    ).toBe(404)
    expect((await listed('xh-sales-2')).map((it: { id: string }) => it.id)).toContain('u-zhaolei')
    expect((await demo.post('/engine/web/user/place', { ids, dept_id: 'xh-sales-1' })).meta.code).toBe(405)
    await admin.post('/engine/web/user/place', { ids, dept_id: 'xh-sales-1' })
  })

  it('include a user with all rights, whoever else manages users and roles', async () => {
    const permissions = ['system:user', 'system:role']
    const made = await admin.post('/engine/web/role/save', { name: '副手', permissions })
    await admin.post(
      '/engine/web/user/save',
      aUser({ account: 'deputy3', mobile: '', role_ids: [made.data.id] }),
    )
    const { list } = (await admin.post('/engine/web/role/list')).data
    const role = list.find((one: { code: string }) => one.code === 'tenant_admin')

    const emptied = await admin.post('/engine/web/role/save', { ...role, permissions: [] })
    const halved = await admin.post('/engine/web/role/save', { ...role, permissions })

    expect([emptied.meta.code, halved.meta.code]).toEqual([409, 409])
  })

  it('who also work for another tenant change their own login data themselves', async () => {
    const { record } = (await admin.get('/engine/web/user/detail?id=u-demo')).data

    const mobile = await admin.post('/engine/web/user/save', { ...record, mobile: '13955550001' })
    const email = await admin.post('/engine/web/user/save', { ...record, email: 'taken@over.cn' })
    const name = await admin.post('/engine/web/user/save', { ...record, position: '高级销售' })

    expect(mobile.meta.error?.fields).toHaveProperty('mobile')
    expect([mobile.meta.code, email.meta.code, name.meta.code]).toEqual([400, 400, 200])
    const login = await server.with(null).post('/mini/login/validate', {
      account: '13955550001',
      password: 'Crm@2026',
      agree: true,
      deviceId: 'taken',
    })
    expect(login.meta.code).toBe(400)
  })

  it('receive a new password only if they work for no other tenant', async () => {
    const both = await admin.post('/engine/web/user/password', { id: 'u-demo', password: 'Neu-2026!x' })
    const one = await admin.post('/engine/web/user/password', { id: 'u-fengqi', password: 'Neu-2026!x' })

    expect([both.meta.code, one.meta.code]).toEqual([409, 200])
    const changed = (await audits('user:password')).map((row) => row.record_id)
    expect(changed).toContain('u-fengqi')
    expect(changed).not.toContain('u-demo')
    const { rows } = await server.database.system((trx) =>
      sql<{
        detail: string
      }>`select detail::text as detail from audit_log where action = 'user:password'`.execute(trx),
    )
    expect(JSON.stringify(rows)).not.toContain('Neu-2026!x')
  })
})

describe('a colleague who leaves', () => {
  it('hands over records, to-dos and running approvals before the account is removed', async () => {
    const xiejing = await server.as('xiejing')
    await server.database.system(async (trx) => {
      for (let i = 0; i < 3; i++) await aCustomer(trx, { id: `h${i}`, owner: 'u-xiejing' })
      await aContract(trx, { id: 'hk', customer: 'h0', owner: 'u-xiejing' })
      await aContract(trx, { id: 'hk2', customer: 'h0', owner: 'u-demo', status: 1 })
      await anApproval(trx, { id: 'ha', record: 'hk2', waiting: ['u-xiejing'] })
    })
    await xiejing.post('/mini/todo/create', { title: '收尾', due_at: '2026-03-20' })

    const early = await admin.post('/engine/web/user/delete', { id: 'u-xiejing' })
    const handed = await admin.post('/engine/web/user/handover', { id: 'u-xiejing', toUserId: 'u-director' })
    const { holdings } = (await admin.get('/engine/web/user/detail?id=u-xiejing')).data
    const left = await admin.post('/engine/web/user/delete', { id: 'u-xiejing' })

    expect(early.meta).toMatchObject({ code: 422, error: { type: 'REFERENCED' } })
    expect(early.data).toMatchObject({ customer: 3, contract: 1, todo: 1, approval: 1 })
    expect(handed.data).toMatchObject({
      stuckApprovals: 0,
      moved: { customer: 3, contract: 1, todo: 1, approval: 1 },
    })
    expect(Object.values(holdings)).toEqual(Object.values(holdings).map(() => 0))
    expect(left.data.status).toBe('left')
    expect((await xiejing.get('/mini/user/detail')).meta.code).toBe(403)
    const director = await server.as('director')
    expect(
      (await director.post('/mini/approval/list', { tab: 'todo' })).data.list.map(
        (row: { id: string }) => row.id,
      ),
    ).toEqual(['ha'])
    expect(
      (await director.post('/mini/todo/list', {})).data.list.map((row: { title: string }) => row.title),
    ).toContain('收尾')
    const { rows } = await server.database.system((trx) =>
      sql<{
        n: number
      }>`select count(*) as n from owner_record where kind = 'resign' and from_user = 'u-xiejing'
        and to_user = 'u-director'`.execute(trx),
    )
    expect(rows[0]?.n).toBe(3)
  })
})

describe('departments', () => {
  it('move with their subdepartments, never into themselves, and change what users see', async () => {
    const a = (await admin.post('/engine/web/dept/save', { name: '华东', parent_id: 'xh-root' })).data.id
    const b = (await admin.post('/engine/web/dept/save', { name: '上海', parent_id: a })).data.id

    const circle = await admin.post('/engine/web/dept/save', { id: a, name: '华东', parent_id: b })
    const same = await admin.post('/engine/web/dept/save', { name: '华东', parent_id: 'xh-root' })
    await admin.post('/engine/web/dept/save', { id: a, name: '华东', parent_id: 'xh-sales' })
    const { rows } = await server.database.system((trx) =>
      sql<{ path: string }>`select path from department where id = ${b}`.execute(trx),
    )
    const used = await admin.post('/engine/web/dept/delete', { id: a })
    const gone = [
      await admin.post('/engine/web/dept/delete', { id: b }),
      await admin.post('/engine/web/dept/delete', { id: a }),
    ]

    expect(circle.meta.error?.fields).toHaveProperty('parent_id')
    expect(same.meta.error?.fields).toHaveProperty('name')
    expect(rows[0]?.path).toBe(`xh-root/xh-sales/${a}/${b}/`)
    expect(used.meta.code).toBe(422)
    expect(gone.map((answer) => answer.meta.code)).toEqual([200, 200])
  })
})

describe('roles, dictionaries, menus, pools, flows', () => {
  it('refuse to delete roles that are in use, and to overwrite with old versions', async () => {
    const sales = (await admin.post('/engine/web/role/list', {})).data.list.find(
      (role: { code: string }) => role.code === 'sales',
    )

    const used = await admin.post('/engine/web/role/delete', { id: sales.id })
    const late = await admin.post('/engine/web/role/save', { ...sales, version: sales.version - 1 })
    const wrong = await admin.post('/engine/web/role/save', { ...sales, scopes: { customer: 'galaxy' } })
    const made = await admin.post('/engine/web/role/save', {
      name: '临时',
      permissions: ['customer:view'],
      scopes: { default: 'self' },
    })
    const gone = await admin.post('/engine/web/role/delete', { id: made.data.id })

    expect([used, late, wrong, made, gone].map((answer) => answer.meta.code)).toEqual([
      422, 409, 400, 200, 200,
    ])
  })

  it('apply a changed role from the next call', async () => {
    const observer = await admin.post('/engine/web/role/save', {
      name: '看客',
      permissions: ['customer:view'],
    })
    const { record } = (await admin.get('/engine/web/user/detail?id=u-yuanmei')).data
    await admin.post('/engine/web/user/save', { ...record, role_ids: [observer.data.id] })
    const person = await server.as('yuanmei')

    const before = await person.post('/engine/web/dict/list', {})
    await admin.post('/engine/web/role/save', {
      ...observer.data.record,
      permissions: ['customer:view', 'system:dict'],
    })

    expect(before.meta.code).toBe(405)
    expect((await person.post('/engine/web/dict/list', {})).meta.code).toBe(200)
  })

  it('keep the code of dictionary values, disable used ones, and reach the client', async () => {
    await server.database.system((trx) => sql`update customer set level = 'A'`.execute(trx))
    const { record } = (await admin.get('/engine/web/dict/detail?id=customer_level')).data
    const items = record.items.map((item: { value: string }) =>
      item.value === 'A' ? { ...item, label: '星标级' } : item,
    )

    await admin.post('/engine/web/dict/save', {
      id: 'customer_level',
      items: [...items, { value: 'E', label: '沉睡' }],
    })
    const used = await admin.post('/engine/web/dict/delete', { id: 'customer_level', values: ['A'] })
    const free = await admin.post('/engine/web/dict/delete', { id: 'customer_level', values: ['E'] })
    const system = await admin.post('/engine/web/dict/save', {
      id: 'approval_status',
      items: [{ value: '9', label: '新' }],
    })

    const seen = (await demo.get('/engine/web/dict/list?keys=customer_level')).data.customer_level
    expect(seen.find((item: { value: string }) => item.value === 'A').label).toBe('星标级')
    expect([used.meta.code, free.meta.code, system.meta.code]).toEqual([422, 200, 409])
    expect((await stranger.get('/engine/web/dict/list?keys=customer_level')).body).not.toContain('星标级')
  })

  it('hide and add menus for everybody; the product’s own menus stay', async () => {
    const { record } = (await admin.get('/engine/web/menu/detail?id=150')).data
    await admin.post('/engine/web/menu/save', { ...record, hide: 1 })
    const added = await admin.post('/engine/web/menu/save', {
      title: '帮助',
      path: '/pages/my/about',
      slot: ['common'],
    })

    const menus = (await demo.get('/mini/user/detail')).data.authorities.map(
      (menu: { title: string }) => menu.title,
    )
    const bad = await admin.post('/engine/web/menu/save', { title: '坏', path: 'javascript:alert(1)' })
    const own = await admin.post('/engine/web/menu/delete', { id: 150 })
    const gone = await admin.post('/engine/web/menu/delete', { id: added.data.id })

    expect(menus).toContain('帮助')
    expect(menus).not.toContain('产品')
    expect([bad.meta.code, own.meta.code, gone.meta.code]).toEqual([400, 409, 200])
  })

  it('keep one pool of each kind enabled and one the default', async () => {
    const one = await admin.post('/engine/web/pool/save', {
      entity: 'lead',
      name: '线索池一',
      member_all: true,
      is_default: true,
    })
    const two = await admin.post('/engine/web/pool/save', {
      entity: 'lead',
      name: '线索池二',
      is_default: true,
      admin_user_ids: ['u-director'],
    })
    const stranger = await admin.post('/engine/web/pool/save', {
      entity: 'lead',
      name: '线索池三',
      member_user_ids: ['u-guopeng'],
    })

    const defaults = (await admin.post('/engine/web/pool/list', { entity: 'lead' })).data.list.filter(
      (pool: { is_default: boolean }) => pool.is_default,
    )
    const first = await admin.post('/engine/web/pool/delete', { id: one.data.id })
    const codes: number[] = []
    for (const { id, version } of (await admin.post('/engine/web/pool/list', { entity: 'lead' })).data.list)
      codes.push((await admin.post('/engine/web/pool/save', { id, version, enabled: false })).meta.code)

    expect(defaults.map((pool: { name: string }) => pool.name)).toEqual(['线索池二'])
    expect([stranger.meta.code, first.meta.code, two.meta.code]).toEqual([400, 200, 200])
    expect(codes.at(-1)).toBe(409)
  })

  it('are read and written: flows', async () => {
    const { record } = (await admin.get('/engine/web/flow/detail?id=contract')).data

    const saved = await admin.post('/engine/web/flow/save', {
      ...record,
      steps: [{ kind: 'role', value: 'finance', mode: 'any' }],
    })

    expect(saved.meta.code).toBe(200)
    expect((await admin.post('/engine/web/flow/list', {})).data.list[0].steps).toEqual([
      { kind: 'role', value: 'finance', mode: 'any' },
    ])
    expect((await stranger.post('/engine/web/flow/list', {})).data.list[0].steps).toHaveLength(2)
  })
})

describe('announcements', () => {
  it('reach the users of their departments once, are on the home page, and can be withdrawn', async () => {
    const draft = await admin.post('/engine/web/notice/save', {
      title: '放假通知',
      content: '清明放假三天',
      dept_ids: ['xh-sales'],
    })
    const { record } = draft.data

    await admin.post('/engine/web/notice/save', {
      ...body(record),
      id: draft.data.id,
      version: 1,
      publish: true,
    })
    const again = await admin.post('/engine/web/notice/save', {
      ...body(record),
      id: draft.data.id,
      version: 2,
      publish: true,
    })

    const read = async (client: Client) =>
      (await client.post('/mini/message/list', { tab: 'notice' })).data.list.map(
        (row: { title: string }) => row.title,
      )
    const finance = await server.as('finance')
    expect(again.meta.code).toBe(409)
    expect(await read(demo)).toEqual(['放假通知'])
    expect(await read(finance)).toEqual([])
    expect(
      (await demo.get('/mini/home/overview')).data.notices.map((it: { title: string }) => it.title),
    ).toEqual(['放假通知'])
    expect((await finance.get('/mini/home/overview')).data.notices).toEqual([])
    await admin.post('/engine/web/notice/delete', { id: draft.data.id })
    expect((await demo.get('/mini/home/overview')).data.notices).toEqual([])
  })
})

describe('the audit log', () => {
  it('has every write of an administrator, with user and details, and cannot be changed', async () => {
    const { list } = (await admin.post('/engine/web/log/list', { tab: 'admin', limit: 100 })).data
    const actions = new Set(list.map((row: { action: string }) => row.action))

    for (const action of [
      'user:save',
      'user:handover',
      'role:save',
      'dept:save',
      'dict:save',
      'menu:save',
      'pool:save',
      'flow:save',
      'notice:save',
    ])
      expect(actions).toContain(action)
    expect(list.every((row: { user_id: string }) => row.user_id === 'u-admin' || row.user_id !== null)).toBe(
      true,
    )
    const detail = (await admin.get(`/engine/web/log/detail?id=${list[0].id}`)).data
    expect(detail).toHaveProperty('changes')
    const change = server.database.tenant({ tenantId: 'xinghai', userId: 'u-admin' }, (trx) =>
      sql`update audit_log set action = 'nothing'`.execute(trx),
    )
    await expect(change).rejects.toThrow(/permission denied/)
  })

  it('of exports and reveals can be filtered by user and by record', async () => {
    await server.database.system((trx) =>
      sql`insert into audit_log (tenant_id, id, user_id, action, entity, record_id) values
        ('xinghai', 'by-demo', 'u-demo', 'customer:reveal', 'customer', 'c1'),
        ('xinghai', 'by-manager', 'u-manager', 'customer:reveal', 'customer', 'c2'),
        ('xinghai', 'of-list', 'u-manager', 'customer:export', 'customer', null)`.execute(trx),
    )
    const narrowed = async (body: Record<string, unknown>) => {
      const { list } = (await admin.post('/engine/web/log/list', { tab: 'export', ...body } as never)).data
      return list.map((row: { id: string }) => row.id)
    }

    expect(await narrowed({ filters: [{ field: 'user_id', op: 'eq', value: 'u-demo' }] })).toEqual([
      'by-demo',
    ])
    expect(await narrowed({ keyword: 'c2' })).toEqual(['by-manager'])
    const counted = await admin.post('/engine/web/log/list', { keyword: 'c2', withTabs: true })
    expect(counted.data.tabs).toMatchObject({ all: 1, export: 1 })
  })
})

function body({ title, content, dept_ids }: { title: string; content: string; dept_ids: string[] }) {
  return { title, content, dept_ids }
}
