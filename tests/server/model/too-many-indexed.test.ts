import { afterAll, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const asked = (n: number, more: JsonObject): JsonObject => ({
  name: `f${n}`,
  kind: 'text',
  label: `字段${n}`,
  ...more,
})
/** Twenty fields that are asked by: three of them must be, the others because somebody chose so. */
const STATE = {
  name: 'state',
  kind: 'choice',
  label: '状态',
  filter: true,
  options: [{ value: 'a', label: '甲' }],
}
const FIELDS = [
  STATE,
  asked(1, { unique: 'refuse' }),
  { name: 'customer_id', kind: 'ref', module: 'customer', label: '客户', filter: true },
  ...Array.from({ length: 16 }, (_, i) => asked(i + 2, i % 2 === 0 ? { filter: true } : { search: true })),
]
const GEAR = aModule({ name: 'gear', label: '设备', fields: FIELDS, statuses: { field: 'state', moves: {} } })
const { server, admin } = await openOwnTenant([GEAR])
afterAll(() => server.close())

it('one field too many says which others could do without it', async () => {
  const fields = [...(GEAR.fields as JsonObject[]), asked(99, { filter: true })]
  const answer = await admin.post('/engine/web/module/save', { description: { ...GEAR, fields } })

  expect(answer.meta.code).toBe(422)
  const { message } = answer.meta
  expect(message).toMatch(/最多 20 个；可以先取消这些字段的筛选、排序或搜索：.*字段2、字段3/)
  for (const label of ['状态', '客户', '字段1、', '字段99']) expect(message).not.toContain(label)
})
