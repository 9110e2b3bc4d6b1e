import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { asMerged } from '../../../src/model/merge-module.ts'
import { countedAt, isRolled, ROLLUPS } from '../../../src/model/rollups.ts'
import type { ConnectionSource } from '../../../src/server/kernel/db/connection.ts'
import { tableOf } from '../../../src/server/kernel/model/stored.ts'
import { draft, right } from '../business5/deals.ts'
import { finished, readSheetOf } from '../sheets/finished-job.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const statements: string[] = []
const { server, admin, demo, save, give, make } = await openOwnTenant([], watched)
afterAll(() => server.close())

const TICKET = aModule({
  fields: [
    { name: 'customer_id', kind: 'ref', module: 'customer', label: '客户', filter: true },
    { name: 'fee', kind: 'money', label: '费用' },
    { name: 'due', kind: 'day', label: '期限' },
    {
      name: 'state',
      kind: 'choice',
      label: '状态',
      options: [
        { value: 'open', label: '待处理' },
        { value: 'done', label: '已解决' },
      ],
    },
    { name: 'part_of', kind: 'ref', module: 'ticket', label: '上级工单' },
    rollup('parts', '子工单数', { module: 'ticket', by: 'part_of', of: 'count' }, { card: true }),
  ],
})

function rollup(name: string, label: string, how: JsonObject, more: JsonObject = {}): JsonObject {
  return { name, kind: 'rollup', label, rollup: how, ...more }
}

const ticketsOf = (of: string, field?: string): JsonObject => ({
  module: 'ticket',
  by: 'customer_id',
  of,
  ...(field === undefined ? {} : { field }),
})

const MODULES = new URL('../../../schemas/modules', import.meta.url).pathname

const FIELDS: readonly JsonObject[] = [
  rollup('tickets', '工单数', ticketsOf('count'), { card: true }),
  rollup('fees', '工单费用', ticketsOf('sum', 'fee'), { card: true }),
  rollup('first_due', '最早期限', ticketsOf('min', 'due')),
  rollup('last_due', '最晚期限', ticketsOf('max', 'due')),
  rollup('last_state', '最近状态', ticketsOf('latest', 'state')),
  rollup('last_ticket', '最近工单', ticketsOf('latest')),
  rollup('deals', '合同总额', { module: 'contract', by: 'customer_id', of: 'sum', field: 'amount' }),
  {
    name: 'each',
    kind: 'formula',
    label: '平均费用',
    result: 'number',
    card: true,
    formula: { '/': [{ var: 'fees' }, { var: 'tickets' }] },
  },
]

/** Records every statement. */
function watched(source: ConnectionSource): ConnectionSource {
  return {
    ...source,
    async acquire() {
      const connection = await source.acquire()
      return {
        ...connection,
        query(text, parameters) {
          statements.push(text)
          return connection.query(text, parameters)
        },
      }
    },
  }
}

let customer = ''
let empty = ''
beforeAll(async () => {
  await save(TICKET)
  await give('sales', 'ticket')
  await save({ name: 'customer', fields: FIELDS })
  customer = right(await demo.post('/mini/customer/create', { name: '汇总客户', mobile: '13800010002' })).id
  empty = right(
    await demo.post('/mini/customer/create', { name: '没有工单的客户', mobile: '13800010003' }),
  ).id
  const ticket = { customer_id: customer }
  await make(demo, 'ticket', { title: '一', fee: 10.1, due: '2026-04-02', state: 'done', ...ticket })
  await make(demo, 'ticket', { title: '二', fee: 0.2, due: '2026-03-30', state: 'open', ...ticket })
  await make(admin, 'ticket', { title: '三', fee: 100, ...ticket })
})

const recordOf = async (client: typeof admin, id: string): Promise<JsonObject> =>
  right(await client.get(`/mini/customer/detail?id=${id}`)).record

