import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { right } from '../business5/deals.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const { server, admin, demo, save } = await openOwnTenant()
afterAll(() => server.close())

const text = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  kind: 'text',
  label: name,
  ...more,
})
const many = (n: number, of: (i: number) => JsonObject): JsonObject[] =>
  Array.from({ length: n }, (_, i) => of(i))
const field = (module: string, given: JsonObject) =>
  admin.post('/engine/web/field/save', { module, field: given })
const codesOf = async (calls: readonly Promise<{ readonly meta: { readonly code: number } }>[]) =>
  (await Promise.all(calls)).map(({ meta }) => meta.code).sort()
const fieldsOf = async (name: string): Promise<readonly JsonObject[]> =>
  right(await admin.get(`/engine/web/module/detail?name=${name}`)).description.fields

it('two concurrent records with one unique value, or fields with one name, leave one', async () => {
  await save({ name: 'customer', fields: [text('serial', { unique: 'refuse' })] })
  const create = (mobile: string) =>
    demo.post('/mini/customer/create', { name: `唯一客户${mobile}`, mobile, ext: { serial: 'SN-1' } })
  const records = await codesOf([create('13800030001'), create('13800030002')])
  await codesOf([field('customer', text('twin', { max: 10 })), field('customer', text('twin', { max: 20 }))])

  expect(records[0]).toBe(200)
  expect([400, 409]).toContain(records[1])
  expect((await fieldsOf('customer')).filter(({ name }) => name === 'twin')).toHaveLength(1)
})

it('a field cannot have the name of another field’s text', async () => {
  const state = (name: string): JsonObject => ({
    name,
    kind: 'choice',
    label: '状态',
    options: [{ value: 'a', label: '甲' }],
  })
  right(await field('product', state('state')))
  right(await field('product', text('mood_name')))
  right(await field('product', { name: 'spot', kind: 'location', label: '地点' }))
  const codeOf = async (given: JsonObject): Promise<readonly Json[]> => {
    const { meta, data } = await field('product', given)
    return [meta.code, data?.problems?.[0]?.code ?? null]
  }

  expect(await codeOf(text('state_name'))).toEqual([400, 'NAME_RESERVED'])
  expect(await codeOf(state('mood'))).toEqual([400, 'NAME_RESERVED'])
  expect(await codeOf({ name: 'spot_lng', kind: 'number', label: '经度' })).toEqual([400, 'NAME_RESERVED'])
  expect(await codeOf(text('price_name'))).toEqual([200, null])
})

it('a module of thousands of fields is refused before anything reads them, by whatever door', async () => {
  const fields = many(9000, (i) => ({
    name: `c${i}`,
    kind: 'formula',
    label: '环',
    formula: { var: `c${(i + 1) % 9000}` },
  }))
  const description = { name: 'ring', label: '环', title: 'c0', behaviours: [], fields }
  const calls: readonly (readonly [string, JsonObject])[] = [
    ['module/save', { description }],
    ['module/save', { description: { name: 'customer', fields } }],
    ['changeset/put', { kind: 'module', change: { description } }],
  ]

  for (const [door, body] of calls) {
    const { meta, data } = await admin.post(`/engine/web/${door}`, body)
    expect([door, meta.code, data?.problems?.length]).toEqual([door, 400, 1])
    expect(JSON.stringify(data.problems)).toContain('200')
  }
  const rows = many(9000, (i) => ({ label: `第${i}`, kind: 'text' }))
  const sheet = await admin.post('/engine/web/module/create', { form: { label: '环', rows } })
  expect(sheet.meta.error?.fields?.rows).toContain('200')
})

// Last, because from here on every save has to check all of them.
it('of two concurrent own fields only one becomes the two hundredth', async () => {
  await save({ name: 'lead', fields: many(199, (i) => text(`f${i}`)) })
  const codes = await codesOf([field('lead', text('last')), field('lead', text('least'))])

  expect(codes).toEqual([200, 400])
  expect((await fieldsOf('lead')).filter(({ origin }) => origin === 'tenant')).toHaveLength(200)
})

it('of two concurrent mirrored fields only one becomes the twentieth', async () => {
  await save({ name: 'contact', fields: many(19, (i) => text(`f${i}`, { filter: true })) })
  const codes = await codesOf([
    field('contact', text('last', { filter: true })),
    field('contact', text('least', { sort: true })),
  ])

  expect(codes).toEqual([200, 422])
})

it('of two concurrent own modules only one becomes the fiftieth', async () => {
  await server.database.system((trx) =>
    sql`insert into module_override (tenant_id, name, version, kind, description, deleted, created_by)
      select 'xinghai', 'm' || n, 1, 'own', ${JSON.stringify(aModule())}::jsonb || jsonb_build_object('name', 'm' || n), false, 'u-admin'
      from generate_series(1, 49) n`.execute(trx),
  )
  const make = (name: string) => admin.post('/engine/web/module/save', { description: aModule({ name }) })

  expect(await codesOf([make('last'), make('least')])).toEqual([200, 422])
})
