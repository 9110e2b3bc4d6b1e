import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { JOBS } from '../../../src/server/flows/jobs/index.ts'
import { runDueJobs } from '../../../src/server/flows/jobs/run-due.ts'
import type { TenantJob } from '../../../src/server/kernel/context/job.ts'
import type { Answer, Client } from '../support.ts'
import {
  approveAll,
  type Body,
  contractInEffect,
  type Deals,
  draft,
  makeCustomer,
  openDeals,
  paid,
  paymentOf,
  read,
  right,
} from './deals.ts'

/** Effects of a change of one record on related records. */
let deals: Deals
let colleague: Client
beforeAll(async () => {
  deals = await openDeals()
  colleague = await deals.server.as('zhaolei')
})
afterAll(() => deals.server.close())

describe('an opportunity that is won by its contract', () => {
  it('is no longer recycled, closes its open to-dos, and is announced', async () => {
    const id = await opportunity('合同赢下的商机')
    await todo(deals.demo, 'bussiness', id, '推进一下')
    await deals.server.database.system((trx) =>
      sql`update bussiness set expire_at = now() + interval '1 day' where id = ${id}`.execute(trx),
    )

    await contractInEffect(deals, { bussiness_id: id })

    expect(await read(deals.demo, 'bussiness', id)).toMatchObject({
      status: 2,
      expire_at: null,
      next_follow_at: null,
    })
    expect(await todosOf(deals.demo, id)).toEqual([])
    expect(await messagesOf(deals.demo, 'bussiness.won')).toContain('合同赢下的商机')
    expect(await messagesOf(colleague, 'bussiness.won')).toContain('合同赢下的商机')
  })
})

describe('a stage change of an opportunity', () => {
  it('is announced to the owner’s superior, a loss with its reason, and a sale to the department', async () => {
    const [moved, lost, won] = [
      await opportunity('推进的'),
      await opportunity('输掉的'),
      await opportunity('赢下的'),
    ]

    right(await deals.demo.post('/mini/bussiness/stage', { id: moved, stageId: 'requirement' }))
    right(await deals.demo.post('/mini/bussiness/lose', { id: lost, reason: 'price' }))
    right(await deals.demo.post('/mini/bussiness/win', { id: won }))

    expect(await messagesOf(deals.manager, 'bussiness.stage')).toContain('推进的')
    expect(await messagesOf(deals.manager, 'bussiness.lost')).toMatch(/输掉的 价格/)
    expect(await messagesOf(deals.manager, 'bussiness.won')).toContain('赢下的 ¥8,000.00')
    expect(await messagesOf(colleague, 'bussiness.won')).toContain('赢下的')
    expect(await messagesOf(colleague, 'bussiness.lost')).toBe('')
    expect(await messagesOf(deals.demo, 'bussiness.lost')).toBe('')
  })

  it('keeps the to-dos of a sale won manually that are not about selling', async () => {
    const id = await opportunity('还要做合同')
    await todo(deals.demo, 'bussiness', id, '拟合同')
    await todo(deals.demo, 'bussiness', id, '再跟进', 'follow')

    right(await deals.demo.post('/mini/bussiness/win', { id }))

    expect(await todosOf(deals.demo, id)).toEqual(['拟合同'])
  })
})

describe('a contract that is transferred', () => {
  it('takes the owner’s job-created to-dos along, once, and their links open for the new owner', async () => {
    const contract = await contractInEffect(deals)
    const plan = right(
      await deals.demo.post('/mini/plan/create', {
        contract_id: contract,
        plan_amount: 5000,
        plan_date: '2026-03-20',
        remind_days: 30,
      }),
    ).id
    await runJob('day-plan')
    const before = await todosOf(deals.demo, plan)

    right(await deals.manager.post('/mini/contract/transfer', { ids: [contract], toUserId: 'u-zhaolei' }))
    const at = await todosOf(colleague, plan)
    await runJob('day-plan')

    expect(before).toHaveLength(1)
    expect(at).toHaveLength(1)
    expect(await todosOf(colleague, plan)).toEqual(at)
    expect(await todosOf(deals.demo, plan)).toEqual([])
    const [row] = right(await colleague.post('/mini/todo/list', { tab: 'payment' })).list
    expect((await colleague.get(`/mini/contract/detail?${row.url.split('?')[1]}`)).meta.code).toBe(200)
  })
})

