import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MENU_LIMITS } from '../../../src/contract/session.ts'
import { DEMO_PASSWORD } from '../../../src/server/http/seed/accounts.ts'
import { knownFile } from '../sheets/finished-job.ts'
import { openTestApp, type TestApp } from '../support.ts'

let server: TestApp
beforeAll(async () => {
  server = await openTestApp()
})
afterAll(() => server.close())

describe('home', () => {
  it('opens with the team for users who own no counted record and may see more', async () => {
    const scopeOf = async (account: string) =>
      (await (await server.as(account)).get('/mini/user/detail')).data.userInfo.homeScope
    await (await server.as('manager')).post('/mini/customer/create', { name: '经理自己的客户' })

    const opened = await Promise.all(['finance', 'director', 'manager', 'demo'].map(scopeOf))

    expect(opened).toEqual(['team', 'team', 'mine', 'mine'])
  })
})

describe('the menus of a user with few rights', () => {
  it('are saved together with the existing entries', async () => {
    const finance = await server.as('finance')
    const { slots, candidates, selected } = (await finance.get('/mini/user/menu')).data
    const least = Object.fromEntries(slots.map((slot: { key: string; min: number }) => [slot.key, slot.min]))
    const saved = await finance.post('/mini/user/menu/save', selected)
    const without = await finance.post('/mini/user/menu/save', { ...selected, shortcut: [] })

    expect(candidates.shortcut).toHaveLength(1)
    expect(least.shortcut).toBe(1)
    expect([saved.meta.code, without.meta.code]).toEqual([200, 400])
  })
})

describe('the profile', () => {
  it('changes the given fields, including login data, and keeps the others', async () => {
    const demo = await server.as('demo')
    await knownFile(server, 'abc')

    const updated = await demo.post('/mini/user/update', {
      name: '单明轩',
      avatar: '/engine/web/file/abc?sig=1',
      gender: 'male',
      mobile: '13811112222',
      signature: '天道酬勤',
    })

    expect(updated.data).toMatchObject({
      name: '单明轩',
      mobile: '13811112222',
      email: 'demo@example.com',
      signature: '天道酬勤',
    })
    const detail = await demo.get('/mini/user/detail')
    expect(detail.data.userInfo).toMatchObject({
      name: '单明轩',
      avatar: '/engine/web/file/abc?sig=1',
      signature: '天道酬勤',
    })
    const byMobile = await server.with(null).post('/mini/login/validate', {
      account: '13811112222',
      password: DEMO_PASSWORD,
      agree: true,
      deviceId: 'phone-1',
    })
    expect(byMobile.meta.code).toBe(200)
    const { rows } = await server.database.system((trx) =>
      sql<{
        py: string
      }>`select py from membership where user_id = 'u-demo' and tenant_id = 'xinghai'`.execute(trx),
    )
    expect(rows[0]?.py).toBe('shanmingxuan')
  })

  it.each([
    [{ name: ' ' }, 'name'],
    [{ mobile: '12345' }, 'mobile'],
    [{ mobile: '13800000003' }, 'mobile'],
    [{ email: 'nobody' }, 'email'],
    [{ avatar: 'https://elsewhere.example/a.png' }, 'avatar'],
    [{ gender: 'martian' }, 'gender'],
    [{ role: 'tenant_admin' }, 'role'],
  ])('refuses %j with a message under the field', async (body, field) => {
    const demo = await server.as('demo')

    const answer = await demo.post('/mini/user/update', body)

    expect(answer.meta.code).toBe(400)
    expect(Object.keys(answer.meta.error?.fields ?? {})).toEqual([field])
  })

  it('stores preferences per tenant, key by key, from two devices at once', async () => {
    const [one, two] = [await server.as('demo'), await server.as('demo')]

    await Promise.all([
      one.post('/mini/user/preference', { 'follow.method': 'visit' }),
      two.post('/mini/user/preference', { sort: { customer: 'name' }, gone: 1 }),
    ])
    await two.post('/mini/user/preference', { gone: null })

    expect((await one.get('/mini/user/preference')).data).toEqual({
      'follow.method': 'visit',
      sort: { customer: 'name' },
    })
    const elsewhere = await one.post('/mini/tenant/switch', { tenantId: 'yunfan' })
    expect((await server.with(elsewhere.data.token).get('/mini/user/preference')).data).toEqual({})
    expect((await two.post('/mini/user/preference', { big: 'x'.repeat(40_000) })).meta.code).toBe(400)
  })
})