describe('rollups over the records that refer to a record', () => {
  it('are a count, a sum, the first, the maximum and the last value, with its text', async () => {
    const record = await recordOf(admin, customer)

    expect(record).toMatchObject({
      ext_tickets: 3,
      ext_tickets_name: '3',
      ext_fees: 110.3,
      ext_fees_name: '110.30',
      ext_first_due: '2026-03-30',
      ext_last_due: '2026-04-02',
      ext_last_state: 'open',
      ext_last_state_name: '待处理',
      ext_last_ticket: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      ext_deals: null,
    })
  })

  it('are empty without such records', async () => {
    expect(await recordOf(admin, empty)).toMatchObject({
      ext_tickets: 0,
      ext_fees: null,
      ext_fees_name: '',
      ext_last_state: null,
    })
  })

  it('count what the user finds in the other list, and nothing for users who may not see that list', async () => {
    const mine = await recordOf(demo, customer)
    await give('sales', 'ticket', { permissions: [] })
    const closed = await recordOf(demo, customer)
    await give('sales', 'ticket')

    expect(mine).toMatchObject({ ext_tickets: 2, ext_fees: 10.3, ext_each: 5.15 })
    expect(Object.keys(closed).filter((name) => /^ext_(?:tickets|fees|first_due)/.test(name))).toEqual([])
    expect(closed.ext_each).toBeNull()
  })

  it('are loaded by one statement per page for the cards that show them, and formulas read them', async () => {
    statements.length = 0
    const { list } = right(await demo.post('/mini/customer/list', { keyword: '客户', limit: 20 }))
    const asked = statements.filter((text) => text.includes('cross join lateral (select count(*) as n'))
    const card = list.find(({ id }: JsonObject) => id === customer)

    expect(card).toMatchObject({ ext_tickets: 2, ext_fees: 10.3, ext_fees_name: '10.30', ext_each: 5.15 })
    expect(card).not.toHaveProperty('ext_first_due')
    expect(asked).toHaveLength(1)
  })

  it('follow the records: deleted ones do not count', async () => {
    const id = await make(demo, 'ticket', { title: '四', fee: 5, customer_id: customer })
    const before = await recordOf(demo, customer)
    right(await demo.post('/mini/m/ticket/delete', { ids: [id] }))

    expect([before.ext_tickets, (await recordOf(demo, customer)).ext_tickets]).toEqual([3, 2])
  })

  it('cannot be written', async () => {
    const { version } = await recordOf(demo, customer)
    const given = { id: customer, version, ext: { tickets: 9 } }
    const answer = await demo.post('/mini/customer/update', given)

    expect(answer.meta.error?.fields).toEqual({ 'ext.tickets': '不支持的字段' })
  })

  it('work over records of the product’s modules, and over its own', async () => {
    await draft(demo, customer, { amount: 1200 })
    const whole = await make(demo, 'ticket', { title: '整机' })
    await make(demo, 'ticket', { title: '零件', part_of: whole })
    const { list } = right(await demo.post('/mini/m/ticket/list', { limit: 50 }))
    const parts = Object.fromEntries(list.map((one: JsonObject) => [one.title, one.parts_name]))

    expect((await recordOf(demo, customer)).ext_deals).toBe(1200)
    expect(parts).toMatchObject({ 整机: '1', 零件: '0' })
  })

  it('are exported to a sheet and not imported', async () => {
    const job = await finished(admin, await admin.post('/mini/customer/export', { ids: [customer] }))
    const [titles = [], row = []] = await readSheetOf(server, job.fileUrl)
    const cell = (title: string) => row[titles.indexOf(title)]
    const { url } = right(await admin.post('/mini/customer/import/template'))
    const [template = []] = await readSheet((await server.app.inject({ url })).rawPayload)

    expect([cell('工单数'), cell('工单费用'), cell('最近状态'), cell('平均费用')]).toEqual([
      3,
      110.3,
      '待处理',
      36.77,
    ])
    expect(template).not.toContain('工单数')
  })
})

describe('the settings of a rollup', () => {
  const faultOf = async (fields: readonly JsonObject[]) => {
    const given = await admin.post('/engine/web/module/save', {
      description: { name: 'lead', fields: [...fields] },
    })
    return [given.meta.code, given.data?.problems?.map(({ at }: JsonObject) => at)]
  }

  it.each<[string, JsonObject, string]>([
    ['records that do not name it', ticketsOf('count'), '/fields/0/rollup/by'],
    ['a module that is not there', { ...ticketsOf('count'), module: 'nothing' }, '/fields/0/rollup/module'],
    ['a way nobody knows', ticketsOf('median'), '/fields/0/rollup/of'],
  ])('refuse %s', async (_, how, at) => {
    expect(await faultOf([rollup('n', '数', how)])).toEqual([400, [at]])
  })

  it('refuse a sum of texts, and an eleventh rollup', async () => {
    const of = async (field: JsonObject) => {
      const given = await admin.post('/engine/web/field/save', { module: 'customer', field })
      return [given.meta.code, given.data?.problems?.[0]?.at]
    }
    const words = await of(rollup('words', '字', ticketsOf('sum', 'state')))
    const more = []
    for (let n = 0; n < 4; n += 1) more.push((await of(rollup(`n${n}`, `数${n}`, ticketsOf('count'))))[0])

    expect(words).toEqual([400, '/fields/8/rollup/field'])
    expect(more).toEqual([200, 200, 200, 400])
  })

  it('offer every column of a product’s field', async () => {
    const shipped = readdirSync(MODULES).map((file) =>
      asMerged(JSON.parse(readFileSync(`${MODULES}/${file}`, 'utf8')), 'vendor'),
    )
    const modules = new Map(shipped.map((one) => [one.name, one]))
    const columns = await server.database.system((trx) =>
      sql<{
        at: string
      }>`select table_name || '.' || column_name as at from information_schema.columns`.execute(trx),
    )
    const known = new Set(columns.rows.map(({ at }) => at))
    const asked = [...modules.keys()].flatMap((name) =>
      countedAt(name, modules)
        .filter(({ child }) => child.origin === 'vendor')
        .flatMap(({ child, by }) =>
          [by, ...child.fields.filter((one) => ROLLUPS.some((of) => isRolled(of, one)))]
            .filter(({ origin }) => origin === 'vendor')
            .map((one) => `${tableOf(child)}.${one.name}`),
        ),
    )

    expect(asked.length).toBeGreaterThan(40)
    expect(asked.filter((at) => !known.has(at))).toEqual([])
  })
})
