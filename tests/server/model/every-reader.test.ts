import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import type { KindName } from '../../../src/model/description.ts'
import { KIND_NAMES, kindOf } from '../../../src/model/kinds/index.ts'
import { type Cell, createSheetWriter } from '../../../src/server/sheets/write-sheet.ts'
import { contractInEffect, type Deals, makeProduct, openDeals, right } from '../business5/deals.ts'
import { finished, readSheetOf, uploadedBytes } from '../sheets/finished-job.ts'
import type { Client } from '../support.ts'
import { fieldsOf, labelOf, nameOf, type Samples, samplesOf, valuesOf } from './own-field-kinds.ts'

/**
 * Every module of the product with a tenant's own field of every kind, read by everything that reads fields. A reader that skips one fails
 * here; what is not done yet stands in lists that only become shorter.
 */
const MODULES = [
  'customer',
  'contact',
  'lead',
  'bussiness',
  'contract',
  'payment',
  'product',
  'activity',
] as const
type Module = (typeof MODULES)[number]

/** Kinds that a tenant cannot add to a module of the product yet. */
const KINDS_LEFT: readonly KindName[] = ['auto-number', 'formula', 'rollup', 'lines']

/** Lists whose page has no sheet of sorts: own fields sort them by the call alone. */
const NO_SORTS: readonly Module[] = ['activity']

/** Modules whose lists go out as sheets. */
const EXPORTED: readonly Module[] = ['customer', 'contact', 'lead', 'bussiness', 'contract', 'payment']
/** What the sheets of those that come in need besides. */
const NAMED: Readonly<Record<'customer' | 'contact' | 'lead', Readonly<Record<string, Cell>>>> = {
  customer: { 客户名称: '从表格来的客户有限公司' },
  contact: { 客户名称: '北京测试客户有限公司', 姓名: '从表格来的人', 手机: '13911119998' },
  lead: { 线索名称: '从表格来的线索', 线索来源: 'website', 手机: '13911119997' },
}
/** Kinds whose values are codes, or written otherwise. */
const CODED: ReadonlySet<string> = new Set(['choice', 'ref', 'user', 'dept', 'moment'])

const PAGES: Readonly<Record<Module, { form: string; detail: string; list?: string }>> = {
  customer: {
    form: '/pages/customer/my/add',
    detail: '/pages/customer/my/detail',
    list: '/pages/customer/my/index',
  },
  contact: {
    form: '/pages/customer/contact/add',
    detail: '/pages/customer/contact/index',
    list: '/pages/customer/contact/index',
  },
  lead: {
    form: '/pages/customer/leads/add',
    detail: '/pages/customer/leads/detail',
    list: '/pages/customer/leads/index',
  },
  bussiness: {
    form: '/pages/bussiness/add',
    detail: '/pages/bussiness/detail',
    list: '/pages/bussiness/index',
  },
  contract: { form: '/pages/contract/add', detail: '/pages/contract/detail', list: '/pages/contract/index' },
  payment: { form: '/pages/contract/payment/add', detail: '/pages/contract/payment/detail' },
  product: { form: '/pages/product/add', detail: '/pages/product/detail', list: '/pages/product/index' },
  activity: { form: '/pages/activity/add', detail: '/pages/activity/detail', list: '/pages/activity/index' },
}

let deals: Deals
let samples: Samples
let ext: JsonObject
/** Who writes and reads the module. */
let clients: Readonly<Record<Module, Client>>
const ids = new Map<Module, string>()

beforeAll(async () => {
  deals = await openDeals()
  const { admin, demo, director, customerId } = deals
  samples = samplesOf({
    product: await makeProduct(director, { name: '自有字段产品' }),
    user: 'u-demo',
    dept: 'xh-sales-1',
  })
  for (const name of MODULES)
    right(
      await admin.post('/engine/web/module/save', { description: { name, fields: [...fieldsOf(samples)] } }),
    )
  ext = valuesOf(samples)
  clients = {
    customer: demo,
    contact: demo,
    lead: demo,
    bussiness: demo,
    contract: demo,
    payment: demo,
    product: director,
    activity: director,
  }
  const contract_id = await contractInEffect(deals)
  const bodies: Readonly<Record<Module, JsonObject>> = {
    customer: { name: '自有字段客户有限公司' },
    contact: { name: '自有字段联系人', mobile: '13911110001', customer_id: customerId },
    lead: { name: '自有字段线索', source: 'website', mobile: '13911110002' },
    bussiness: { name: '自有字段商机', customer_id: customerId, amount: 10, expected_date: '2026-06-30' },
    contract: {
      name: '自有字段合同',
      customer_id: customerId,
      type: 'direct',
      amount: 10,
      sign_date: '2026-03-10',
    },
    payment: { contract_id, amount: 10, paid_at: '2026-03-12', method: 'bank_transfer' },
    product: { name: '有自有字段的产品', category_id: 'software_pro', unit: 'suite', price: 1 },
    activity: {
      name: '自有字段活动',
      type: 'exhibition',
      start_at: '2026-04-01 09:00:00',
      end_at: '2026-04-01 18:00:00',
    },
  }
  for (const name of MODULES)
    ids.set(name, right(await clients[name].post(`/mini/${name}/create`, { ...bodies[name], ext })).id)
}, 120_000)
afterAll(() => deals.server.close())