describe('a hand-over', () => {
  it('transfers job-created to-dos once, although the jobs run again', async () => {
    const customer = await makeCustomer(colleague, '要跟进的客户有限公司')
    const version = (await read(colleague, 'customer', customer)).version
    right(
      await colleague.post('/mini/customer/update', {
        id: customer,
        version,
        next_follow_at: `${wallDay(1)} 10:00:00`,
      }),
    )
    await runJob('day-plan', 1)

    right(await deals.admin.post('/engine/web/user/handover', { id: 'u-zhaolei', toUserId: 'u-sunyue' }))
    const sunyue = await deals.server.as('sunyue')
    const given = await todosOf(sunyue, customer)
    await runJob('day-plan', 1)

    expect(given).toHaveLength(1)
    expect(await todosOf(sunyue, customer)).toHaveLength(1)
  })
})

describe('merged customers', () => {
  it('keep no name of a deleted contact, lose no star, and leave no event behind', async () => {
    const [master, other] = [
      await makeCustomer(deals.demo, '留下的客户有限公司'),
      await makeCustomer(deals.demo, '并入的客户有限公司'),
    ]
    const person = { name: '王双', mobile: '13900007001' }
    const [kept, gone] = [
      right(await deals.demo.post('/mini/contact/create', { ...person, customer_id: master })).id,
      right(
        await deals.demo.post('/mini/contact/create', {
          ...person,
          customer_id: other,
          confirm: ['DUPLICATE_PHONE'],
        }),
      ).id,
    ]
    const boss = right(
      await deals.demo.post('/mini/contact/create', {
        name: '下属',
        mobile: '13900007002',
        customer_id: other,
        report_to_id: gone,
      }),
    ).id
    const sale = await opportunity('两家的商机', { customer_id: other, contact_ids: [gone] })
    const contract = await contractInEffect(deals, { customer_signer_id: gone }, other)
    right(await deals.demo.post('/mini/customer/star', { ids: [other], id: other, on: true }))
    right(await deals.demo.post('/mini/contact/star', { ids: [gone], id: gone, on: true }))

    right(await deals.manager.post('/mini/customer/merge', { masterId: master, ids: [other] }))

    expect(await read(deals.demo, 'bussiness', sale)).toMatchObject({
      contact_ids: [kept],
      customer_id: master,
    })
    expect(await read(deals.demo, 'contract', contract)).toMatchObject({ customer_signer_id: kept })
    expect(await read(deals.demo, 'contact', boss)).toMatchObject({ report_to_id: kept })
    const starred = right(await deals.demo.post('/mini/customer/list', { tab: 'starred' })).list
    expect(starred.map((row: { id: string }) => row.id)).toEqual([master])
    const left = await sqlRun((trx) =>
      sql`select 1 from star where record_id in (${other}, ${gone})`.execute(trx),
    )
    expect(left.rows).toEqual([])
    const events = right(await deals.demo.get(`/mini/customer/timeline?id=${master}&types=deal`)).list
    expect(events.map((row: { title: string }) => row.title)).toContain('合同审批通过 ¥10,000.00')
  })
})

