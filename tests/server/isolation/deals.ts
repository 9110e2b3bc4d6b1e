import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  contractInEffect,
  type Deals,
  draft,
  makeProduct,
  openDeals,
  paid,
  right,
} from '../business5/deals.ts'
import type { Answer, Client } from '../support.ts'
import { NETS, useAccessCheck } from './nets.ts'

let deals: Deals
/** The other tenant, and one of its people who has all permissions there. */
let foreign: Client
/** A salesperson of the same tenant in another department. */
let neighbour: Client
const secret = { contract: '', draft: '', plan: '', payment: '', product: '', activity: '', approval: '' }
beforeAll(async () => {
  deals = await openDeals()
  foreign = await deals.server.as('yfadmin')
  neighbour = await deals.server.as('zengke')
  const plans = [{ plan_amount: 10, plan_date: '2026-04-01' }]
  secret.contract = await contractInEffect(deals, { name: '机密合同', plans })
  secret.draft = (await draft(deals.demo, deals.customerId, { name: '机密草稿' })).id
  right(await deals.demo.post('/mini/contract/submit', { id: secret.draft }))
  secret.payment = await paid(deals, secret.contract, 10, { remark: '机密回款' })
  secret.approval = right(await deals.demo.get(`/mini/contract/detail?id=${secret.draft}`)).approval_id
  secret.plan = right(await deals.demo.post('/mini/plan/list')).list[0].id
  secret.product = await makeProduct(deals.director, { name: '机密产品' })
  secret.activity = right(
    await deals.director.post('/mini/activity/create', {
      name: '机密活动',
      type: 'salon',
      start_at: '2026-03-16 09:00:00',
      end_at: '2026-03-16 18:00:00',
    }),
  ).id
}, 90_000)
afterAll(() => deals.server.close())

type Call = (client: Client) => Promise<Answer>
const body = { amount: 1, paid_at: '2026-03-12', method: 'cash' }

/** Every call of contracts and payments that takes an id. */
const DEAL_CALLS: readonly (readonly [string, Call])[] = [
  ...(['contract', 'payment', 'plan'] as const).flatMap((entity): [string, Call][] => [
    [`${entity} detail`, (client) => client.get(`/mini/${entity}/detail?id=${secret[entity]}`)],
    [`${entity} log`, (client) => client.get(`/mini/${entity}/log?id=${secret[entity]}`)],
    [
      `${entity} update`,
      (client) => client.post(`/mini/${entity}/update`, { id: secret[entity], version: 1, remark: 'x' }),
    ],
  ]),
  ...(['submit', 'withdraw', 'change', 'renew', 'perform'] as const).map((act): [string, Call] => [
    `contract ${act}`,
    (client) => client.post(`/mini/contract/${act}`, { id: secret.contract, reason: 'x', status: 2 }),
  ]),
  ...(['submit', 'withdraw'] as const).map((act): [string, Call] => [
    `payment ${act}`,
    (client) => client.post(`/mini/payment/${act}`, { id: secret.payment, reason: 'x' }),
  ]),
  [
    'payment create',
    (client) => client.post('/mini/payment/create', { ...body, contract_id: secret.contract }),
  ],
  [
    'plan create',
    (client) =>
      client.post('/mini/plan/create', {
        contract_id: secret.contract,
        plan_amount: 1,
        plan_date: '2026-05-01',
      }),
  ],
  [
    'plan generate',
    (client) => client.post('/mini/plan/generate', { contractId: secret.contract, preset: '100' }),
  ],
  ['approval detail', (client) => client.get(`/mini/approval/detail?id=${secret.approval}`)],
  ['approval act', (client) => client.post('/mini/approval/act', { id: secret.approval, action: 'approve' })],
]

/** Further calls that require more permissions, and those of data shared by a whole tenant. */
const TENANT_CALLS: readonly (readonly [string, Call])[] = [
  ['contract void', (client) => client.post('/mini/contract/void', { id: secret.contract, reason: 'x' })],
  ['payment reverse', (client) => client.post('/mini/payment/reverse', { id: secret.payment, reason: 'x' })],
  ...(['product', 'activity'] as const).flatMap((entity): [string, Call][] => [
    [`${entity} detail`, (client) => client.get(`/mini/${entity}/detail?id=${secret[entity]}`)],
    [`${entity} log`, (client) => client.get(`/mini/${entity}/log?id=${secret[entity]}`)],
    [
      `${entity} update`,
      (client) => client.post(`/mini/${entity}/update`, { id: secret[entity], version: 1, name: 'x' }),
    ],
  ]),
  ['activity cancel', (client) => client.post('/mini/activity/cancel', { id: secret.activity, reason: 'x' })],
  ['activity members', (client) => client.get(`/mini/activity/member/list?id=${secret.activity}`)],
  [
    'activity sign-in',
    (client) => client.post('/mini/activity/sign-in', { id: secret.activity, memberId: 'x' }),
  ],
  [
    'activity member save',
    (client) =>
      client.post('/mini/activity/member/save', { id: secret.activity, members: [{ leadId: 'x' }] }),
  ],
]

