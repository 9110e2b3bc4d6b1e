import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import { replaceApprover, type Step } from '../../../src/server/kernel/approvals/course.ts'
import type { Client } from '../support.ts'
import { approveAll, clientOf, type Deals, draft, openDeals, read, right } from './deals.ts'

let deals: Deals
beforeAll(async () => {
  deals = await openDeals()
}, 180_000)
afterAll(() => deals.server.close())

const PERSON = (value: string) => ({ kind: 'user', value, mode: 'any' })
const HOUR_MS = 3_600_000

/** Everybody is available, and two people decide one after the other. */
beforeEach(async () => {
  await deals.server.database.system((trx) =>
    sql`update membership set status = 'enabled' where tenant_id = 'xinghai'`.execute(trx),
  )
  await flow([PERSON('u-manager'), PERSON('u-finance')])
})

describe('an approval whose approver has left', () => {
  it('continues with their successor, even in a later step', async () => {
    const { id } = await submitted()

    const before = right(await deals.admin.get('/engine/web/user/detail?id=u-finance')).holdings
    const handed = right(
      await deals.admin.post('/engine/web/user/handover', { id: 'u-finance', toUserId: 'u-director' }),
    )
    await act(deals.manager, id, 'approve')

    expect(before.approval).toBe(1)
    expect(handed.stuckApprovals).toBe(0)
    expect(await waitingFor(id)).toEqual(['u-director'])
    expect(right(await deals.admin.get('/engine/web/user/detail?id=u-finance')).holdings.approval).toBe(0)
    await approveAll(deals, 'contract', id)
    expect(await read(deals.demo, 'contract', id)).toMatchObject({ approval_status: 2 })
  })

  it('finds another approver when their step begins, as a submission would', async () => {
    const { id, approval } = await submitted()
    await disable('u-finance')

    await act(deals.manager, id, 'approve')

    expect(await waitingFor(id)).toEqual(['u-director'])
    expect((await messagesOf(deals.director, 'contract.next')).map((it) => it.link.query.id)).toContain(
      approval,
    )
  })

  it('finally goes to a user who manages the flows, whatever the name of their role', async () => {
    const permissions = ['system:flow', 'contract:view', 'contract:approve']
    const role = right(await deals.admin.post('/engine/web/role/save', { name: '流程管理', permissions }))
    await deals.server.database.system((trx) =>
      sql`insert into role_assignment (tenant_id, user_id, role_id) values ('xinghai', 'u-ouyang', ${role.id})`.execute(
        trx,
      ),
    )
    await deals.server.database.system((trx) =>
      sql`update membership set status = 'disabled' where tenant_id = 'xinghai'
        and user_id not in ('u-demo', 'u-ouyang')`.execute(trx),
    )

    const { id } = await draft(deals.demo, deals.customerId)
    right(await deals.demo.post('/mini/contract/submit', { id }))

    const waiting = await waitingFor(id)
    await deals.server.database.system((trx) =>
      sql`delete from role_assignment where user_id = 'u-ouyang' and role_id = ${role.id}`.execute(trx),
    )
    expect(waiting).toEqual(['u-ouyang'])
  })

  it('continues at once if its approver is disabled: with others of the step, else with those whom a submission would choose', async () => {
    const status = (enabled: boolean) =>
      deals.admin.post('/engine/web/user/status', { id: 'u-tangwei', enabled })
    await flow([PERSON('u-tangwei')])
    const { id, approval } = await submitted()
    await flow([{ kind: 'role', value: 'sales_manager', mode: 'any' }])
    const shared = await submitted()

    const disabled = right(await status(false))
    right(await status(true))

    expect(disabled).toMatchObject({ status: 'disabled', approvals: { stuck: 0 } })
    expect(disabled.approvals.passed).toBeGreaterThanOrEqual(2)
    expect(await waitingFor(id)).toEqual(['u-manager'])
    expect(await waitingFor(shared.id)).toEqual(['u-manager'])
    expect((await messagesOf(deals.manager, 'contract.next')).map((it) => it.link.query.id)).toContain(
      approval,
    )
    const { acts } = right(await deals.manager.get(`/mini/approval/detail?id=${approval}`))
    expect(acts.at(-1)).toMatchObject({ action: 'reassign', user_id: 'u-admin', to_user_name: '周晓燕' })
  })

  it('does not go to whoever agreed in an earlier step, if their approver is disabled', async () => {
    await flow([PERSON('u-manager'), PERSON('u-tangwei')])
    const { id } = await submitted()
    await act(deals.manager, id, 'approve')

    right(await deals.admin.post('/engine/web/user/status', { id: 'u-tangwei', enabled: false }))
    right(await deals.admin.post('/engine/web/user/status', { id: 'u-tangwei', enabled: true }))

    expect(await waitingFor(id)).toEqual(['u-director'])
  })

  it('is found by an administrator, who reassigns it; users without that right cannot', async () => {
    const { id, approval } = await submitted()
    await disable('u-manager')
    const stuck = await tabOf(deals.admin, 'stuck')
    const shown = right(await deals.admin.get(`/mini/approval/detail?id=${approval}`))

    const byFinance = await deals.finance.post('/mini/approval/reassign', {
      id: approval,
      toUserId: 'u-finance',
    })
    const toOwner = await deals.admin.post('/mini/approval/reassign', { id: approval, toUserId: 'u-demo' })
    const done = await deals.admin.post('/mini/approval/reassign', {
      id: approval,
      toUserId: 'u-director',
      opinion: '经理已离职',
    })

    expect(stuck).toContain(approval)
    expect(shown.actions).toContain('reassign')
    expect(shown).toMatchObject({ may: 'contract:approve', record: { waiting_names: expect.any(String) } })
    expect(shown.asked.map((it: { id: string }) => it.id)).toEqual(['u-manager', 'u-finance'])
    expect([byFinance.meta.code, toOwner.meta.code, done.meta.code]).toEqual([405, 400, 200])
    expect(await waitingFor(id)).toEqual(['u-director'])
    expect(await tabOf(deals.admin, 'stuck')).not.toContain(approval)
    expect(await tabOf(deals.admin, 'running')).toContain(approval)
    expect(await tabOf(deals.director, 'running')).toEqual([])
    expect((await messagesOf(deals.director, 'contract.next')).map((it) => it.link.query.id)).toContain(
      approval,
    )
    const acts = right(await deals.director.get(`/mini/approval/detail?id=${approval}`)).acts
    expect(acts.at(-1)).toMatchObject({ action: 'reassign', title: '改派给', opinion: '经理已离职' })
    await approveAll(deals, 'contract', id)
    expect(await read(deals.demo, 'contract', id)).toMatchObject({ approval_status: 2 })
    const late = await deals.admin.post('/mini/approval/reassign', { id: approval, toUserId: 'u-finance' })
    expect(late.meta.code).toBe(409)
  })

  it('requires the name of the replaced approver if several are pending', async () => {
    await flow([{ kind: 'role', value: 'finance', mode: 'all' }])
    const { id, approval } = await submitted()
    const asked = await waitingFor(id)

    const vague = await deals.admin.post('/mini/approval/reassign', { id: approval, toUserId: 'u-director' })
    const told = { id: approval, fromUserId: 'u-finance', toUserId: 'u-director' }
    right(await deals.admin.post('/mini/approval/reassign', told))

    expect(asked.length).toBeGreaterThan(1)
    expect(vague.meta.error).toMatchObject({ fields: { fromUserId: '请选择要替换的审批人' } })
    expect([...(await waitingFor(id))].sort()).toEqual(
      asked.map((it) => (it === 'u-finance' ? 'u-director' : it)).sort(),
    )
  })

  it('does not go to the user who has become the record’s owner', async () => {
    await flow([PERSON('u-finance'), PERSON('u-director')])
    const { id } = await submitted()
    right(await deals.demo.post('/mini/contract/transfer', { ids: [id], toUserId: 'u-director' }))

    await act(deals.finance, id, 'approve')

    expect(await waitingFor(id)).not.toContain('u-director')
    await approveAll(deals, 'contract', id)
    expect(await read(deals.director, 'contract', id)).toMatchObject({ approval_status: 2 })
  })
})