const idOf = (module: Module): string => ids.get(module) ?? ''
const sampled = (): readonly KindName[] => Object.keys(samples) as KindName[]
const kindsWith = (isAsked: (kind: ReturnType<typeof kindOf>) => boolean): readonly KindName[] =>
  sampled().filter((name) => isAsked(kindOf(name)))

it('every kind is tried, or said not to be there yet', () => {
  expect([...sampled(), ...KINDS_LEFT].sort()).toEqual([...KIND_NAMES].sort())
})

describe.each(MODULES)('own fields of %s', (module) => {
  it('are kept as they were written, and have their words beside them', async () => {
    const { record } = right(await clients[module].get(`/mini/${module}/detail?id=${idOf(module)}`))

    expect(record.ext).toEqual(ext)
    for (const [kind, { value, words }] of Object.entries(samples)) {
      expect(record[`ext_${nameOf(kind)}`], kind).toEqual(value)
      if (words !== undefined) expect(record[`ext_${nameOf(kind)}_name`], kind).toBe(words)
    }
    expect(record.ext_own_user_name).not.toBe('')
    expect(record.ext_own_location_lng).toBe(113.95)
  })

  it('stand on the form, in the detail, on cards, in the filter sheet and among the sorts', async () => {
    const { form, detail, list } = PAGES[module]
    const page = async (path: string) =>
      (await clients[module].get(`/engine/web/page/detail?path=${path}`)).body
    const missing = (
      body: string,
      kinds: readonly KindName[],
      text: (name: string, kind: KindName) => string,
    ) => kinds.filter((kind) => !body.includes(text(`ext_${nameOf(kind)}`, kind)))

    const formBody = await page(form)
    expect(missing(formBody, sampled(), (name) => `form.${name}`)).toEqual([])
    expect(missing(await page(detail), sampled(), (_, kind) => `"label":"${labelOf(kind)}"`)).toEqual([])
    if (list === undefined) return
    const listBody = await page(list)
    expect(missing(listBody, sampled(), (name) => `"card_${name}"`)).toEqual([])
    const asked = kindsWith(({ face, index }) => face !== null && index !== null)
    expect(missing(listBody, asked, (name) => `"f_${name}`)).toEqual([])
    expect(missing(listBody, asked, (_, kind) => `"field":"ext.${nameOf(kind)}"`)).toEqual([])
    const sorted = kindsWith(({ sorts }) => sorts === true)
    if (!NO_SORTS.includes(module))
      expect(missing(listBody, sorted, (name) => `"value":"${name}"`)).toEqual([])
  })

  it('are on the cards of the list, which they filter and sort', async () => {
    const list = async (request: JsonObject) =>
      right(await clients[module].post(`/mini/${module}/list`, request)).list as readonly JsonObject[]
    const [card = {}] = (await list({})).filter(({ id }) => id === idOf(module))
    const unfound: string[] = []
    for (const kind of kindsWith(({ index }) => index !== null)) {
      const { value } = samples[kind] ?? { value: null }
      const [first] = Array.isArray(value) ? value : [value]
      const found = await list({
        filters: [{ field: `ext.${nameOf(kind)}`, op: 'eq', value: first ?? null }],
      })
      if (found.length !== 1 || found[0]?.id !== idOf(module)) unfound.push(kind)
    }
    for (const kind of kindsWith(({ sorts }) => sorts === true)) {
      const [top] = await list({ sort: [{ field: `ext.${nameOf(kind)}`, dir: 'asc' }], limit: 1 })
      if (top?.id !== idOf(module)) unfound.push(`sort ${kind}`)
    }

    expect(unfound).toEqual([])
    for (const [kind, { value, words }] of Object.entries(samples)) {
      expect(card[`ext_${nameOf(kind)}`], kind).toEqual(value)
      if (words !== undefined) expect(card[`ext_${nameOf(kind)}_name`], kind).toBe(words)
    }
  })

  it('go out as a sheet, in words', async () => {
    if (!EXPORTED.includes(module)) return
    const who = module === 'payment' ? deals.finance : deals.director
    const job = await finished(who, await who.post(`/mini/${module}/export`, { ids: [idOf(module)] }))
    const [titles = [], row = []] = await readSheetOf(deals.server, job.fileUrl)

    for (const [kind, { value, words }] of Object.entries(samples)) {
      const cell = row[titles.indexOf(labelOf(kind))]
      const isPlain = typeof value === 'string' || typeof value === 'number'
      expect(cell ?? null, kind).not.toBeNull()
      if (words !== undefined || (isPlain && !CODED.has(kind))) expect(cell, kind).toEqual(words ?? value)
    }
  })

  it('come in from a sheet as they went out, and are changed by one', async () => {
    if (module !== 'customer' && module !== 'contact' && module !== 'lead') return
    const who = deals.director
    const asked = kindsWith(({ stored }) => stored !== 'json')
    const out = await finished(who, await who.post(`/mini/${module}/export`, { ids: [idOf(module)] }))
    const [titles = [], row = []] = await readSheetOf(deals.server, out.fileUrl)
    const columns = [...Object.keys(NAMED[module]), ...asked.map(labelOf)]
    const cellOf = (title: string): Cell => {
      const cell = NAMED[module][title] ?? row[titles.indexOf(title)] ?? null
      return typeof cell === 'number' || cell === null ? cell : String(cell)
    }
    const sheet = createSheetWriter(columns.map(() => 18))
    sheet.row([...columns])
    sheet.row(columns.map(cellOf))
    const fileId = await uploadedBytes(deals.server, who, sheet.end())
    const { fields, rows } = right(await who.post(`/mini/${module}/import/preview`, { fileId }))
    const done = await finished(
      who,
      await who.post(`/mini/${module}/import/start`, { fileId, mode: 'update' }),
    )
    const found = right(
      await who.post(`/mini/${module}/list`, { sort: [{ field: 'created_at', dir: 'desc' }] }),
    ).list
    const { record } = right(await who.get(`/mini/${module}/detail?id=${found[0]?.id}`))

    expect(fields.map(({ value }: JsonObject) => value)).toEqual(
      expect.arrayContaining(asked.map((kind) => `ext.${nameOf(kind)}`)),
    )
    expect(rows[0]).toMatchObject({ fault: '' })
    expect(rows[0].lines.join()).toContain(`${labelOf('choices')}：金卡会员、普通会员`)
    expect(done).toMatchObject({ ok: 1, failed: 0 })
    expect(record.ext).toEqual(Object.fromEntries(asked.map((kind) => [nameOf(kind), ext[nameOf(kind)]])))
  })

  it('that are wrong are refused, each by its name', async () => {
    const { version } = right(await clients[module].get(`/mini/${module}/detail?id=${idOf(module)}`)).record
    const answer = await clients[module].post(`/mini/${module}/update`, {
      id: idOf(module),
      version,
      ext: { own_day: 'gestern', own_choice: 'nobody', own_user: 'nobody', own_unknown: 1 },
    })

    expect(Object.keys(answer.meta.error?.fields ?? {}).sort()).toEqual([
      'ext.own_choice',
      'ext.own_day',
      'ext.own_unknown',
      'ext.own_user',
    ])
  })

  it('stand in the history with their labels and in words, as they were and became', async () => {
    const { version } = right(await clients[module].get(`/mini/${module}/detail?id=${idOf(module)}`)).record
    const none = Object.fromEntries(Object.keys(ext).map((name) => [name, null]))
    const at = { id: idOf(module), version }
    right(await clients[module].post(`/mini/${module}/update`, { ...at, ext: none }))
    const log = right(await clients[module].get(`/mini/${module}/log?id=${idOf(module)}`)).list

    const lines = String(log[0].text).split('\n')
    expect(lines).toHaveLength(sampled().length)
    for (const [kind, { words }] of Object.entries(samples))
      expect(lines, kind).toContainEqual(
        expect.stringMatching(new RegExp(`^${labelOf(kind)}：${words ?? '.+'}`)),
      )
    expect(lines).toContain(`${labelOf('choice')}：重点客户 → 空`)
  })
})