describe('devices', () => {
  it('are listed, this one first, and ended one by one; those of other users are not found', async () => {
    const phone = await server.as('zhaolei', 'phone')
    const desk = await server.as('zhaolei', 'desk')
    const other = await server.as('sunyue')

    const { list } = (await phone.get('/mini/user/session/list')).data
    const deskId = list.find((it: { current: boolean }) => !it.current).id
    const strange = await other.post('/mini/user/session/kick', { id: deskId })
    const own = await phone.post('/mini/user/session/kick', { id: list[0].id })
    const kicked = await phone.post('/mini/user/session/kick', { id: deskId })

    expect(list.map((it: { current: boolean }) => it.current)).toEqual([true, false])
    expect([strange.meta.code, own.meta.code]).toEqual([404, 400])
    expect(kicked.data.list).toHaveLength(1)
    expect((await desk.get('/mini/user/detail')).meta).toMatchObject({
      code: 401,
      message: '这台设备已在“登录设备”中下线，请重新登录',
      error: { type: 'KICKED' },
    })
    expect((await phone.get('/mini/user/detail')).meta.code).toBe(200)
  })

  it('end when the password changes, except the current one, and the user is notified', async () => {
    const phone = await server.as('huangjie', 'phone')
    const desk = await server.as('huangjie', 'desk')

    const changed = await phone.post('/mini/user/password', {
      oldPassword: DEMO_PASSWORD,
      newPassword: 'Neu-2026!x',
      confirmPassword: 'Neu-2026!x',
    })

    expect(changed.meta.code).toBe(200)
    expect((await desk.get('/mini/user/detail')).meta).toMatchObject({
      code: 401,
      message: '密码已修改，请重新登录',
    })
    const again = server.with(changed.data.token)
    const events = (await again.post('/mini/message/list', { tab: 'system' })).data.list.map(
      (it: { event: string }) => it.event,
    )
    expect(events.sort()).toEqual(['account.login_new_device', 'account.password'])
  })
})

describe('menus', () => {
  it('are saved only within their limits', async () => {
    const demo = await server.as('liufang')
    const { candidates, slots } = (await demo.get('/mini/user/menu')).data
    const ids = (slot: 'shortcut' | 'common' | 'bottom', n: number) =>
      candidates[slot].slice(0, n).map((menu: { id: number }) => menu.id)
    const save = (n: readonly [number, number, number]) =>
      demo.post('/mini/user/menu/save', {
        shortcut: ids('shortcut', n[0]),
        common: ids('common', n[1]),
        bottom: ids('bottom', n[2]),
      })

    for (const shortcut of [1, 2, 4, 5])
      for (const common of [3, 4, 8, 9])
        for (const bottom of [0, 3, 4]) {
          const counts = { shortcut, common, bottom }
          const fits = (['shortcut', 'common', 'bottom'] as const).every((slot) => {
            const [least, most] = MENU_LIMITS[slot]
            return (
              Math.min(counts[slot], candidates[slot].length) >= least &&
              Math.min(counts[slot], candidates[slot].length) <= most
            )
          })
          expect([counts, (await save([shortcut, common, bottom])).meta.code]).toEqual([
            counts,
            fits ? 200 : 400,
          ])
        }
    expect(slots.map((slot: { min: number; max: number }) => [slot.min, slot.max])).toEqual([
      [2, 4],
      [4, 8],
      [0, 3],
    ])
    expect(
      (
        await demo.post('/mini/user/menu/save', {
          shortcut: [200, 202],
          common: ids('common', 4),
          bottom: [],
        })
      ).meta.code,
    ).toBe(400)
    expect(
      (
        await demo.post('/mini/user/menu/save', {
          shortcut: [200, 200],
          common: ids('common', 4),
          bottom: [],
        })
      ).meta.code,
    ).toBe(400)
  })

  it('lose entries without rights, and are filled up again', async () => {
    const admin = await server.as('admin')
    const seller = await server.as('ouyang')
    const { candidates } = (await seller.get('/mini/user/menu')).data
    const common = candidates.common.slice(0, 4).map((menu: { id: number }) => menu.id)
    await seller.post('/mini/user/menu/save', { shortcut: [200, 204], common, bottom: [common[0]] })
    const { record } = (await admin.get('/engine/web/user/detail?id=u-ouyang')).data
    const roles = (await admin.post('/engine/web/role/list', {})).data.list
    const service = roles.find((role: { code: string }) => role.code === 'service').id

    await admin.post('/engine/web/user/save', { ...pick(record), role_ids: [service] })

    const { selected, authorities } = (await seller.get('/mini/user/detail')).data
    const allowed = authorities.map((menu: { id: number }) => menu.id)
    for (const slot of ['shortcut', 'common', 'bottom'] as const)
      for (const id of selected[slot]) expect(allowed).toContain(id)
    expect(selected.common.length).toBeGreaterThanOrEqual(Math.min(4, allowed.length - 1))
  })
})