describe('a merge', () => {
  it('says in the log of the master which customers were merged into it', async () => {
    const [master, one, two] = [
      await makeCustomer(deals.demo, '记录里留下的客户有限公司'),
      await makeCustomer(deals.demo, '记录里并入的甲有限公司'),
      await makeCustomer(colleague, '记录里并入的乙商贸中心'),
    ]

    right(await deals.manager.post('/mini/customer/merge', { masterId: master, ids: [two, one] }))

    const said = '「记录里并入的乙商贸中心」「记录里并入的甲有限公司」并入「记录里留下的客户有限公司」'
    for (const reader of [deals.demo, deals.manager, colleague]) {
      const [entry] = right(await reader.get(`/mini/customer/log?id=${master}`)).list
      expect(entry).toMatchObject({ title: '合并客户', text: said })
    }
    const { list } = right(
      await deals.admin.post('/engine/web/log/list', {
        filters: [{ field: 'record_id', op: 'eq', value: master }],
      }),
    )
    const id = list.find((row: { action: string }) => row.action === 'customer:merge').id
    const { changes } = right(await deals.admin.get(`/engine/web/log/detail?id=${id}`))
    expect(changes).toEqual(
      expect.arrayContaining([
        { label: '被合并的客户', was: '', is: '记录里并入的乙商贸中心、记录里并入的甲有限公司' },
        { label: '并入的客户', was: '', is: '记录里留下的客户有限公司' },
      ]),
    )
  })

  it('is told once to each owner of the merged customers, but not to who merged them', async () => {
    const named = (who: Client, name: string) => makeCustomer(who, name)
    const master = await named(deals.demo, '有消息的主客户有限公司')
    const ids = [
      await named(deals.demo, '有消息的甲有限公司'),
      await named(colleague, '有消息的乙商贸中心'),
      await named(colleague, '有消息的丙工程公司'),
      await named(deals.manager, '有消息的丁科技公司'),
    ]

    right(await deals.manager.post('/mini/customer/merge', { masterId: master, ids }))

    const told = async (who: Client) =>
      right(await who.post('/mini/message/list', { tab: 'all', limit: 100 })).list.filter(
        ({ event, content }: { event: string; content: string }) =>
          event === 'customer.merged' && content.includes('有消息的主客户有限公司'),
      )
    const [mine, theirs, actors] = [await told(deals.demo), await told(colleague), await told(deals.manager)]
    expect(mine).toMatchObject([
      {
        category: 'customer',
        content: expect.stringContaining('「有消息的甲有限公司」并入「有消息的主客户有限公司」'),
      },
    ])
    expect(theirs).toMatchObject([
      {
        content: expect.stringContaining(
          '「有消息的乙商贸中心」「有消息的丙工程公司」并入「有消息的主客户有限公司」',
        ),
        link: { route: '/pages/customer/my/detail', query: { id: master } },
      },
    ])
    expect(actors).toEqual([])
    expect((await colleague.get(`/mini/customer/detail?id=${master}`)).meta.code).toBe(200)
  })

  it('lets the owners of the merged customers read the master, also whose share of it had expired', async () => {
    const master = await makeCustomer(deals.demo, '分享过期的主客户有限公司')
    const old = await makeCustomer(colleague, '分享过期的旧客户商贸中心')
    await sqlRun((trx) =>
      sql`insert into collaborator (tenant_id, entity, record_id, user_id, level, expire_at, created_by, created_at)
        select tenant_id, 'customer', ${master}, owner_id, 'write', '2020-01-01', owner_id, '2019-01-01'
        from customer where id = ${old}`.execute(trx),
    )
    expect((await colleague.get(`/mini/customer/detail?id=${master}`)).meta.code).toBe(404)

    right(await deals.manager.post('/mini/customer/merge', { masterId: master, ids: [old] }))

    const seen = right(await colleague.get(`/mini/customer/detail?id=${master}`))
    expect(seen.actions).not.toContain('edit')
  })
})

describe('what is written to a customer after it was merged', () => {
  it('belongs to the master: contacts, to-dos, opportunities, contracts', async () => {
    const [master, old] = [
      await makeCustomer(deals.demo, '接着写的主客户有限公司'),
      await makeCustomer(colleague, '接着写的旧客户商贸中心'),
    ]
    right(await deals.manager.post('/mini/customer/merge', { masterId: master, ids: [old] }))
    const outsider = await deals.server.as('sunyue')
    const contact = { customer_id: old, name: '赵接着', mobile: '13900007041' }
    const deal = { customer_id: old, name: '接着谈的商机', amount: 1, expected_date: '2026-12-31' }
    const due = { title: '接着做', due_at: '2026-12-01', target_type: 'customer', target_id: old }
    const signed = {
      customer_id: old,
      name: '接着签的合同',
      type: 'direct',
      amount: 10,
      sign_date: '2026-03-10',
    }

    const made = {
      contact: right(await deals.demo.post('/mini/contact/create', contact)).id,
      bussiness: right(await deals.demo.post('/mini/bussiness/create', deal)).id,
      contract: right(await deals.demo.post('/mini/contract/create', signed)).id,
    }
    for (const [entity, id] of Object.entries(made))
      expect([entity, (await read(deals.demo, entity, id)).customer_id]).toEqual([entity, master])
    right(await deals.demo.post('/mini/todo/create', due))
    expect(await todosOf(deals.demo, master)).toEqual(['接着做'])

    // The owner of the merged customer may only read the master.
    for (const [path, body] of [
      ['contact', { ...contact, mobile: '13900007042' }],
      ['bussiness', deal],
    ] as const)
      expect((await colleague.post(`/mini/${path}/create`, body)).meta.message).toContain('该客户由')
    expect((await colleague.post('/mini/contract/create', signed)).meta).toMatchObject({
      code: 400,
      error: { fields: { customer_id: expect.any(String) } },
    })
    const refused = await Promise.all([
      outsider.post('/mini/contact/create', contact),
      outsider.post('/mini/bussiness/create', deal),
      outsider.post('/mini/todo/create', due),
    ])
    expect(refused.map(({ meta }) => [meta.code, meta.message])).toEqual(
      refused.map(() => [404, refused[0]?.meta.message]),
    )
    expect(refused.map(({ body }) => body).join()).not.toContain('接着写的')
  })
})

