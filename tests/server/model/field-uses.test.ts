import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type JsonObject, objectsIn } from '../../../runtime/core/json.ts'
import { right } from '../business5/deals.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const { server, admin, save, make } = await openOwnTenant()
afterAll(() => server.close())

const field = (name: string, kind: string, more: JsonObject = {}): JsonObject => ({
  name,
  kind,
  label: name,
  ...more,
})
const TOTAL = field('total', 'money', { worked: { '*': [{ var: 'price' }, { var: 'n' }] } })
const STATE = field('state', 'choice', { options: [{ value: 'new', label: '新' }] })
/** One field for each place that can name one. */
const FIELDS: readonly JsonObject[] = [
  field('price', 'money'),
  field('n', 'integer'),
  TOTAL,
  STATE,
  field('limit', 'number'),
  field('urgent', 'flag'),
  field('noted', 'text'),
  field('until', 'day'),
  field('place', 'location'),
  field('spot', 'formula', { formula: { var: 'place_address' }, result: 'text' }),
  field('rank', 'integer', { sort: true }),
  field('passed', 'text'),
  field('free', 'text'),
]
const dele = (more: JsonObject = {}): JsonObject =>
  aModule({
    name: 'dele',
    label: '配送',
    behaviours: ['owned', 'approval', 'convert'],
    fields: [...FIELDS],
    statuses: { field: 'state', moves: {} },
    amount: 'total',
    until: 'until',
    defaultSort: 'rank desc',
    approval: {
      beyond: { '>': [{ var: 'limit' }, 5] },
      steps: [{ kind: 'superior', mode: 'any', when: [{ field: 'urgent', is: 'true' }] }],
      open: ['noted'],
    },
    convert: { parcel: { title: 'passed' } },
    ...more,
  })

beforeAll(async () => {
  await save(aModule({ name: 'parcel', label: '包裹' }))
  await save(dele())
  await save(
    aModule({
      name: 'depot',
      label: '仓库',
      behaviours: ['owned', 'convert'],
      convert: { dele: { free: 'title' } },
    }),
  )
})

const usesOf = async (name: string): Promise<readonly string[]> => {
  const { list, used } = right(await admin.get(`/engine/web/field/usage?module=dele&name=${name}`))
  expect(used).toBe(list.length > 0)
  return list.map(({ what, label }: JsonObject) => `${what} ${label}`)
}

describe('a field that a description names', () => {
  it.each([
    ['title', ['记录标题 配送']],
    ['price', ['规则 total']],
    ['n', ['规则 total']],
    ['place', ['规则 spot']],
    ['state', ['状态流转 配送']],
    ['total', ['记录金额 配送']],
    ['until', ['到期日 配送']],
    ['rank', ['默认排序 配送']],
    ['limit', ['审批流 配送']],
    ['urgent', ['审批流 配送']],
    ['noted', ['审批流 配送']],
    ['passed', ['转为其他记录 配送']],
    ['free', ['转为其他记录 仓库']],
  ])('is used there, and is not deleted: %s', async (name, uses) => {
    expect(await usesOf(name)).toEqual(uses)
    const { meta } = await admin.post('/engine/web/field/delete', { module: 'dele', name })
    expect(meta).toMatchObject({ code: 422, error: { type: 'REFERENCED' } })
  })

  it('keeps what was worked out of it, because no save leaves it out either', async () => {
    const id = await make(admin, 'dele', { title: '一', price: 3, n: 2, state: 'new' })
    const without = { ...dele(), fields: objectsIn(dele().fields).filter(({ name }) => name !== 'n') }
    const { meta, data } = await admin.post('/engine/web/module/save', { description: without })
    const { record } = right(await admin.get(`/mini/m/dele/detail?id=${id}`))

    expect(meta.code).toBe(400)
    expect(data.problems).toMatchObject([{ code: 'FIELD_UNKNOWN', at: expect.stringMatching(/worked$/) }])
    expect(record.total).toBe(6)
  })
})
