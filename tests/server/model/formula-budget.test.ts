import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { right } from '../business5/deals.ts'
import { finished, readSheetOf } from '../sheets/finished-job.ts'
import { openOwnTenant } from './own-tenant.ts'

const { server, admin, save } = await openOwnTenant()
afterAll(() => server.close())

const RECORDS = 12
const TOTAL: Json = { '+': [{ var: 'accumulator' }, 1] }
const doubled: Json = { merge: [{ var: 'accumulator' }, { var: 'accumulator' }] }
/** Counts 4,096 entries, each of which takes a few steps: part of a budget. */
const formula: Json = { reduce: [{ reduce: [Array(12).fill(1), doubled, [1]] }, TOTAL, 0] }
const filled = (rows: readonly JsonObject[], name: string) =>
  rows.filter((row) => typeof row[name] === 'number').length

beforeAll(async () => {
  const field = { name: 'cost', kind: 'formula', label: '耗时', result: 'number', formula, card: true }
  await save({ name: 'customer', fields: [field] })
  for (let n = 0; n < RECORDS; n += 1)
    right(await admin.post('/mini/customer/create', { name: `预算客户${n}`, mobile: `138000400${10 + n}` }))
})

it('formulas of the records of one answer share a budget: those beyond it are empty', async () => {
  const { list } = right(await admin.post('/mini/customer/list', { limit: 50 }))
  const { changed } = right(await admin.post('/mini/sync/changes', { entities: ['customer'] }))
  const records = changed.map(({ record }: { record: JsonObject }) => record)
  const job = await finished(admin, await admin.post('/mini/customer/export', {}))
  const [head = [], ...rows] = await readSheetOf(server, job.fileUrl)
  const cells = rows.map((row) => ({ cost: row[head.indexOf('耗时')] as Json }))

  expect([list.length, records.length, rows.length]).toEqual([RECORDS, RECORDS, RECORDS])
  for (const count of [filled(list, 'ext_cost'), filled(records, 'ext_cost'), filled(cells, 'cost')]) {
    expect(count).toBeGreaterThan(1)
    expect(count).toBeLessThan(RECORDS)
  }
  const { record } = right(await admin.get(`/mini/customer/detail?id=${list.at(-1).id}`))
  expect(record.ext_cost).toBe(4_096)
})