describe('an approval that is handed on', () => {
  it('asks once whoever decides the next step as well, and says that they agreed to both', async () => {
    const { id, approval } = await submitted()
    await act(deals.manager, id, 'transfer', { toUserId: 'u-finance' })

    await act(deals.finance, id, 'approve')

    expect(await read(deals.demo, 'contract', id)).toMatchObject({ approval_status: 2 })
    const { steps, acts } = right(await deals.demo.get(`/mini/approval/detail?id=${approval}`))
    expect(steps.map((step: { people: Json }) => step.people)).toEqual(
      [1, 2].map(() => [expect.objectContaining({ id: 'u-finance', approved: true })]),
    )
    expect(acts.map((it: { action: string }) => it.action)).toEqual(['submit', 'transfer', 'approve'])
  })

  it('goes on to a step behind theirs, and asks them in a step that they share', async () => {
    await flow([PERSON('u-manager'), PERSON('u-finance'), PERSON('u-director')])
    const { id } = await submitted()
    await act(deals.manager, id, 'transfer', { toUserId: 'u-finance' })
    await flow([PERSON('u-manager'), { kind: 'role', value: 'finance', mode: 'all' }])
    const shared = await submitted()
    await act(deals.manager, shared.id, 'transfer', { toUserId: 'u-finance' })

    await act(deals.finance, id, 'approve')
    await act(deals.finance, shared.id, 'approve')

    expect(await waitingFor(id)).toEqual(['u-director'])
    expect(await waitingFor(shared.id)).toContain('u-finance')
  })

  it('counts one decision of whoever was added behind the present step and decides the next', async () => {
    const { id } = await submitted()
    await act(deals.manager, id, 'addSign', { toUserId: 'u-finance', place: 'after' })
    await act(deals.manager, id, 'approve')

    await act(deals.finance, id, 'approve')

    expect(await read(deals.demo, 'contract', id)).toMatchObject({ approval_status: 2 })
  })
})