const BATCHES = [
  ['contract', 'delete'],
  ['contract', 'restore'],
  ['contract', 'transfer'],
  ['payment', 'delete'],
  ['payment', 'restore'],
  ['plan', 'delete'],
  ['plan', 'restore'],
] as const
const TENANT_BATCHES = [
  ['product', 'delete'],
  ['product', 'restore'],
  ['product', 'status'],
  ['product', 'patch'],
  ['activity', 'delete'],
  ['activity', 'restore'],
] as const

const LISTS: readonly (readonly [string, Call])[] = [
  ...(['contract', 'payment', 'plan'] as const).flatMap((entity): [string, Call][] => [
    [`${entity} list`, (client) => client.post(`/mini/${entity}/list`, {})],
    [
      `${entity} options`,
      (client) => client.get(`/mini/${entity}/options?ids=${secret[entity]}&contractId=${secret.contract}`),
    ],
    [`${entity} picker`, (client) => client.get(`/mini/${entity}/options?contractId=${secret.contract}`)],
  ]),
  ['approval todo', (client) => client.post('/mini/approval/list', { tab: 'todo' })],
  ['approval mine', (client) => client.post('/mini/approval/list', { tab: 'mine' })],
]

describe.each(NETS)('for another tenant, %s,', (_, predicate) => {
  useAccessCheck(predicate)

  it.each([...DEAL_CALLS, ...TENANT_CALLS])('%s returns nothing', async (_name, call) => {
    const answer = await call(foreign)

    expect([answer.meta.code, answer.body.includes('机密')]).toEqual([404, false])
  })

  it.each([...BATCHES, ...TENANT_BATCHES])('%s %s changes nothing', async (entity, action) => {
    const sent = { ids: [secret[entity]], status: 0, sort: 5, toUserId: 'u-yfadmin' }
    const { ids, status, sort, toUserId } = sent
    const more =
      action === 'status'
        ? { status }
        : action === 'patch'
          ? { sort }
          : action === 'transfer'
            ? { toUserId }
            : {}

    const answer = right(await foreign.post(`/mini/${entity}/${action}`, { ids, ...more }))

    expect(answer.ok).toEqual([])
    expect(answer.failed).toMatchObject([{ code: 404 }])
  })

  it.each([
    ...LISTS,
    ['product list', (client: Client) => client.post('/mini/product/list', {})] as const,
    [
      'product options',
      (client: Client) => client.get(`/mini/product/options?ids=${secret.product}`),
    ] as const,
    ['activity list', (client: Client) => client.post('/mini/activity/list', {})] as const,
    [
      'activity options',
      (client: Client) => client.get(`/mini/activity/options?ids=${secret.activity}`),
    ] as const,
  ])('%s is empty', async (_name, call) => {
    const answer = await call(foreign)

    expect(right(answer).list).toEqual([])
  })
})

describe('for a colleague of another department', () => {
  it.each(DEAL_CALLS)('%s returns nothing', async (name, call) => {
    const answer = await call(neighbour)

    // A caller without the approval permission gets that refusal first, and nothing more.
    expect(answer.meta.code).toBe(404)
    expect(answer.body, name).not.toContain('机密')
  })

  it.each(BATCHES.filter(([, action]) => action !== 'transfer'))(
    '%s %s changes nothing',
    async (entity, action) => {
      const answer = right(await neighbour.post(`/mini/${entity}/${action}`, { ids: [secret[entity]] }))

      expect([answer.ok, answer.failed[0].code]).toEqual([[], 404])
    },
  )

  it.each(LISTS)('%s is empty', async (_name, call) => {
    expect(right(await call(neighbour)).list).toEqual([])
  })

  it('a contract cannot use lines, opportunities or users of another tenant', async () => {
    const sent = {
      customer_id: deals.customerId,
      name: 'x',
      type: 'direct',
      amount: 1,
      sign_date: '2026-03-10',
    }

    expect((await neighbour.post('/mini/contract/create', sent)).meta.error?.fields).toHaveProperty(
      'customer_id',
    )
    const line = [{ product_id: secret.product, quantity: 1, price: 1 }]
    const other = await foreign.post('/mini/contract/create', { ...sent, lines: line })
    expect(Object.keys(other.meta.error?.fields ?? {})).toEqual(
      expect.arrayContaining(['customer_id', 'lines.0.product_id']),
    )
  })
})

it('a read-only collaborator of a contract cannot change it by any call', async () => {
  await deals.server.database.system((trx) =>
    sql`insert into collaborator (tenant_id, entity, record_id, user_id, level)
      values ('xinghai', 'contract', ${secret.contract}, 'u-zengke', 'read')`.execute(trx),
  )
  const shown = right(await neighbour.get(`/mini/contract/detail?id=${secret.contract}`))
  const calls = DEAL_CALLS.filter(([name]) =>
    /create|generate|change|renew|perform|submit|update|contract withdraw/.test(name),
  )
  const codes = await Promise.all(
    calls.map(async ([name, call]) => [name, (await call(neighbour)).meta.code]),
  )

  expect(shown.actions).toEqual([])
  for (const [name, code] of codes) expect([name, [405, 409].includes(Number(code))]).toEqual([name, true])
})