describe('a contract in the timeline', () => {
  it('is dated by its approval, not by its draft', async () => {
    const customer = await makeCustomer(deals.demo, '看时间线的客户有限公司')
    const sale = await opportunity('时间线商机', { customer_id: customer })
    const { id } = await draft(deals.demo, customer, { name: '草稿合同', bussiness_id: sale })
    const titles = async (entity: string, of: string) =>
      right(await deals.demo.get(`/mini/${entity}/timeline?id=${of}`)).list.map(
        (row: { title: string }) => row.title,
      )
    const before = await titles('customer', customer)
    right(await deals.demo.post('/mini/contract/submit', { id }))
    await approveAll(deals, 'contract', id)

    expect(before).toContain('新建合同 草稿合同')
    expect(before.join()).not.toContain('签订')
    expect(await titles('customer', customer)).toContain('合同审批通过 ¥10,000.00')
    expect(await titles('bussiness', sale)).toContain('合同审批通过 ¥10,000.00')
  })
})

describe('the nightly job', () => {
  it('starts and ends contracts by their dates', async () => {
    const ahead = await contractInEffect(deals, { start_date: wallDay(2), end_date: wallDay(400) })
    const before = (await read(deals.demo, 'contract', ahead)).perform_status

    await runJob('performance', 3)

    expect(before).toBe(0)
    expect((await read(deals.demo, 'contract', ahead)).perform_status).toBe(1)
  })
})

describe('a colleague who moves to another department', () => {
  it('takes their records along: new superiors see them, former superiors do not', async () => {
    const sunyue = await deals.server.as('sunyue')
    const customer = await makeCustomer(sunyue, '跟着走的客户有限公司')
    right(
      await sunyue.post('/mini/contact/create', {
        name: '李随',
        mobile: '13900007009',
        customer_id: customer,
      }),
    )
    const tangwei = await deals.server.as('tangwei')
    const sees = async (client: Client) =>
      (await client.get(`/mini/customer/detail?id=${customer}`)).meta.code
    const before = [await sees(deals.manager), await sees(tangwei)]
    const { record } = right(await deals.admin.get('/engine/web/user/detail?id=u-sunyue'))

    right(
      await deals.admin.post('/engine/web/user/save', {
        ...record,
        dept_id: 'xh-sales-2',
        supervisor_id: 'u-tangwei',
      }),
    )

    expect(before).toEqual([200, 404])
    expect([await sees(deals.manager), await sees(tangwei)]).toEqual([404, 200])
    const contacts = right(await tangwei.post('/mini/contact/list', { keyword: '李随' })).list
    expect(contacts).toHaveLength(1)
  })
})