describe('a reminder', () => {
  it('reaches the current approvers, once an hour, only from the submitter', async () => {
    const { approval } = await submitted()

    const byOther = await deals.finance.post('/mini/approval/urge', { id: approval })
    const first = await deals.demo.post('/mini/approval/urge', { id: approval })
    const again = await deals.demo.post('/mini/approval/urge', { id: approval })
    deals.server.clock.now += HOUR_MS + 1
    const later = await deals.demo.post('/mini/approval/urge', { id: approval })

    expect([byOther, first, again, later].map((it) => it.meta.code)).toEqual([405, 200, 409, 200])
    expect(again.meta.message).toBe('一小时内已催办过，请稍后再试')
    const told = await messagesOf(deals.manager, 'contract.urge')
    expect(told).toHaveLength(2)
    expect(told[0]).toMatchObject({ title: '请尽快审批合同', category: 'approval' })
    expect(right(await deals.demo.get(`/mini/approval/detail?id=${approval}`)).actions).toContain('urge')
  })

  it('goes to the administrators if no approver is left', async () => {
    const { approval } = await submitted()
    await disable('u-manager')

    right(await deals.demo.post('/mini/approval/urge', { id: approval }))

    expect(await messagesOf(deals.admin, 'contract.urge')).toHaveLength(1)
  })
})

