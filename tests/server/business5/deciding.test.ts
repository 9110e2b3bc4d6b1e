import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  approveAll,
  contractInEffect,
  type Deals,
  draft,
  openDeals,
  paymentOf,
  read,
  right,
} from './deals.ts'

let deals: Deals
beforeAll(async () => {
  deals = await openDeals()
}, 180_000)
afterAll(() => deals.server.close())
beforeEach(async () => {
  for (const entity of ['contract', 'payment'])
    right(
      await deals.admin.post('/mini/approval/flow/save', {
        entity,
        enabled: true,
        allow_self: false,
        steps: [{ kind: 'user', value: 'u-manager', mode: 'any' }],
        cc: [],
      }),
    )
})

describe('a question of an approver', () => {
  it('reaches the submitter, who answers it, and leaves the decision open', async () => {
    const { id, approval } = await submitted()

    const silent = await deals.manager.post('/mini/approval/act', { id: approval, action: 'ask' })
    right(
      await deals.manager.post('/mini/approval/act', {
        id: approval,
        action: 'ask',
        opinion: '为什么打九折？',
      }),
    )
    const asked = right(await deals.demo.get(`/mini/approval/detail?id=${approval}`))
    const byOther = await deals.finance.post('/mini/approval/reply', { id: approval, opinion: '不知道' })
    const empty = await deals.demo.post('/mini/approval/reply', { id: approval })
    right(await deals.demo.post('/mini/approval/reply', { id: approval, opinion: '年框客户' }))

    expect([silent.meta.code, byOther.meta.code, empty.meta.code]).toEqual([400, 405, 400])
    expect(silent.meta.error).toMatchObject({ fields: { opinion: '请填写要问提交人的问题' } })
    expect(asked.record).toMatchObject({ status: 'running', waiting_names: expect.any(String) })
    expect(asked.actions).toContain('reply')
    expect(asked.acts.at(-1)).toMatchObject({ action: 'ask', title: '询问', opinion: '为什么打九折？' })
    expect(await told(deals.demo, 'contract.ask')).toMatchObject([
      {
        content: expect.stringContaining('为什么打九折？'),
        url: `/pages/work/approval/detail?id=${approval}`,
      },
    ])
    expect(await told(deals.manager, 'contract.reply')).toMatchObject([
      { content: expect.stringContaining('年框客户') },
    ])
    await approveAll(deals, 'contract', id)
    const late = await deals.demo.post('/mini/approval/reply', { id: approval, opinion: '还有' })
    expect(late.meta.code).toBe(409)
    expect(await read(deals.demo, 'contract', id)).toMatchObject({ approval_status: 2 })
  })
})

describe('several approvals at once', () => {
  it('are decided independently, and failed ones are named', async () => {
    const [first, second, over] = [await submitted(), await submitted(), await submitted()]
    await approveAll(deals, 'contract', over.id)
    const ids = [first.approval, second.approval, over.approval, 'nothing']

    const done = right(await deals.manager.post('/mini/approval/act/many', { ids, action: 'approve' }))

    expect([...done.ok].sort()).toEqual([first.approval, second.approval].sort())
    expect(done.failed).toMatchObject(
      [
        { id: over.approval, name: '测试合同', message: '审批已结束' },
        { id: 'nothing', name: '' },
      ].sort((a, b) => (a.id < b.id ? -1 : 1)),
    )
    expect(await read(deals.demo, 'contract', first.id)).toMatchObject({ approval_status: 2 })
  })

  it('need a reason for a rejection, and offer only approval and rejection', async () => {
    const { id, approval } = await submitted()
    const many = (more: object) => deals.manager.post('/mini/approval/act/many', { ids: [approval], ...more })

    const silent = right(await many({ action: 'reject' }))
    const other = await many({ action: 'transfer', toUserId: 'u-director' })
    const byOther = right(
      await deals.finance.post('/mini/approval/act/many', { ids: [approval], action: 'approve' }),
    )
    const done = right(await many({ action: 'reject', opinion: '价格太低' }))

    expect(silent).toMatchObject({ ok: [], failed: [{ id: approval }] })
    expect(other.meta.code).toBe(400)
    expect(byOther).toMatchObject({ ok: [], failed: [{ id: approval, name: '' }] })
    expect(done).toEqual({ ok: [approval], failed: [] })
    expect(await read(deals.demo, 'contract', id)).toMatchObject({ approval_status: 3 })
  })
})

describe('the receiver of a question', () => {
  it('sees it on the card until it is answered, and again with the next one', async () => {
    const { approval } = await submitted()
    const ask = (opinion: string) =>
      deals.manager.post('/mini/approval/act', { id: approval, action: 'ask', opinion })
    const question = async () => (await cardOf(deals.demo, 'mine', approval)).question

    const before = await question()
    right(await ask('为什么打九折？'))
    const asked = await question()
    right(await deals.demo.post('/mini/approval/reply', { id: approval, opinion: '年框客户' }))
    const answered = await question()
    right(await ask('年框有多大？'))
    const again = await question()
    right(await deals.manager.post('/mini/approval/act', { id: approval, action: 'approve' }))

    expect([before, answered, await question()]).toEqual([null, null, null])
    expect(asked).toEqual({ by: expect.stringMatching(/.+/), text: '为什么打九折？' })
    expect(again).toMatchObject({ text: '年框有多大？' })
  })
})