describe('a record that went to a colleague and may still be read', () => {
  it('says on a change whose it is, and to who does not see it, nothing', async () => {
    const customer = await makeCustomer(deals.demo, '转走还能看的客户有限公司')
    const contact = right(
      await deals.demo.post('/mini/contact/create', {
        name: '陈看',
        mobile: '13900007031',
        customer_id: customer,
      }),
    ).id
    const sale = await opportunity('转走还能看的商机', { customer_id: customer })
    const first = await lead('转走还能看的线索', '13900007032')
    const contract = (await draft(deals.demo, customer)).id
    const give = async (entity: string, id: string) =>
      right(
        await deals.manager.post(`/mini/${entity}/transfer`, {
          ids: [id],
          toUserId: 'u-zhaolei',
          keepOld: 'read',
        }),
      )
    for (const [entity, id] of [
      ['customer', customer],
      ['bussiness', sale],
      ['lead', first],
      ['contract', contract],
    ] as const)
      await give(entity, id)
    const records: readonly (readonly [string, string, string])[] = [
      ['customer', customer, '客户'],
      ['contact', contact, '联系人'],
      ['bussiness', sale, '商机'],
      ['lead', first, '线索'],
      ['contract', contract, '合同'],
    ]
    const outsider = await deals.server.as('sunyue')
    const { rows } = await sqlRun((trx) =>
      sql<{ name: string }>`select name from membership where user_id = 'u-zhaolei'`.execute(trx),
    )
    const owner = rows[0]?.name ?? ''

    for (const [entity, id, what] of records) {
      const { version } = await read(deals.demo, entity, id)
      const post = (who: Client) =>
        who.post(`/mini/${entity}/update`, { id, version, remark: '转走之前写的' })
      const told = await post(deals.demo)
      expect([entity, told.meta.code, told.meta.message]).toEqual([
        entity,
        405,
        `该${what}由${owner}负责，您没有操作权限，可联系${owner}处理`,
      ])
      expect(told.meta.error).toMatchObject({ type: 'NO_PERMISSION', detail: `${entity}:edit` })
      expect((await post(outsider)).body).not.toContain(owner)
    }
    for (const [path, body] of [
      [
        'follow/create',
        { target_type: 'customer', target_id: customer, method: 'call', content: '转走前打的' },
      ],
      ['contact/create', { customer_id: customer, name: '李看', mobile: '13900007033' }],
      ['bussiness/create', { customer_id: customer, name: '新的', amount: 1, expected_date: '2026-12-31' }],
    ] as const)
      expect((await deals.demo.post(`/mini/${path}`, body)).body, path).toContain(
        `该客户由${owner}负责，您没有操作权限`,
      )
  })
})

/** Rights to deals that sales do not have. */
const RARE = ['contract:void', 'payment:reverse', 'bussiness:reopen']

describe('a contract that went to a colleague, and its payments', () => {
  const contractOf = () => contractInEffect(deals, {}, customer)
  const give = async (entity: string, ids: readonly string[], keepOld = 'read') =>
    right(await deals.manager.post(`/mini/${entity}/transfer`, { ids, toUserId: 'u-zhaolei', keepOld }))
  let customer: string
  let owner: string
  let outsider: Client
  /** Sales with further rights, who see no further than before; without any, as they were. */
  const letSales = async (...more: readonly string[]) => {
    const { list } = right(await deals.admin.post('/engine/web/role/list', {}))
    const role = list.find(({ code }: JsonObject) => code === 'sales')
    const usual = role.permissions.filter((one: string) => !RARE.includes(one))
    right(await deals.admin.post('/engine/web/role/save', { ...role, permissions: [...usual, ...more] }))
  }
  beforeAll(async () => {
    customer = await makeCustomer(deals.demo, '合同转走的客户有限公司')
    outsider = await deals.server.as('sunyue')
    const { rows } = await sqlRun((trx) =>
      sql<{ name: string }>`select name from membership where user_id = 'u-zhaolei'`.execute(trx),
    )
    owner = rows[0]?.name ?? ''
    await letSales(...RARE)
  })
  afterAll(() => letSales())

  /** What a call says, of one record or of the first of many. */
  const said = ({ meta, data }: Answer): readonly [number, string] =>
    meta.code === 200 ? [data.failed[0].code, data.failed[0].message] : [meta.code, meta.message]
  const by = (what: string) => [405, `该${what}由${owner}负责，您没有操作权限，可联系${owner}处理`] as const

  it('say whose they are on every change, and to who does not see them, nothing', async () => {
    const contract = await contractOf()
    const done = await paid(deals, contract, 100)
    const { id: open } = right(await deals.demo.post('/mini/payment/create', paymentOf(contract, 200)))
    const { id: deleted } = right(await deals.demo.post('/mini/payment/create', paymentOf(contract, 300)))
    right(await deals.demo.post('/mini/payment/delete', { ids: [deleted] }))
    const { version } = await read(deals.demo, 'payment', open)
    await give('contract', [contract])
    const calls: readonly (readonly [string, Body, string])[] = [
      ['contract/renew', { id: contract }, '合同'],
      ['contract/void', { id: contract, reason: '不做了' }, '合同'],
      ['contract/delete', { ids: [contract] }, '合同'],
      ['contract/transfer', { ids: [contract], toUserId: 'u-demo' }, '合同'],
      ['plan/create', { contract_id: contract, plan_amount: 1, plan_date: '2026-12-01' }, '合同'],
      ['payment/create', paymentOf(contract, 400), '合同'],
      ['payment/update', { id: open, version, remark: '转走前写的' }, '回款'],
      ['payment/patch', { ids: [open], method: 'cash' }, '回款'],
      ['payment/delete', { ids: [open] }, '回款'],
      ['payment/restore', { ids: [deleted] }, '合同'],
      ['payment/reverse', { id: done, reason: '错了' }, '回款'],
    ]

    for (const [path, body, what] of calls) {
      expect([path, ...said(await deals.demo.post(`/mini/${path}`, body))]).toEqual([path, ...by(what)])
      expect((await outsider.post(`/mini/${path}`, body)).body, path).not.toContain(owner)
    }
  })

  it('a lead and an opportunity that are shared for writing say it of what is left to their owner', async () => {
    const first = await lead('转走还能写的线索', '13900007034')
    const sale = await opportunity('转走还能写的商机', { customer_id: customer })
    right(await deals.demo.post('/mini/lead/invalid', { ids: [first], reason: 'no_need' }))
    right(await deals.demo.post('/mini/bussiness/lose', { id: sale, reason: 'price' }))
    await give('lead', [first], 'write')
    await give('bussiness', [sale], 'write')

    expect(said(await deals.demo.post('/mini/lead/reactivate', { id: first }))).toEqual(by('线索'))
    expect(said(await deals.demo.post('/mini/bussiness/reopen', { id: sale }))).toEqual(by('商机'))
  })
})