describe('a delegation', () => {
  const until = '2027-01-01'
  const delegate = (client: Client, more: { readonly [key: string]: Json } = {}) =>
    client.post('/mini/approval/delegate/save', { toUserId: 'u-director', until: `${until} 18:00`, ...more })

  it('sends steps that begin during an absence to the delegate, and shows that', async () => {
    // As the form sends it: without a start it begins now.
    right(await delegate(deals.manager, { from: null, until: dayAfter(30), withRunning: null }))
    const { id, approval } = await submitted()
    const during = await waitingFor(id)
    right(await deals.manager.post('/mini/approval/delegate/end', {}))
    const next = await submitted()

    expect(during).toEqual(['u-director'])
    expect(await waitingFor(next.id)).toEqual(['u-manager'])
    const shown = right(await deals.manager.get(`/mini/approval/detail?id=${approval}`))
    expect(shown.acts.at(-1)).toMatchObject({ action: 'delegate', title: '委托', user_id: 'u-manager' })
    expect(await tabOf(deals.manager, 'done')).toContain(approval)
    expect(right(await deals.manager.get('/mini/approval/delegate'))).toBeNull()
    const [told] = await messagesOf(deals.director, 'approval.delegated')
    expect(told).toMatchObject({
      title: expect.stringMatching(/^.+把审批委托给你$/),
      content: expect.stringContaining(`至 ${dayAfter(30).slice(0, 16)}，`),
      link: { route: '/pages/my/delegate/index' },
    })
  })

  it('also applies to approvers who are added or take over by hand-over', async () => {
    right(await delegate(deals.finance, { until: dayAfter(30) }))
    const handed = await submitted()
    const signed = await submitted()

    await act(deals.manager, handed.id, 'transfer', { toUserId: 'u-finance' })
    await act(deals.manager, signed.id, 'addSign', { toUserId: 'u-finance', place: 'before' })
    right(await deals.finance.post('/mini/approval/delegate/end', {}))

    expect(await waitingFor(handed.id)).toEqual(['u-director'])
    expect(await waitingFor(signed.id)).toEqual(['u-director'])
    const { acts } = right(await deals.manager.get(`/mini/approval/detail?id=${signed.approval}`))
    expect(acts.map((it: { title: string }) => it.title)).toEqual(['提交审批', '前加签', '委托'])
  })

  it('includes pending approvals on request', async () => {
    const { id } = await submitted()

    const saved = right(await delegate(deals.manager, { until: dayAfter(30), withRunning: true }))

    expect(saved).toMatchObject({ toUserId: 'u-director', moved: expect.any(Number) })
    expect(await waitingFor(id)).toEqual(['u-director'])
    expect(right(await deals.manager.get('/mini/approval/delegate'))).toMatchObject({
      userId: 'u-manager',
      toUserId: 'u-director',
      until: dayAfter(30),
    })
    right(await deals.manager.post('/mini/approval/delegate/end', {}))
  })

  it('does not begin before its time, and never chooses the owner or a user without the right', async () => {
    right(await delegate(deals.manager, { from: dayAfter(5), until: dayAfter(30) }))
    const early = await submitted()
    expect(await waitingFor(early.id)).toEqual(['u-manager'])
    right(await deals.manager.post('/mini/approval/delegate/end', {}))

    const bad = await Promise.all([
      delegate(deals.manager, { toUserId: 'u-demo', until: dayAfter(30) }),
      delegate(deals.manager, { toUserId: 'u-manager', until: dayAfter(30) }),
      delegate(deals.manager, { until: '2026-01-01 00:00' }),
      delegate(deals.manager, { until: dayAfter(400) }),
      delegate(deals.manager, { until: '下周' }),
    ])
    expect(bad.map((it) => it.meta.code)).toEqual([400, 400, 400, 400, 400])
  })

  it('is listed for its giver, its delegate and the administrators, and can be ended by the giver and the administrators', async () => {
    const list = async (client: Client) => right(await client.get('/mini/approval/delegate/list'))
    right(await delegate(deals.manager, { from: dayAfter(1), until: dayAfter(30) }))
    const rows = await Promise.all([deals.manager, deals.director, deals.admin, deals.finance].map(list))
    right(await deals.admin.post('/mini/approval/delegate/end', { userId: 'u-manager' }))

    expect(rows[0]).toMatchObject({ mine: true, list: [{ userId: 'u-manager', toUserId: 'u-director' }] })
    expect(rows.map(({ list: [row] }) => row && [row.begun, row.mayEnd])).toEqual([
      [false, true],
      [false, false],
      [false, true],
      undefined,
    ])
    expect((await list(deals.manager)).list).toEqual([])
  })

  it('can be set for another user only by an administrator', async () => {
    const more = { userId: 'u-manager', until: dayAfter(30) }

    expect((await delegate(deals.finance, more)).meta.code).toBe(405)
    expect((await deals.finance.get('/mini/approval/delegate?userId=u-manager')).meta.code).toBe(405)
    expect((await delegate(deals.admin, more)).meta.code).toBe(200)
    right(await deals.admin.post('/mini/approval/delegate/end', { userId: 'u-manager' }))
  })
})