describe('the approver’s view', () => {
  it('of a contract shows each field as text, with the tenant’s own fields and the products', async () => {
    right(
      await deals.admin.post('/engine/web/field/save', {
        module: 'contract',
        field: { name: 'ship_to', kind: 'text', label: '送货地' },
      }),
    )
    const { approval } = await submitted({
      remark: '首单优惠',
      ext: { ship_to: '北京大兴' },
      start_date: '2026-04-01',
    })

    const { facts, changes, lines } = right(await deals.manager.get(`/mini/approval/detail?id=${approval}`))

    const said = Object.fromEntries(facts.map((it: { label: string; text: string }) => [it.label, it.text]))
    expect(said).toMatchObject({
      合同类型: '直销合同',
      开始日期: '2026-04-01',
      备注: '首单优惠',
      送货地: '北京大兴',
    })
    expect([changes, lines]).toEqual([[], []])
  })

  it('of a revision also shows the differences from the contract in effect', async () => {
    const old = await contractInEffect(deals, { remark: '原备注' })
    const revision = right(await deals.demo.post('/mini/contract/change', { id: old, reason: '客户加购' }))
    const { version } = right(await deals.demo.get(`/mini/contract/detail?id=${revision.id}`)).record
    right(await deals.demo.post('/mini/contract/update', { id: revision.id, version, amount: 15_000 }))
    right(await deals.demo.post('/mini/contract/submit', { id: revision.id }))

    const { changes } = right(
      await deals.manager.get(`/mini/approval/detail?id=${await approvalOf(revision.id)}`),
    )

    expect(changes).toContainEqual({
      label: '合同金额',
      was: '¥10,000.00',
      is: '¥15,000.00',
      text: '合同金额：¥10,000.00 → ¥15,000.00',
    })
    expect(changes).toContainEqual(expect.objectContaining({ label: '备注', was: '原备注', is: '客户加购' }))
    expect(changes.map((it: { label: string }) => it.label)).not.toContain('合同类型')
  })

  it('of a revision shows the differences on the card in the list as well; a first contract has none', async () => {
    const { approval: first } = await submitted()
    const old = await contractInEffect(deals)
    const revision = right(await deals.demo.post('/mini/contract/change', { id: old }))
    const { version } = right(await deals.demo.get(`/mini/contract/detail?id=${revision.id}`)).record
    right(await deals.demo.post('/mini/contract/update', { id: revision.id, version, amount: 15_000 }))
    right(await deals.demo.post('/mini/contract/submit', { id: revision.id }))

    const changed = await cardOf(deals.manager, 'todo', await approvalOf(revision.id))
    const plain = await cardOf(deals.manager, 'todo', first)

    expect(changed.is_change).toBe(true)
    expect(changed.changes).toContainEqual({
      label: '合同金额',
      was: '¥10,000.00',
      is: '¥15,000.00',
      text: '合同金额：¥10,000.00 → ¥15,000.00',
    })
    expect([plain.is_change, plain.changes]).toEqual([false, []])
  })

  it('of a renamed revision also shows the name', async () => {
    const old = await contractInEffect(deals)
    const { record } = right(await deals.demo.get(`/mini/contract/detail?id=${old}`))
    const revision = right(await deals.demo.post('/mini/contract/change', { id: old }))
    const { version } = right(await deals.demo.get(`/mini/contract/detail?id=${revision.id}`)).record
    right(await deals.demo.post('/mini/contract/update', { id: revision.id, version, name: '改了名的合同' }))
    right(await deals.demo.post('/mini/contract/submit', { id: revision.id }))
    const approval = await approvalOf(revision.id)

    const { changes, facts } = right(await deals.manager.get(`/mini/approval/detail?id=${approval}`))

    expect(changes).toContainEqual(
      expect.objectContaining({ label: '合同名称', was: record.name, is: '改了名的合同' }),
    )
    expect((await cardOf(deals.manager, 'todo', approval)).changes).toEqual(changes)
    expect(facts.map((it: { label: string }) => it.label)).not.toContain('合同名称')
  })

  it('of a payment shows its plans, its contract and the earlier payments', async () => {
    const contract = await contractInEffect(deals, {
      plans: [{ plan_amount: 3_000, plan_date: '2026-04-01' }],
    })
    const { id } = right(await deals.demo.post('/mini/payment/create', paymentOf(contract, 4_000)))
    right(await deals.demo.post('/mini/payment/submit', { id }))

    const { facts } = right(await deals.manager.get(`/mini/approval/detail?id=${await approvalOf(id)}`))

    const said = Object.fromEntries(facts.map((it: { label: string; text: string }) => [it.label, it.text]))
    expect(said).toMatchObject({ 合同金额: '¥10,000.00', 此前已回款: '¥0.00', 尚未回款: '¥10,000.00' })
    expect(said.合同).toContain('测试合同')
    expect(said.计划分配).toBe('第1期 ¥3,000.00；未分配 ¥1,000.00')
  })
})

async function submitted(more: Parameters<typeof draft>[2] = {}) {
  const { id } = await draft(deals.demo, deals.customerId, more)
  right(await deals.demo.post('/mini/contract/submit', { id }))
  return { id, approval: await approvalOf(id) }
}

async function approvalOf(recordId: string): Promise<string> {
  const { rows } = await deals.server.database.system((trx) =>
    sql<{ id: string }>`select id from approval where record_id = ${recordId}`.execute(trx),
  )
  return rows[0]?.id ?? ''
}

async function cardOf(client: Deals['demo'], tab: string, id: string) {
  const { list } = right(await client.post('/mini/approval/list', { tab, limit: 100 }))
  return list.find((it: { id: string }) => it.id === id)
}

async function told(client: Deals['demo'], event: string) {
  const { list } = right(await client.post('/mini/message/list', { tab: 'all', limit: 100 }))
  return list.filter((it: { event: string }) => it.event === event)
}