describe('an invalid lead', () => {
  it('is not recycled unchanged', async () => {
    const songqing = await deals.server.as('songqing')
    const id = right(
      await songqing.post('/mini/lead/create', {
        name: '无效线索',
        mobile: '13900007010',
        source: 'exhibition',
      }),
    ).id
    const before = (await read(songqing, 'lead', id)).expire_at

    right(await songqing.post('/mini/lead/invalid', { ids: [id], reason: 'no_need' }))

    expect(before).not.toBeNull()
    expect(await read(songqing, 'lead', id)).toMatchObject({ status: 50, expire_at: null })
  })
})

describe('a deal that is reset manually', () => {
  it('is allowed to users who see more than their own records, whatever the name of their role', async () => {
    await sqlRun((trx) =>
      sql`insert into role (tenant_id, id, code, name, permissions, scopes, sort)
        select tenant_id, 'r-senior', 'senior', '高级销售', permissions || '["customer:deal"]'::jsonb, scopes, 99 from role
        where tenant_id = 'xinghai' and code = 'sales'`.execute(trx),
    )
    await sqlRun((trx) =>
      sql`update role_assignment set role_id = 'r-senior' where tenant_id = 'xinghai' and user_id = 'u-huangjie'`.execute(
        trx,
      ),
    )
    const senior = await deals.server.as('huangjie')
    const id = await makeCustomer(senior, '手工成交的客户有限公司')
    right(await senior.post('/mini/customer/deal', { ids: [id], dealStatus: 1 }))

    const own = right(await senior.post('/mini/customer/deal', { ids: [id], dealStatus: 0 }))
    const above = right(await deals.manager.post('/mini/customer/deal', { ids: [id], dealStatus: 0 }))

    expect(own.failed).toMatchObject([{ code: 405 }])
    expect(above.ok).toEqual([id])
  })
})