describe('people in copy', () => {
  it('are notified of a submission and of its end', async () => {
    await flow([PERSON('u-manager')], [{ kind: 'user', value: 'u-ouyang' }])
    const { id } = await submitted('抄送的合同')
    const atFirst = await messagesOf(deals.accountant, 'contract.cc')

    await approveAll(deals, 'contract', id)

    expect(atFirst.map((it) => it.content)).toEqual([
      expect.stringContaining('抄送的合同，金额 ¥10,000.00，审批中'),
    ])
    const [newest] = await messagesOf(deals.accountant, 'contract.cc')
    expect(newest?.content).toContain('已通过')
    expect(right(await deals.accountant.get(`/mini/contract/detail?id=${id}`)).record.id).toBe(id)
  })
})

describe('replacing an approver', () => {
  const step = (people: readonly string[], approved: readonly string[] = []): Step => ({
    name: '',
    mode: 'all',
    people,
    approved,
  })

  it.each([
    ['puts another in their place', step(['a', 'b']), ['c'], ['c', 'b']],
    ['lets one decide for both', step(['a', 'b']), ['b'], ['b']],
    ['passes over one who has decided', step(['a', 'b'], ['b']), ['b', 'c'], ['c', 'b']],
  ])('%s', (_, before, candidates, people) => {
    expect(replaceApprover(before, 'a', candidates)?.people).toEqual(people)
  })

  it('is refused if no approver would be left', () => {
    expect(replaceApprover(step(['a', 'b'], ['b']), 'a', ['b'])).toBeNull()
    expect(replaceApprover(step(['a']), 'a', ['a'])).toBeNull()
  })
})

