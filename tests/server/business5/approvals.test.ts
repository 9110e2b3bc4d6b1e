import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import type { FlowStep } from '../../../src/contract/approval.ts'
import {
  addSigner,
  approveStep,
  type Course,
  currentApprovers,
  handOver,
  isDone,
  isWithdrawable,
} from '../../../src/server/kernel/approvals/course.ts'
import { runs } from '../../support/long.ts'
import type { Client } from '../support.ts'
import {
  approveAll,
  clientOf,
  contractInEffect,
  type Deals,
  draft,
  makeCustomer,
  openDeals,
  paid,
  read,
  right,
} from './deals.ts'

let deals: Deals
let customer: string
beforeAll(async () => {
  deals = await openDeals()
  customer = await makeCustomer(deals.manager, '经理自己的客户有限公司')
}, 180_000)
afterAll(() => deals.server.close())

/** Everybody here may approve contracts; the manager submits her own. */
const PEOPLE = ['u-manager', 'u-director', 'u-finance', 'u-ouyang', 'u-admin'] as const
const SUBMITTER = 'u-manager'

const flows: fc.Arbitrary<{ steps: FlowStep[]; allow_self: boolean }> = fc.record({
  steps: fc.array(
    fc.oneof(
      fc.record({
        kind: fc.constant('user' as const),
        value: fc.constantFrom(...PEOPLE),
        mode: fc.constant('any' as const),
      }),
      fc.record({
        kind: fc.constant('role' as const),
        value: fc.constant('finance'),
        mode: fc.constantFrom('all' as const, 'any' as const),
      }),
      fc.record({ kind: fc.constant('superior' as const), mode: fc.constant('any' as const) }),
    ),
    { minLength: 1, maxLength: 4 },
  ),
  allow_self: fc.boolean(),
})
const walks = fc.array(
  fc.record({
    who: fc.constantFrom(...PEOPLE),
    // Mostly a current approver, so that a run makes progress.
    isAsked: fc.constantFrom(true, true, true, false),
    action: fc.constantFrom(
      'approve',
      'approve',
      'approve',
      'reject',
      'transfer',
      'addSign',
      'addSignBefore',
      'withdraw',
      'withdraw',
    ),
    to: fc.constantFrom(...PEOPLE),
    opinion: fc.constantFrom('', '好'),
  }),
  { minLength: 3, maxLength: 10 },
)

const added = (to: string) => ({ mode: 'all', people: [to], agreed: [], extra: true })

/** The rules of DOMAIN 1.6 implemented a second time in a different way: as a queue of future steps. */
class Model {
  readonly asked: Set<string>
  status: 'running' | 'approved' | 'rejected' | 'withdrawn' = 'running'
  private behindFirst = false
  /** Who decided a step of the flow alone, and who decided the latest step alone. */
  private readonly alone = new Set<string>()
  private latest: string | undefined
  constructor(
    private queue: {
      mode: string
      people: string[]
      agreed: string[]
      first: boolean
      lead?: boolean
      extra?: boolean
    }[],
    private readonly barred: readonly string[],
  ) {
    this.asked = new Set(queue.flatMap((step) => step.people))
  }
  waiting(): string[] {
    const [step] = this.queue
    return this.status !== 'running' || step === undefined
      ? []
      : step.people.filter((it) => !step.agreed.includes(it))
  }
  /** Performs it and returns the answer. */
  act(who: string, action: string, to: string, opinion: string): number {
    if (action === 'withdraw') return this.withdraw(who)
    if (this.status !== 'running') return 409
    if (!this.waiting().includes(who)) return this.asked.has(who) ? 409 : 405
    if (action === 'reject') {
      if (opinion === '') return 400
      this.status = 'rejected'
      return 200
    }
    const [step, ...later] = this.queue
    if (step === undefined) return 500
    if (action === 'approve') {
      step.agreed.push(who)
      if (!step.first) this.behindFirst = true
      if (step.mode === 'any' || step.people.length === step.agreed.length) {
        this.queue = later
        this.latest = step.people.length === 1 ? who : undefined
        if (this.latest !== undefined && step.extra !== true) this.alone.add(who)
        this.passDecided()
      }
      if (this.queue.length === 0) this.status = 'approved'
      return 200
    }
    if (to === who || this.barred.includes(to) || (action === 'transfer' && step.people.includes(to)))
      return 400
    this.asked.add(to)
    if (action === 'transfer') step.people = step.people.map((it) => (it === who ? to : it))
    else if (action === 'addSign')
      this.queue = [step, { ...added(to), first: step.lead === true, lead: step.lead === true }, ...later]
    else this.queue = [{ ...added(to), first: step.first, lead: step.first }, step, ...later]
    return 200
  }
  /** Steps of the flow that ask only who has decided one alone count as decided. */
  private passDecided(): void {
    const [step, ...later] = this.queue
    const [only = ''] = step?.people ?? []
    if (step === undefined || step.extra === true || step.people.length > 1) return
    if (!this.alone.has(only) && this.latest !== only) return
    this.alone.add(only)
    this.latest = only
    if (!step.first) this.behindFirst = true
    this.queue = later
    this.passDecided()
  }
  isWithdrawable(): boolean {
    return this.status === 'running' && !this.behindFirst
  }
  private withdraw(who: string): number {
    if (who !== SUBMITTER) return 405
    if (!this.isWithdrawable()) return 409
    this.status = 'withdrawn'
    return 200
  }
}

