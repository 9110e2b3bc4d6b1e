import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { fillOwnIndexes } from '../../../src/server/flows/jobs/own-index.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { mirrorFaults } from './mirror-faults.ts'

const server: TestApp = await openTestApp()
const TENANT = 'xinghai'
let admin: Client
let demo: Client
let manager: Client
let director: Client
beforeAll(async () => {
  admin = await server.as('admin')
  demo = await server.as('demo')
  manager = await server.as('manager')
  director = await server.as('director')
})
afterAll(() => server.close())

const saveField = (field: JsonObject, module = 'customer') =>
  admin.post('/engine/web/field/save', { module, field })
const moduleOf = async (name: string) => {
  const { description } = (await admin.get(`/engine/web/module/detail?name=${name}`)).data
  return description
}
const faults = async (name: string) => mirrorFaults(server.database, TENANT, await moduleOf(name))
const create = async (body: JsonObject, by = demo) => (await by.post('/mini/customer/create', body)).data.id

describe('the mirror of own fields', () => {
  beforeAll(async () => {
    for (const field of [
      { name: 'group', kind: 'text', label: '群', filter: true },
      { name: 'score', kind: 'number', label: '评分', filter: true, sort: true },
      { name: 'renew', kind: 'day', label: '续费', sort: true },
      { name: 'met_at', kind: 'moment', label: '见面', filter: true },
      { name: 'likes', kind: 'texts', label: '爱好', filter: true },
      { name: 'product', kind: 'ref', module: 'product', label: '产品' },
      { name: 'note', kind: 'text', label: '备注' },
    ])
      expect((await saveField(field)).meta.code).toBe(200)
  })

  it('has the values of a new record, only of mirrored fields', async () => {
    await create({
      name: '青岛海风科技有限公司',
      ext: {
        group: '老客户',
        score: 12.5,
        renew: '2026-06-01',
        met_at: '2026-05-01 09:30:00',
        likes: ['茶', '棋'],
        note: '无',
      },
    })
    await create({ name: '烟台山海贸易有限公司' })

    expect(await faults('customer')).toEqual([])
  })

  it('follows changes, owners, the recycle bin and restoring', async () => {
    const id = await create({ name: '威海朝阳制造有限公司', ext: { group: '新客户', score: 3 } })
    const steps = [
      () =>
        demo.post('/mini/customer/update', { id, version: 1, ext: { group: null, score: 4, likes: ['书'] } }),
      () => manager.post('/mini/customer/transfer', { ids: [id], toUserId: 'u-manager' }),
      () => director.post('/mini/customer/delete', { ids: [id] }),
      () => director.post('/mini/customer/restore', { ids: [id] }),
    ]
    for (const step of steps) {
      const { meta, data } = await step()

      expect([meta.code, data.failed ?? []]).toEqual([200, []])
      expect(await faults('customer')).toEqual([])
    }
  })

  it('is filled with the existing records', async () => {
    await saveField({ name: 'note', kind: 'text', label: '备注', filter: true })

    expect(await faults('customer')).toEqual([])
  })

  it('is removed with a field that is no longer used, and returns with it', async () => {
    await saveField({ name: 'note', kind: 'text', label: '备注' })
    await fillOwnIndexes(server.database)
    const left = await server.database.system((trx) =>
      sql`select 1 from own_text where field = 'note'`.execute(trx),
    )
    await saveField({ name: 'note', kind: 'text', label: '备注', filter: true })

    expect(left.rows).toEqual([])
    expect(await faults('customer')).toEqual([])
  })

  it('refuses the second of two concurrent writes of a unique value', async () => {
    await saveField({ name: 'seal', kind: 'text', label: '印章', unique: 'refuse' })
    const answers = await Promise.all(
      [demo, manager, director].map((client, n) =>
        client.post('/mini/customer/create', { name: `同一印章${n}有限公司`, ext: { seal: 'S-1' } }),
      ),
    )
    const refused = answers.filter(({ meta }) => meta.code !== 200)

    expect(refused).toHaveLength(2)
    for (const { meta } of refused) {
      expect([400, 409]).toContain(meta.code)
      expect(meta.error?.fields?.['ext.seal']).toContain('“S-1”已经有了')
    }
    expect(await faults('customer')).toEqual([])
  })

  it('ignores the recycle bin for unique values, and refuses to restore a duplicate', async () => {
    const first = await create({ name: '回收站里的印章有限公司', ext: { seal: 'S-2' } }, director)
    await director.post('/mini/customer/delete', { ids: [first] })
    const second = await create({ name: '新的印章有限公司', ext: { seal: 'S-2' } }, director)
    const { meta, data } = await director.post('/mini/customer/restore', { ids: [first] })

    expect(second).toBeTypeOf('string')
    expect([meta.code, data.ok]).toEqual([200, []])
    expect(data.failed[0]).toMatchObject({ id: first, code: 409, message: '“S-2”已经有了' })
    expect(await faults('customer')).toEqual([])
  })

  it('refuses a unique field if values are already duplicated', async () => {
    await saveField({ name: 'remark2', kind: 'text', label: '说明' })
    for (const n of [1, 2]) await create({ name: `重复说明${n}有限公司`, ext: { remark2: '同' } })
    const { meta } = await saveField({ name: 'remark2', kind: 'text', label: '说明', unique: 'refuse' })

    const message = '说明“同”已有 2 条记录相同，处理后才能设为不可重复'
    expect(meta).toMatchObject({ code: 422, message, error: { fields: { unique: message } } })
  })

  it('refuses the twenty-first mirrored field', async () => {
    const codes: number[] = []
    for (let n = 0; n < 15; n += 1)
      codes.push(
        (await saveField({ name: `more_${n}`, kind: 'integer', label: `数${n}`, filter: true })).meta.code,
      )
    const { meta } = await saveField({ name: 'last', kind: 'integer', label: '末', sort: true })

    expect(codes.filter((code) => code === 200)).toHaveLength(12)
    expect(meta).toMatchObject({ code: 422, message: expect.stringContaining('最多 20 个') })
  })
})