describe('an approval whose approver becomes the owner of the record', () => {
  it('is asked of those whom a submission would choose, once it is transferred', async () => {
    await flow([PERSON('u-director')])
    const { id, approval } = await submitted()

    right(await deals.demo.post('/mini/contract/transfer', { ids: [id], toUserId: 'u-director' }))

    const asked = await waitingFor(id)
    expect(asked).toHaveLength(1)
    expect(asked).not.toContain('u-director')
    const told = (await messagesOf(clientOf(deals, asked[0] ?? ''), 'contract.next')).map(
      (it) => it.link.query.id,
    )
    expect(told).toContain(approval)
    await approveAll(deals, 'contract', id)
    expect(await read(deals.director, 'contract', id)).toMatchObject({ approval_status: 2 })
  })

  it('is asked of the others of the step alone, if there are some', async () => {
    await flow([{ kind: 'role', value: 'finance', mode: 'all' }])
    const { id } = await submitted()
    const before = await waitingFor(id)

    right(await deals.demo.post('/mini/contract/transfer', { ids: [id], toUserId: 'u-finance' }))

    expect(before).toContain('u-finance')
    expect(await waitingFor(id)).toEqual(before.filter((it) => it !== 'u-finance'))
  })

  it('is not transferred to the only person who may decide it, and says so', async () => {
    await flow([PERSON('u-director')])
    const { id } = await submitted()
    await deals.server.database.system((trx) =>
      sql`update membership set status = 'disabled' where tenant_id = 'xinghai' and user_id not in ('u-demo', 'u-director')`.execute(
        trx,
      ),
    )

    const { data } = await deals.demo.post('/mini/contract/transfer', { ids: [id], toUserId: 'u-director' })

    expect(data).toMatchObject({
      ok: [],
      failed: [{ id, code: 409, message: expect.stringContaining('只有新负责人可以审批') }],
    })
    expect(await read(deals.demo, 'contract', id)).toMatchObject({ owner_id: 'u-demo' })
    expect(await waitingFor(id)).toEqual(['u-director'])
  })

  it('is asked of others when its owner leaves and hands over to the approver', async () => {
    await flow([PERSON('u-director')])
    const { id } = await submitted()

    const handed = right(
      await deals.admin.post('/engine/web/user/handover', { id: 'u-demo', toUserId: 'u-director' }),
    )

    expect(handed.stuckApprovals).toBe(0)
    expect(await waitingFor(id)).not.toContain('u-director')
    await approveAll(deals, 'contract', id)
    expect(await read(deals.director, 'contract', id)).toMatchObject({
      owner_id: 'u-director',
      approval_status: 2,
    })
  })
})

async function flow(steps: readonly object[], cc: readonly object[] = []): Promise<void> {
  const body = { entity: 'contract', steps: steps as unknown as Json, cc: cc as unknown as Json }
  right(await deals.admin.post('/mini/approval/flow/save', body))
}

async function submitted(name = '测试合同'): Promise<{ id: string; approval: string }> {
  const { id } = await draft(deals.demo, deals.customerId, { name })
  right(await deals.demo.post('/mini/contract/submit', { id }))
  const approval = right(await deals.demo.get(`/mini/contract/detail?id=${id}`)).approval_id
  return { id, approval }
}

async function act(client: Client, contractId: string, action: string, more: object = {}): Promise<void> {
  const id = right(await deals.admin.get(`/mini/contract/detail?id=${contractId}`)).approval_id
  right(await client.post('/mini/approval/act', { id, action, ...more }))
}

async function waitingFor(contractId: string): Promise<readonly string[]> {
  const { rows } = await deals.server.database.system((trx) =>
    sql<{
      people: string[]
    }>`select waiting_ids as people from approval where record_id = ${contractId}`.execute(trx),
  )
  return rows[0]?.people ?? []
}

async function disable(userId: string): Promise<void> {
  await deals.server.database.system((trx) =>
    sql`update membership set status = 'disabled' where tenant_id = 'xinghai' and user_id = ${userId}`.execute(
      trx,
    ),
  )
}

async function tabOf(client: Client, tab: string): Promise<readonly string[]> {
  const { list } = right(await client.post('/mini/approval/list', { tab, limit: 100 }))
  return list.map((row: { id: string }) => row.id)
}

interface Told {
  readonly event: string
  readonly title: string
  readonly content: string
  readonly category: string
  readonly link: { readonly query: { readonly id: string } }
}

async function messagesOf(client: Client, event: string): Promise<readonly Told[]> {
  const { list } = right(await client.post('/mini/message/list', { tab: 'all', limit: 100 }))
  return list.filter((it: Told) => it.event === event)
}

/** The wire format of a time some days after now. */
function dayAfter(days: number): string {
  const day = new Date(deals.server.clock.now + days * 24 * HOUR_MS)
  return `${day.toISOString().slice(0, 10)} 00:00:00`
}