describe('the course of an approval', () => {
  const steps = fc.array(
    fc.record({
      mode: fc.constantFrom('all' as const, 'any' as const),
      people: fc.oneof(
        fc.tuple(fc.constantFrom(...PEOPLE)),
        fc.uniqueArray(fc.constantFrom(...PEOPLE), { minLength: 1 }),
      ),
    }),
    { minLength: 1, maxLength: 5 },
  )

  it('equals the model’s on any random walk', () => {
    fc.assert(
      fc.property(
        steps,
        fc.array(
          fc.record({
            who: fc.nat(4),
            action: fc.constantFrom('approve', 'approve', 'transfer', 'addSign', 'addSignBefore'),
            to: fc.constantFrom(...PEOPLE),
          }),
          { maxLength: 15 },
        ),
        (flow, walk) => {
          const model = new Model(
            flow.map((step, index) => ({
              mode: step.mode,
              people: [...step.people],
              agreed: [],
              first: index === 0,
            })),
            [],
          )
          let course: Course = { steps: flow.map((step) => ({ ...step, name: '', approved: [] })), at: 0 }
          for (const { who, action, to } of walk) {
            const waiting = model.waiting()
            const person = waiting[who % Math.max(1, waiting.length)]
            if (person === undefined || model.act(person, action, to, '') !== 200) continue
            if (action === 'approve') course = approveStep(course, person)
            else if (action === 'transfer') course = handOver(course, person, to)
            else course = addSigner(course, to, '', action === 'addSign' ? 'after' : 'before')

            expect(currentApprovers(course)).toEqual(model.waiting())
            expect([isDone(course), isWithdrawable(course)]).toEqual([
              model.status === 'approved',
              model.isWithdrawable(),
            ])
          }
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('an approval', () => {
  it('behaves like the model on any random walk over any flow, and no user decides on their own submission', async () => {
    await fc.assert(
      fc.asyncProperty(flows, walks, async (flow, walk) => {
        right(
          await deals.admin.post('/mini/approval/flow/save', {
            entity: 'contract',
            ...(flow as unknown as { steps: Json }),
          }),
        )
        const { id } = await draft(deals.manager, customer, { amount: 5 })
        right(await deals.manager.post('/mini/contract/submit', { id }))
        const shown = await detailOf(id)
        const barred = flow.allow_self ? [] : [SUBMITTER]
        const steps = shown.steps.map((step, index) => ({
          mode: step.mode,
          people: step.people.map((it) => it.id),
          agreed: [],
          first: index === 0,
        }))
        const model = new Model(steps, barred)
        expect(steps.length).toBeGreaterThan(0)
        for (const person of barred) expect([...model.asked]).not.toContain(person)

        for (const act of walk) {
          const usual = act.action === 'withdraw' ? SUBMITTER : model.waiting()[0]
          const who = act.isAsked ? (usual ?? act.who) : act.who
          const answered = await perform(clientOf(deals, who), id, shown.record.id, act)

          expect([act.action, answered]).toEqual([
            act.action,
            model.act(who, act.action, act.to, act.opinion),
          ])
          await stands(id, model)
        }
        await historyIsTrue(id, barred)
      }),
      { numRuns: runs(5, 25), endOnFailure: true },
    )
    right(
      await deals.admin.post('/mini/approval/flow/save', {
        entity: 'contract',
        steps: [{ kind: 'superior', mode: 'any' }],
      }),
    )
  }, 240_000)

  it('accepts only the faster of two users who may each decide', async () => {
    const payment = await payInFlow()
    const { approval_id: id } = right(await deals.demo.get(`/mini/payment/detail?id=${payment}`))

    const codes = (
      await Promise.all(
        [deals.finance, deals.accountant].map((it) =>
          it.post('/mini/approval/act', { id, action: 'approve' }),
        ),
      )
    ).map((it) => it.meta.code)

    expect(codes.sort()).toEqual([200, 409])
    expect(await read(deals.demo, 'payment', payment)).toMatchObject({ approval_status: 2 })
  })

  it('of a payment created by the accountant is not decided by the accountant, nor by a user without the right', async () => {
    const contract = await contractInEffect(deals)
    const made = right(
      await deals.accountant.post('/mini/payment/create', {
        contract_id: contract,
        amount: 1,
        paid_at: '2026-03-12',
        method: 'cash',
      }),
    )
    right(await deals.accountant.post('/mini/payment/submit', { id: made.id }))
    const { approval_id: id } = right(await deals.demo.get(`/mini/payment/detail?id=${made.id}`))

    const own = await deals.accountant.post('/mini/approval/act', { id, action: 'approve' })
    const byManager = await deals.manager.post('/mini/approval/act', { id, action: 'approve' })

    expect([own.meta.code, byManager.meta.code]).toEqual([405, 405])
    right(await deals.finance.post('/mini/approval/act', { id, action: 'approve' }))
  })

  it('is in the tabs of the users concerned, and readable by those in copy', async () => {
    right(
      await deals.admin.post('/mini/approval/flow/save', {
        entity: 'contract',
        steps: [{ kind: 'superior', mode: 'any' }],
        cc: [{ kind: 'user', value: 'u-songqing' }],
      }),
    )
    const songqing = await deals.server.as('songqing')
    const { id } = await draft(deals.demo, deals.customerId, { name: '抄送合同' })
    right(await deals.demo.post('/mini/contract/submit', { id }))
    const tabOf = async (client: Client, tab: string) =>
      right(await client.post('/mini/approval/list', { tab, keyword: '抄送' })).list.map(
        (row: { record_id: string }) => row.record_id,
      )
    const waiting = await tabOf(deals.manager, 'todo')
    const home = right(await deals.manager.get('/mini/home/overview')).todo.approvals
    await approveAll(deals, 'contract', id)

    expect(waiting).toEqual([id])
    expect(home).toBeGreaterThan(0)
    expect(await tabOf(deals.manager, 'todo')).toEqual([])
    expect(await tabOf(deals.manager, 'done')).toEqual([id])
    expect(await tabOf(deals.demo, 'mine')).toEqual([id])
    expect(await tabOf(songqing, 'cc')).toEqual([id])
    expect(await tabOf(deals.accountant, 'mine')).toEqual([])
  })

  it('names its customer to who decides or sees the customer, not to those in copy who do not', async () => {
    const named = '北京测试客户有限公司'
    const songqing = await deals.server.as('songqing')
    const copy = { cc: [{ kind: 'user', value: 'u-songqing' }] }
    for (const [entity, step] of [
      ['contract', { kind: 'superior', mode: 'any' }],
      ['payment', { kind: 'role', value: 'finance', mode: 'any' }],
    ] as const)
      right(await deals.admin.post('/mini/approval/flow/save', { entity, steps: [step], ...copy }))
    const contract = await contractInEffect(deals, { name: '抄送的合同' })
    const payment = await paid(deals, contract, 100)
    const told = async (client: Client, entity: 'contract' | 'payment', recordId: string) => {
      const { approval_id: id } = right(await deals.demo.get(`/mini/${entity}/detail?id=${recordId}`))
      const { record } = right(await client.get(`/mini/approval/detail?id=${id}`))
      const tab = client === songqing ? 'cc' : client === deals.demo ? 'mine' : 'done'
      const ids = right(await client.post('/mini/approval/list', { tab, keyword: named })).list.map(
        (row: { id: string }) => row.id,
      )
      return [record.customer_name, ids.includes(id)]
    }

    for (const [client, entity, id] of [
      [deals.manager, 'contract', contract],
      [deals.finance, 'payment', payment],
      [deals.demo, 'contract', contract],
      [deals.demo, 'payment', payment],
    ] as const)
      expect(await told(client, entity, id)).toEqual([named, true])
    expect(await told(songqing, 'contract', contract)).toEqual([null, false])
    expect(await told(songqing, 'payment', payment)).toEqual([null, false])
  })

  it('is skipped if the flow is off, except below a price floor', async () => {
    right(
      await deals.admin.post('/mini/approval/flow/save', { entity: 'contract', enabled: false, steps: [] }),
    )
    const product = right(
      await deals.director.post('/mini/product/create', {
        name: '限价品',
        category_id: 'service',
        unit: 'set_unit',
        price: 10,
        min_price: 9,
      }),
    ).id
    const { id: free } = await draft(deals.demo, deals.customerId)
    const { id: cheap } = await draft(deals.demo, deals.customerId, {
      amount: undefined,
      lines: [{ product_id: product, price: 8, quantity: 1 }],
    })

    for (const id of [free, cheap]) right(await deals.demo.post('/mini/contract/submit', { id }))

    expect(await read(deals.demo, 'contract', free)).toMatchObject({ approval_status: 2 })
    expect(await read(deals.demo, 'contract', cheap)).toMatchObject({ approval_status: 1, below_min: true })
  })
})

describe('the flow', () => {
  it.each([
    ['an unknown entity', { entity: 'customer' }],
    ['an unknown kind', { steps: [{ kind: 'anybody', mode: 'any' }] }],
    ['a user without an id', { steps: [{ kind: 'user', mode: 'any' }] }],
    ['an unknown mode', { steps: [{ kind: 'superior', mode: 'some' }] }],
    ['too many steps', { steps: Array.from({ length: 11 }, () => ({ kind: 'superior', mode: 'any' })) }],
  ])('is refused with %s', async (_, more) => {
    expect(
      (await deals.admin.post('/mini/approval/flow/save', { entity: 'contract', ...more })).meta.code,
    ).toBe(400)
  })

  it('can only be changed by an administrator', async () => {
    expect((await deals.director.post('/mini/approval/flow/save', { entity: 'contract' })).meta.code).toBe(
      405,
    )
    expect((await deals.demo.get('/mini/approval/flow?entity=payment')).meta.code).toBe(405)
  })
})

interface Shown {
  readonly record: { readonly id: string; readonly status: string }
  readonly steps: { mode: string; state: string; people: { id: string; approved: boolean }[] }[]
}

async function detailOf(contractId: string): Promise<Shown> {
  const { approval_id } = right(await deals.manager.get(`/mini/contract/detail?id=${contractId}`))
  return right(await deals.manager.get(`/mini/approval/detail?id=${approval_id}`))
}

async function perform(
  client: Client,
  contractId: string,
  id: string,
  act: { action: string; to: string; opinion: string },
): Promise<number> {
  const { to: toUserId, opinion } = act
  const isBefore = act.action === 'addSignBefore'
  const action = isBefore ? 'addSign' : act.action
  const place = isBefore ? 'before' : 'after'
  const answer =
    action === 'withdraw'
      ? await client.post('/mini/contract/withdraw', { id: contractId })
      : await client.post('/mini/approval/act', { id, action, toUserId, opinion, place })
  return answer.meta.code
}

async function stands(contractId: string, model: Model): Promise<void> {
  const shown = await detailOf(contractId)
  const current = shown.steps.find((step) => step.state === 'current')
  const waiting = (current?.people ?? []).filter((it) => !it.approved).map((it) => it.id)
  expect([shown.record.status, waiting]).toEqual([model.status, model.waiting()])
  const status = { running: 1, approved: 2, rejected: 3, withdrawn: 4 }[model.status]
  expect(await read(deals.manager, 'contract', contractId)).toMatchObject({ approval_status: status })
}

/** The history of an approval: every act in order, none of an excluded person. */
async function historyIsTrue(contractId: string, barred: readonly string[]): Promise<void> {
  const { rows } = await deals.server.database.system((trx) =>
    sql<{ user_id: string; action: string }>`select d.user_id, d.action from approval_act d
      join approval a on a.id = d.approval_id where a.record_id = ${contractId} order by d.seq`.execute(trx),
  )
  expect(rows[0]?.action).toBe('submit')
  expect(rows.filter((row) => row.action === 'approve' && barred.includes(row.user_id))).toEqual([])
}

async function payInFlow(): Promise<string> {
  const contract = await contractInEffect(deals)
  await paid(deals, contract, 1)
  const { id } = right(
    await deals.demo.post('/mini/payment/create', {
      contract_id: contract,
      amount: 2,
      paid_at: '2026-03-12',
      method: 'cash',
    }),
  )
  right(await deals.demo.post('/mini/payment/submit', { id }))
  return id
}