describe('tenants', () => {
  it('are listed with their unread counts, and a user cannot switch to a tenant they do not belong to', async () => {
    const demo = await server.as('demo')
    const guopeng = await server.as('guopeng')
    await guopeng.post('/mini/todo/create', {
      title: '给李明轩',
      due_at: '2026-03-20',
      assignee_id: 'u-demo',
    })

    const { data } = await demo.get('/mini/tenant/list')
    const refused = await demo.post('/mini/tenant/switch', { tenantId: 'kongbai' })

    const yunfan = data.find((tenant: { id: string }) => tenant.id === 'yunfan')
    expect(yunfan).toMatchObject({ name: '云帆贸易', current: false, unread: 1 })
    expect(refused.meta.code).toBe(404)
  })
})

function pick(record: Record<string, unknown>) {
  const { id, version, name, mobile, email, employee_no, position, dept_id, supervisor_id } =
    record as Record<string, string>
  return { id, version: Number(version), name, mobile, email, employee_no, position, dept_id, supervisor_id }
}

describe('the member picker', () => {
  const names = async (account: string, query: string) => {
    const client = await server.as(account)
    const { data } = await client.get(`/mini/user/options?${query}`)
    return data.list.map((row: { value: string }) => row.value)
  }

  it('finds colleagues by name and by the beginning of their pinyin', async () => {
    const all = await names('demo', '')
    const [first] = (await (await server.as('demo')).get('/mini/user/options')).data.list

    expect(all).toContain('u-manager')
    expect(await names('demo', `keyword=${encodeURIComponent(first.name)}`)).toContain(first.value)
    expect(await names('demo', `keyword=${first.pinyin.slice(0, 4)}`)).toContain(first.value)
  })

  it('finds by initials, including several letters of one character, but not by letters inside a syllable', async () => {
    expect(await names('demo', 'keyword=zxy')).toEqual(['u-manager'])
    expect(await names('demo', 'keyword=hb')).toContain('u-hebin')
    expect(await names('demo', 'keyword=tw')).toContain('u-tangwei')
    expect(await names('demo', 'keyword=xq')).toEqual([])
  })

  it('accepts a department with its subdepartments, the user’s own team, and the direct reports', async () => {
    const sales = await names('demo', 'deptId=xh-sales')

    expect(sales).toEqual(expect.arrayContaining(['u-director', 'u-demo', 'u-zengke']))
    expect(sales).not.toContain('u-finance')
    expect(await names('demo', 'deptId=yf-trade')).toEqual([])
    expect(await names('manager', 'scope=team')).toEqual(expect.arrayContaining(['u-demo', 'u-zhaolei']))
    expect(await names('manager', 'scope=team')).not.toContain('u-zengke')
    expect(await names('tangwei', 'scope=sub')).toEqual(expect.arrayContaining(['u-zengke', 'u-xiejing']))
  })

  it('continues with the next page and omits users who are chosen already', async () => {
    const demo = await server.as('demo')
    const everybody = await names('demo', 'limit=100')
    const first = (await demo.get('/mini/user/options?limit=20')).data
    const next = (await demo.get(`/mini/user/options?limit=20&cursor=${first.nextCursor}`)).data

    expect([...first.list, ...next.list].map((row) => row.value)).toEqual(everybody)
    expect([first.hasMore, next.hasMore, next.nextCursor]).toEqual([true, false, null])
    expect(await names('demo', 'keyword=zxy&without=u-manager')).toEqual([])
  })

  it('offers only users with a right, and not the current user, on request', async () => {
    const approvers = await names('manager', 'may=contract:approve&withoutMe=true')

    expect(approvers).toContain('u-director')
    expect(approvers).not.toContain('u-demo')
    expect(approvers).not.toContain('u-manager')
    const either = await names('manager', 'may=contract:approve,payment:approve')
    expect(either).toEqual(expect.arrayContaining([...approvers, 'u-finance', 'u-manager']))
    expect(either).not.toContain('u-demo')
  })

  it('names users by id, and none of another tenant', async () => {
    expect(await names('demo', 'ids=u-manager,nobody')).toEqual(['u-manager'])
    const { rows } = await server.database.system((trx) =>
      sql<{ user_id: string }>`select user_id from membership where tenant_id <> 'xinghai'
        and user_id not in (select user_id from membership where tenant_id = 'xinghai') limit 1`.execute(trx),
    )
    expect(await names('demo', `ids=${rows[0]?.user_id ?? 'none'}`)).toEqual([])
  })
})
