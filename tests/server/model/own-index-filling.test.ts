import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { fillOwnIndexes } from '../../../src/server/flows/jobs/own-index.ts'
import { createModuleLibrary, MODULE_CHANNEL } from '../../../src/server/kernel/model/library.ts'
import { FILL_PART, mirrorOldFields } from '../../../src/server/kernel/model/own-index.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { mirrorFaults } from './mirror-faults.ts'

const server: TestApp = await openTestApp()
const TENANT = 'xinghai'
const RECORDS = FILL_PART + 200
let admin: Client
let director: Client
beforeAll(async () => {
  admin = await server.as('admin')
  director = await server.as('director')
  await saveField({ name: 'late', kind: 'integer', label: '晚加' })
  await server.database.system((trx) =>
    sql`insert into customer (tenant_id, id, customer_no, name, name_norm, py, py_initial, search_text, search_tokens,
        owner_id, ext)
      select ${TENANT}, 'many-' || lpad(n::text, 5, '0'), 'M' || n, '客户' || n, '客户' || n, 'x', 'X', '', '{}',
        'u-director', jsonb_build_object('late', n % 100)
      from generate_series(1, ${RECORDS}::int) n`.execute(trx),
  )
})
afterAll(() => server.close())

const saveField = (field: JsonObject) => admin.post('/engine/web/field/save', { module: 'customer', field })
const ASKED = { name: 'late', kind: 'integer', label: '晚加', filter: true, sort: true }
const FILTERED = { filters: [{ field: 'ext.late', op: 'eq', value: 7 }], withTotal: true }
const listed = (body: JsonObject) => director.post('/mini/customer/list', body)
/** A server learns a moment later what another server, or a job, has changed in a model. */
const found = async (): Promise<unknown> => (await listed(FILTERED)).data?.total
const page = async () => (await director.get('/engine/web/page/detail?path=/pages/customer/my/index')).body
const marks = async () => {
  const { list } = (await admin.get('/engine/web/field/list?module=customer')).data
  return list.find(({ name }: JsonObject) => name === 'late').marks
}
const faults = async () => {
  const { description } = (await admin.get('/engine/web/module/detail?name=customer')).data
  return mirrorFaults(server.database, TENANT, description)
}

describe('a field that becomes filterable and sortable while there are many records', () => {
  it('is offered nowhere until its mirror is filled, and reports that if it is used', async () => {
    expect((await saveField(ASKED)).meta.code).toBe(200)
    const filtered = await listed(FILTERED)
    const sorted = await listed({ sort: [{ field: 'ext.late', dir: 'asc' }] })

    for (const { meta } of [filtered, sorted])
      expect(meta).toMatchObject({
        code: 400,
        error: { type: 'BAD_FILTER' },
        message: '“晚加”的筛选和排序还在准备，请稍后再试',
      })
    expect(await page()).not.toContain('ext.late')
    expect(await marks()).toContain(`筛选准备中（已处理 ${FILL_PART} 条）`)
  })

  it('is offered and works when the job has filled its mirror', async () => {
    await fillOwnIndexes(server.database)

    await expect.poll(found).toBe(RECORDS / 100)
    expect(await page()).toContain('ext.late')
    expect(await marks()).not.toContain('准备中')
    expect(await faults()).toEqual([])
  })
})

describe('an older database', () => {
  it('filters and sorts as before while its fields are mirrored, and by the mirror afterwards', async () => {
    await server.database.system(async (trx) => {
      for (const table of ['own_index', 'own_text', 'own_number', 'own_moment', 'own_ref'])
        await sql`delete from ${sql.table(table)}`.execute(trx)
    })
    const library = await createModuleLibrary({
      schemasDir: server.config.schemasDir,
      database: server.database,
      onError(error) {
        throw error
      },
    })
    await mirrorOldFields(server.database, library.within)
    await library.close()
    await server.database.system((trx) => server.database.notify(trx, MODULE_CHANNEL, TENANT))
    const sort = [{ field: 'ext.late', dir: 'desc' }]
    await expect.poll(found).toBe(RECORDS / 100)
    const meanwhile = await listed({ ...FILTERED, sort })
    const offered = await page()
    await fillOwnIndexes(server.database)
    const after = await listed({ ...FILTERED, sort })

    expect(offered).toContain('ext.late')
    expect(meanwhile.data.total).toBe(RECORDS / 100)
    expect(after.data.list).toEqual(meanwhile.data.list)
    expect(await faults()).toEqual([])
  })
})