describe('the error of a write', () => {
  it('names the fault of a lead’s number, not its absence', async () => {
    const { meta } = await deals.demo.post('/mini/lead/create', {
      name: '号码错',
      mobile: '12345',
      source: 'website',
    })

    expect(meta.error).toMatchObject({ fields: { mobile: expect.stringContaining('格式') } })
  })

  it('names the fault of a contract’s line, not a missing amount', async () => {
    const { meta } = await deals.demo.post('/mini/contract/create', {
      name: '明细有错',
      customer_id: deals.customerId,
      type: 'direct',
      sign_date: '2026-03-10',
      lines: [{ product_id: 'nothing', quantity: 1, price: 5 }],
    })

    expect(meta.code).toBe(400)
    expect(meta.message).not.toContain('合同金额')
    expect(Object.keys((meta.error?.fields ?? {}) as object).join()).toMatch(/^lines/)
  })

  it('refuses a contract’s line that is no object', async () => {
    const { meta } = await deals.demo.post('/mini/contract/create', {
      name: '明细为空',
      customer_id: deals.customerId,
      type: 'direct',
      amount: 10,
      sign_date: '2026-03-10',
      lines: [null],
    })

    expect(meta).toMatchObject({ code: 400, error: { fields: { lines: expect.any(String) } } })
  })

  it('refuses an opportunity to users who may only read the customer', async () => {
    const customer = await makeCustomer(deals.demo, '只给看的客户有限公司')
    const share = (level: string) =>
      deals.demo.post('/mini/customer/team/save', { id: customer, members: [{ userId: 'u-zhaolei', level }] })
    const open = () =>
      colleague.post('/mini/bussiness/create', {
        name: '协作人的商机',
        customer_id: customer,
        amount: 1,
        expected_date: '2026-12-31',
      })

    right(await share('read'))
    const reading = await open()
    right(await share('write'))
    const writing = await open()

    expect([reading.meta.code, writing.meta.code]).toEqual([405, 200])
  })

  it('reports that a converted lead accepts no follow-ups', async () => {
    const id = await lead('要转化的', '13900007020')
    right(await deals.demo.post('/mini/lead/convert', { id, customer: { mode: 'create' } }))

    const late = await deals.demo.post('/mini/follow/create', {
      target_type: 'lead',
      target_id: id,
      method: 'call',
      content: '再打一个电话',
    })

    expect(late.meta).toMatchObject({ code: 409, error: { type: 'STATE_CONFLICT' } })
  })

  it('shows the month of the tenant’s calendar in the name', async () => {
    const id = await lead('月初的线索', '13900007021')
    const before = deals.server.clock.now
    deals.server.clock.now = Date.parse('2026-03-31T16:30:00Z')
    const shanghai = await deals.server.as('demo')

    const { proposal } = right(await shanghai.post('/mini/lead/match', { id }))
    deals.server.clock.now = before

    expect(proposal.bussiness.name).toBe('月初的线索-202604')
  })
})

async function lead(name: string, mobile: string): Promise<string> {
  return right(await deals.demo.post('/mini/lead/create', { name, mobile, source: 'website' })).id
}

async function opportunity(name: string, more: object = {}): Promise<string> {
  return right(
    await deals.demo.post('/mini/bussiness/create', {
      name,
      customer_id: deals.customerId,
      amount: 8000,
      expected_date: '2026-12-31',
      next_follow_at: '2026-12-01 10:00:00',
      ...more,
    }),
  ).id
}

async function todo(client: Client, target_type: string, target_id: string, title: string, type = 'custom') {
  right(await client.post('/mini/todo/create', { title, type, due_at: '2026-12-01', target_type, target_id }))
}

/** Titles of somebody's to-dos for a record. */
async function todosOf(client: Client, targetId: string): Promise<readonly string[]> {
  const { list } = right(await client.post('/mini/todo/list', { limit: 100 }))
  return list.flatMap((row: { target_id: string; status: number; title: string }) =>
    row.target_id === targetId && row.status === 0 ? [row.title] : [],
  )
}

/** All messages somebody received about an event. */
async function messagesOf(client: Client, event: string): Promise<string> {
  const { list } = right(await client.post('/mini/message/list', { tab: 'all', limit: 100 }))
  return list
    .flatMap((it: { event: string; content: string }) => (it.event === event ? [it.content] : []))
    .join('\n')
}

type Work = Parameters<Deals['server']['database']['system']>[0]

function sqlRun<T>(work: (trx: Parameters<Work>[0]) => Promise<T>): Promise<T> {
  return deals.server.database.system(work)
}

/** Runs one job at noon some days after the server's today, even if it has run. */
async function runJob(name: string, days = 0): Promise<void> {
  await sqlRun((trx) => sql`delete from job_slot where job = ${name}`.execute(trx))
  const jobs = JOBS.filter((job): job is TenantJob => 'run' in job && job.name === name)
  const failures: unknown[] = []
  const midday = wallDay(days)
  await runDueJobs(jobs, {
    database: deals.server.database,
    now: Date.parse(`${midday}T12:00:00+08:00`),
    onError: (error) => failures.push(error),
  })
  expect([jobs.length, failures]).toEqual([1, []])
}

/** A day in Shanghai, some days after the server's today. */
function wallDay(days: number): string {
  return new Date(deals.server.clock.now + (days * 24 + 8) * 3_600_000).toISOString().slice(0, 10)
}
