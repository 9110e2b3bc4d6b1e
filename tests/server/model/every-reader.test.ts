import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, type JsonObject, ownValue } from '../../../runtime/core/json.ts'
import type { Field, KindName } from '../../../src/model/description.ts'
import { isSearchable } from '../../../src/model/indexed-fields.ts'
import type { Stored } from '../../../src/model/kind.ts'
import { KIND_NAMES, kindOf } from '../../../src/model/kinds/index.ts'
import { logChanges } from '../../../src/server/flows/admin/log-changes.ts'
import { type Cell, createSheetWriter } from '../../../src/server/flows/sheets/write-sheet.ts'
import type { FieldRights } from '../../../src/server/kernel/auth/field-rights.ts'
import { objectsIn } from '../../schemas/product-pages.ts'
import { contractInEffect, type Deals, makeProduct, openDeals, right } from '../business5/deals.ts'
import { finished, readSheetOf, uploadedBytes } from '../sheets/finished-job.ts'
import type { Client } from '../support.ts'
import { fieldsOf, labelOf, nameOf, type Samples, samplesOf, valuesOf } from './own-field-kinds.ts'
import { aModule } from './own-tenant.ts'

/**
 * Every product module with a custom field of every kind, read by every reader of fields. A reader that skips one fails
 * here; known gaps are in lists that may only become shorter.
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

/** Product modules that have a list but accept no custom fields. */
const MORE_LISTS = ['plan', 'follow', 'todo'] as const
const SCHEMAS = new URL('../../../schemas', import.meta.url).pathname

/** A value for comparisons in kinds where `1` is not valid. */
const VALUES: Partial<Record<Stored, Json>> = { flag: true, day: '2026-01-01', moment: '2026-01-01' }

/** Computed kinds: tested at the end, each by its inputs. */
const WORKED: readonly KindName[] = ['auto-number', 'formula', 'rollup']

/** Lists whose page has no sort sheet: custom fields sort them only through the API. */
const NO_SORTS: readonly Module[] = ['activity']

/** Other columns that an imported row needs. */
const NAMED: Readonly<Record<Module, Readonly<Record<string, Cell>>>> = {
  customer: { 客户名称: '从表格来的客户有限公司' },
  contact: { 客户名称: '北京测试客户有限公司', 姓名: '从表格来的人', 手机: '13911119998' },
  lead: { 线索名称: '从表格来的线索', 线索来源: 'website', 手机: '13911119997' },
  bussiness: {
    客户名称: '北京测试客户有限公司',
    商机名称: '从表格来的商机',
    预计金额: '1,000',
    预计成交日期: '2026/6/30',
  },
  contract: {
    客户名称: '北京测试客户有限公司',
    合同名称: '从表格来的合同',
    合同类型: 'direct',
    合同金额: 100,
    签订日期: '2026-03-10',
  },
  payment: {
    回款编号: 'HK-从表格来',
    回款金额: 5,
    回款日期: '2026-03-12',
    回款方式: 'bank_transfer',
  },
  product: { 产品名称: '从表格来的产品', 产品分类: 'software_pro', 产品单位: 'suite', 标准单价: 9 },
  activity: {
    活动名称: '从表格来的活动',
    活动类型: 'exhibition',
    开始时间: '2026-04-01 09:00',
    结束时间: '2026-04-02 18:00',
  },
}
/** Kinds whose values are codes, or are written in another form. */
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

/** Modules whose list can set fields of selected rows. */
const SETS_MANY: readonly Module[] = ['customer', 'contact', 'lead', 'bussiness', 'contract', 'product']

/** Modules whose records are referred to by name: a payment has no name. */
const NAMED_MODULES = MODULES.filter((module) => module !== 'payment')
/** Modules whose detail has a file tab. */
const CARRIERS: readonly Module[] = ['customer', 'lead', 'bussiness', 'contract']

/** A module with a reference to each of the others. */
const PART = aModule({
  name: 'part',
  label: '配件',
  behaviours: [],
  fields: NAMED_MODULES.map((module) => ({
    name: `of_${module}`,
    kind: 'ref',
    module,
    label: `所属${module}`,
  })),
})

let deals: Deals
let samples: Samples
let ext: JsonObject
/** How to create a record of each module. */
let bodies: Readonly<Record<Module, JsonObject>>
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
      await admin.post('/engine/web/module/save', {
        description: { name, fields: [...everyAsked(name), ...fieldsOf(samples)] },
      }),
    )
  for (const name of MORE_LISTS)
    right(
      await admin.post('/engine/web/module/save', { description: { name, fields: [...everyAsked(name)] } }),
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
  bodies = {
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

/** Product fields as described in their files. */
const shipped = (name: string): readonly Field[] =>
  JSON.parse(readFileSync(`${SCHEMAS}/modules/${name}.json`, 'utf8')).fields

/** The titles of the import template. */
async function templateOf(who: Client, base: string): Promise<readonly unknown[]> {
  const { url } = right(await who.post(`${base}/import/template`))
  const [titles = []] = await readSheet((await deals.server.app.inject({ url })).rawPayload)
  return titles
}

/** Every product field that can be filtered or sorted by, enabled by the tenant. */
const everyAsked = (name: string): readonly JsonObject[] =>
  shipped(name).flatMap(({ name: field, kind }) => {
    const { index, sorts } = kindOf(kind)
    return index === null && sorts !== true
      ? []
      : [{ name: field, ...(index === null ? {} : { filter: true }), ...(sorts ? { sort: true } : {}) }]
  })

const idOf = (module: Module): string => ids.get(module) ?? ''
const sampled = (): readonly KindName[] => Object.keys(samples) as KindName[]
const kindsWith = (isAsked: (kind: ReturnType<typeof kindOf>) => boolean): readonly KindName[] =>
  sampled().filter((name) => isAsked(kindOf(name)))

it('every type is tested, or listed as not supported yet', () => {
  expect([...sampled(), ...WORKED].sort()).toEqual([...KIND_NAMES].sort())
})

describe.each(MODULES)('own fields of %s', (module) => {
  it('are stored as written, with their texts beside them', async () => {
    const { record } = right(await clients[module].get(`/mini/${module}/detail?id=${idOf(module)}`))

    expect(record.ext).toEqual(ext)
    for (const [kind, { value, words }] of Object.entries(samples)) {
      expect(record[`ext_${nameOf(kind)}`], kind).toEqual(value)
      if (words !== undefined) expect(record[`ext_${nameOf(kind)}_name`], kind).toBe(words)
    }
    expect(record.ext_own_user_name).not.toBe('')
    expect(record.ext_own_location_lng).toBe(113.95)
  })

  it('are on the form, in the detail, on cards, in the filter sheet and among the sorts', async () => {
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
    const asked = kindsWith(({ index }) => index !== null)
    expect(missing(listBody, asked, (name) => `"f_${name}`)).toEqual([])
    expect(missing(listBody, asked, (_, kind) => `"field":"ext.${nameOf(kind)}"`)).toEqual([])
    const sorted = kindsWith(({ sorts }) => sorts === true)
    if (!NO_SORTS.includes(module))
      expect(missing(listBody, sorted, (name) => `"value":"${name}"`)).toEqual([])
  })

  it('open files from the detail', async () => {
    const { body } = await clients[module].get(`/engine/web/page/detail?path=${PAGES[module].detail}`)

    expect(body).toContain('"openFile","url":"{{ row.url }}"')
    for (const at of ['list","options":{"name":"files_ext_own_files"', '"name":"picture_ext_own_pictures_0"'])
      expect(body.replace(/"category":"container",/g, '')).toContain(at)
  })

  if (CARRIERS.includes(module))
    it('of files are among the files of the record, for users who see them', async () => {
      const url = `/mini/${module}/attachment/list?id=${idOf(module)}`
      const shown = async (rights: JsonObject) => {
        const roles: readonly JsonObject[] = right(await deals.admin.post('/engine/web/role/list')).list
        const role = roles.find(({ code }) => code === 'sales_manager')
        right(await deals.admin.post('/engine/web/role/save', { ...role, field_rights: rights }))
        const { list } = right(await deals.manager.get(url))
        expect(new Set(list.map(({ id }: JsonObject) => id)).size).toBe(list.length)
        return list.map(({ name }: JsonObject) => name).sort()
      }

      expect(await shown({ [module]: { 'ext.own_files': 'hidden' } })).toEqual(['合影.png'])
      expect(await shown({ [module]: { 'ext.own_pictures': 'masked' } })).toEqual(['合影.pdf'])
      expect(await shown({})).toEqual(['合影.pdf', '合影.png'])
    })

  if (SETS_MANY.includes(module))
    it('are on the sheet of batch changes, beside those of the product', async () => {
      const client = clients[module]
      const page = await client.get(`/engine/web/page/detail?path=${PAGES[module].list}`)
      const { dataSources } = JSON.parse(page.body).formConfig
      const asked: readonly JsonObject[] = dataSources.filter(({ uniqueName }: JsonObject) =>
        String(uniqueName).startsWith('patch_'),
      )
      const patched = shipped(module).flatMap(({ name, patch }) => (patch === true ? [name] : []))
      const own = kindsWith(({ parts }) => parts === undefined).map((kind) => `ext_${nameOf(kind)}`)
      const { record } = right(await client.get(`/mini/${module}/detail?id=${idOf(module)}`))
      const done: Record<string, unknown> = {}
      for (const { uniqueName, requestURL, body } of asked) {
        const name = String(uniqueName).slice('patch_'.length)
        const text = JSON.stringify(body).replaceAll(`"{{ form.p_${name} }}"`, JSON.stringify(record[name]))
        done[name] = (
          await client.post(String(requestURL), { ...JSON.parse(text), ids: [idOf(module)] })
        ).data
      }

      expect(Object.keys(done).sort()).toEqual([...patched, ...own].sort())
      const kept = Object.entries(done).filter(([name]) => record[name] !== null)
      expect(Object.fromEntries(kept)).toEqual(
        Object.fromEntries(kept.map(([name]) => [name, { ok: [idOf(module)], failed: [] }])),
      )
      expect(kept.length).toBeGreaterThanOrEqual(own.length)
    })

  it('are on the cards of the list, and filter and sort it', async () => {
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

  it('are found by a part of a searchable text, whatever its case', async () => {
    const unfound: string[] = []
    for (const kind of sampled().filter((name) => isSearchable({ kind: name }))) {
      const keyword = String(samples[kind]?.value).slice(1, -1).toUpperCase()
      const { list } = right(await clients[module].post(`/mini/${module}/list`, { keyword, tab: 'all' }))
      if (!list.some(({ id }: JsonObject) => id === idOf(module))) unfound.push(kind)
    }

    expect(unfound).toEqual([])
  })

  it('are exported to a sheet, as texts', async () => {
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

  it('are imported from a sheet as they were exported, and changed by a sheet', async () => {
    const who = module === 'payment' ? deals.finance : deals.director
    const asked = kindsWith(({ stored }) => stored !== 'json')
    const out = await finished(who, await who.post(`/mini/${module}/export`, { ids: [idOf(module)] }))
    const [titles = [], row = []] = await readSheetOf(deals.server, out.fileUrl)
    const named: Readonly<Record<string, Cell>> = {
      ...NAMED[module],
      ...(module === 'payment' ? { 合同编号: String(row[titles.indexOf('合同编号')]) } : {}),
    }
    const columns = [...Object.keys(named), ...asked.map(labelOf)]
    const cellOf = (title: string): Cell => {
      const cell = named[title] ?? row[titles.indexOf(title)] ?? null
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
    expect(await templateOf(who, `/mini/${module}`)).toEqual(
      expect.arrayContaining([...asked.map(labelOf), expect.stringMatching(/\*$/)]),
    )
    expect(rows[0]).toMatchObject({ fault: '' })
    expect(rows[0].lines.join()).toContain(`${labelOf('choices')}：金卡会员、普通会员`)
    expect(done).toMatchObject({ ok: 1, failed: 0 })
    expect(record.ext).toEqual(Object.fromEntries(asked.map((kind) => [nameOf(kind), ext[nameOf(kind)]])))
  })

  it('that are invalid are refused, each by its name', async () => {
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

  it('are in the history with their labels and as texts, old and new', async () => {
    const { version } = right(await clients[module].get(`/mini/${module}/detail?id=${idOf(module)}`)).record
    const none = Object.fromEntries(Object.keys(ext).map((name) => [name, null]))
    const at = { id: idOf(module), version }
    right(await clients[module].post(`/mini/${module}/update`, { ...at, ext: none }))
    const log = right(await clients[module].get(`/mini/${module}/log?id=${idOf(module)}`)).list

    const lines = String(log[0].text).split('\n')
    expect(lines).toHaveLength(sampled().length)
    for (const [kind, { words }] of Object.entries(samples))
      expect(lines, kind).toContainEqual(
        expect.stringMatching(new RegExp(`^${labelOf(kind)}：${words?.replace(/\n/g, ' ') ?? '.+'}`)),
      )
    expect(lines).toContain(`${labelOf('choice')}：重点客户 → 空`)
  })
})

describe.each([...MODULES, ...MORE_LISTS, 'pool/customer', 'pool/lead', 'pool/bussiness'])(
  'the list of %s',
  (name) => {
    const module = name.replace('pool/', '')
    const isHeldBack = ({ mask }: Field) => mask === 'pool' && name !== module
    const asked = (request: JsonObject) => deals.admin.post(`/mini/${name}/list`, request)

    it('filters by every comparable field of the product', async () => {
      const refused: string[] = []
      for (const field of shipped(module).filter(({ kind }) => kindOf(kind).index !== null)) {
        const value = VALUES[kindOf(field.kind).stored] ?? '1'
        const { meta } = await asked({ filters: [{ field: field.name, op: 'eq', value }] })
        if (meta.code !== 200) refused.push(`${field.name} ${meta.code}`)
      }

      expect(refused).toEqual([])
    })

    it('sorts by every field that has an order, except partly masked ones', async () => {
      const answers: Record<string, number> = {}
      const wanted: Record<string, number> = {}
      for (const field of shipped(module).filter(({ kind }) => kindOf(kind).sorts === true)) {
        wanted[field.name] = isHeldBack(field) ? 400 : 200
        answers[field.name] = (await asked({ sort: [{ field: field.name, dir: 'desc' }] })).meta.code
      }

      expect(answers).toEqual(wanted)
    })
  },
)

describe('own fields of converted and merged records', () => {
  const ownValue = { own_text: '带过去的', own_choice: 'A', own_money: 9.5 }

  it.each(MODULES)('are set on many %s at once, if the field allows it', async (module) => {
    const shut = { name: 'shut', kind: 'text', label: '不批量' }
    right(await deals.admin.post('/engine/web/field/save', { module, field: shut }))
    const patch = async (fields: JsonObject) =>
      right(await clients[module].post(`/mini/${module}/patch`, { ids: [idOf(module)], ...fields }))
    const { record: before } = right(await clients[module].get(`/mini/${module}/detail?id=${idOf(module)}`))
    const done = await patch({ ext: { own_choice: 'B' } })
    const refused = [
      await patch({ ext: { shut: '不行' } }),
      await patch({ nothing: 1 }),
      await patch({ ext: { own_choice: 'nobody' } }),
    ]
    const { record } = right(await clients[module].get(`/mini/${module}/detail?id=${idOf(module)}`))
    const wrong = await clients[module].post(`/mini/${module}/patch`, {
      ids: ['nobody'],
      ext: { own_choice: 'A' },
    })

    expect(done).toMatchObject({ ok: [idOf(module)], failed: [] })
    expect(record.ext).toEqual({ ...before.ext, own_choice: 'B' })
    expect(record.version).toBe(before.version + 1)
    expect(refused.map(({ failed }) => failed[0].message)).toEqual([
      '不支持的字段',
      '不支持的字段',
      expect.stringContaining(labelOf('choice')),
    ])
    expect(right(wrong).failed).toMatchObject([{ code: 404 }])
  })

  it('begin with their defaults: a value if absent, the time and the author if empty', async () => {
    const { admin, director } = deals
    const usual = [
      { name: 'usual', kind: 'integer', label: '默认数', default: 3 },
      { name: 'since', kind: 'day', label: '默认日', default: 'now', required: true },
      { name: 'writer', kind: 'user', label: '默认人', default: 'me' },
    ]
    for (const field of usual)
      right(await admin.post('/engine/web/field/save', { module: 'activity', field }))
    const make = async (values: JsonObject) => {
      const { id } = right(
        await director.post('/mini/activity/create', {
          name: '有默认值的活动',
          type: 'exhibition',
          start_at: '2026-04-01 09:00:00',
          end_at: '2026-04-01 18:00:00',
          ...values,
        }),
      )
      return right(await director.get(`/mini/activity/detail?id=${id}`)).record.ext
    }
    const { usual: number, writer, since } = await make({})

    expect([number, writer, since]).toEqual([
      3,
      expect.stringMatching(/^u-/),
      expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    ])
    expect(await make({ ext: { usual: null, since: '', writer: null } })).toEqual({ since, writer })
    expect(await make({ ext: { since: '2026-01-02', writer: 'u-demo' } })).toEqual({
      usual: 3,
      since: '2026-01-02',
      writer: 'u-demo',
    })
  })

  it('begin with a computed default, by the same rule on the form, if a call does not send them', async () => {
    const { admin, director } = deals
    const budget = { var: 'budget' }
    const fields = [
      { name: 'share', kind: 'money', label: '分摊', default: { rule: { '*': [budget, 0.25] } } },
      { name: 'double', kind: 'money', label: '两份', default: { rule: { '*': [{ var: 'share' }, 2] } } },
      { name: 'maker', kind: 'text', label: '制单', default: { rule: { var: 'user.name' } } },
      { name: 'place', default: { rule: { cat: [{ var: 'maker' }, '的场地'] } } },
    ]
    for (const field of fields)
      right(await admin.post('/engine/web/field/save', { module: 'activity', field }))
    const make = async (values: JsonObject) => {
      const { id } = right(
        await director.post('/mini/activity/create', {
          name: '按规则有默认值的活动',
          type: 'exhibition',
          start_at: '2026-04-01 09:00:00',
          end_at: '2026-04-01 18:00:00',
          budget: 100,
          ...values,
        }),
      )
      return right(await director.get(`/mini/activity/detail?id=${id}`)).record
    }
    const { body } = await director.get('/engine/web/page/detail?path=/pages/activity/add')

    expect((await make({})).ext).toMatchObject({ share: 25, double: 50 })
    expect((await make({ ext: { share: 10 } })).ext).toMatchObject({ share: 10, double: 20 })
    expect((await make({ ext: { share: null } })).ext).not.toHaveProperty('share')
    expect(await make({ ext: { maker: '小王' } })).toMatchObject({ place: '小王的场地' })
    expect(await make({ place: '大厅' })).toMatchObject({ place: '大厅' })
    expect(body).toContain(
      JSON.stringify({ if: [{ '!': [{ var: 'params.id' }] }, { '*': [{ var: 'ext_share' }, 2] }, null] }),
    )
  })

  it('are copied to the revision of a contract, except unique ones', async () => {
    const { admin, demo } = deals
    const text = fieldsOf(samples).find(({ kind }) => kind === 'text')
    right(
      await admin.post('/engine/web/field/save', {
        module: 'contract',
        field: { ...text, unique: 'refuse' } as JsonObject,
      }),
    )
    const { own_text, ...own } = { ...ownValue, own_day: '2026-05-06' }
    const first = await contractInEffect(deals, { ext: { ...own, own_text } })
    const made = [
      right(await demo.post('/mini/contract/change', { id: first, reason: '改金额' })).id,
      right(await demo.post('/mini/contract/renew', { id: first })).id,
    ]
    const kept = async (id: string) => right(await demo.get(`/mini/contract/detail?id=${id}`)).record.ext

    expect(await kept(first)).toEqual({ ...own, own_text })
    for (const id of made) expect(await kept(id)).toEqual(own)
  })

  it('are taken from a merged customer if the other one has none, or if the user chooses it', async () => {
    const { demo, director } = deals
    const make = async (name: string, values: JsonObject) =>
      right(await demo.post('/mini/customer/create', { name, ext: values })).id
    const other = await make('被合并的客户有限公司', { own_text: '乙', own_money: 5, own_day: '2026-01-01' })
    const master = await make('合并到的客户有限公司', { own_text: '甲', own_money: 4 })
    right(
      await director.post('/mini/customer/merge', {
        masterId: master,
        ids: [other],
        take: ['ext.own_money'],
      }),
    )
    const { record } = right(await demo.get(`/mini/customer/detail?id=${master}`))

    expect(record.ext).toEqual({ own_text: '甲', own_money: 5, own_day: '2026-01-01' })
  })

  it('are offered as a choice, with texts, if two merged customers differ', async () => {
    const { demo, director } = deals
    const make = async (name: string, values: JsonObject) =>
      right(await demo.post('/mini/customer/create', { name, ...values })).id
    const mine = { level: 'B', remark: '一样', ext: { own_text: '甲', own_money: 4, own_day: '2026-01-01' } }
    const theirs = {
      level: 'A',
      remark: '一样',
      email: 'only@theirs.cn',
      ext: { own_text: '乙', own_money: 5, own_day: '2026-01-01' },
    }
    const master = await make('两边都有的客户有限公司', mine)
    const other = await make('两边不同的客户有限公司', theirs)

    const { list, ...names } = right(
      await director.get(`/mini/customer/merge/choices?id=${master}&other=${other}`),
    )
    const seller = await demo.get(`/mini/customer/merge/choices?id=${master}&other=${other}`)
    right(
      await director.post('/mini/customer/merge', {
        masterId: master,
        ids: [other],
        take: list.map(({ value }: JsonObject) => value),
      }),
    )
    const { record } = right(await demo.get(`/mini/customer/detail?id=${master}`))

    expect(names).toEqual({ name: '两边都有的客户有限公司', other_name: '两边不同的客户有限公司' })
    expect(list).toEqual([
      { value: 'name', label: '客户名称：本客户 两边都有的客户有限公司，对方 两边不同的客户有限公司' },
      { value: 'level', label: '客户级别：本客户 普通客户，对方 重点客户' },
      { value: 'ext.own_text', label: '自有text项：本客户 甲，对方 乙' },
      { value: 'ext.own_money', label: '自有money项：本客户 4.00，对方 5.00' },
    ])
    expect(seller.meta.code).toBe(405)
    expect(record).toMatchObject({
      name: '两边不同的客户有限公司',
      level: 'A',
      email: 'only@theirs.cn',
      ext: theirs.ext,
    })
  })

  it('are copied from a lead to its customer, contact and opportunity by name, for every type', async () => {
    const { demo } = deals
    const { id } = right(
      await demo.post('/mini/lead/create', {
        name: '要全部转化的线索',
        company: '全部转化出来的有限公司',
        contact_name: '转化出来的人',
        source: 'website',
        mobile: '13911110098',
        budget: 100,
        expected_date: '2026-09-30',
        ext,
      }),
    )
    const { proposal } = right(await demo.post('/mini/lead/match', { id }))
    const made = right(
      await demo.post('/mini/lead/convert', { id, customer: { mode: 'create' }, bussiness: {} }),
    )
    const recordOf = async (module: Module, of: string) =>
      right(await demo.get(`/mini/${module}/detail?id=${of}`)).record

    for (const module of ['customer', 'contact', 'bussiness'] as const) {
      const record = await recordOf(module, made[`${module}Id`])
      expect(proposal[module].ext, module).toEqual(ext)
      expect(record.ext, module).toEqual(ext)
      expect(record.remark ?? '', module).not.toContain('自有')
    }
  })

  it('of a lead that no record takes over are written as text to the remark of its customer', async () => {
    const { admin, demo } = deals
    const options = [{ value: 'x', label: '独有一项' }]
    const only = { name: 'only_lead', kind: 'choice', label: '线索独有', options }
    const shared = { name: 'lead_contact', kind: 'text', label: '人的独有' }
    for (const [module, field] of [
      ['lead', only],
      ['lead', shared],
      ['contact', shared],
    ] as const)
      right(await admin.post('/engine/web/field/save', { module, field }))
    const convert = async (mobile: string, more: JsonObject) => {
      const { id } = right(
        await demo.post('/mini/lead/create', {
          name: '要转化的线索',
          company: `转化出来的有限公司${mobile}`,
          contact_name: '转化出来的人',
          source: 'website',
          mobile,
          ext: { ...ownValue, only_lead: 'x', lead_contact: '喜欢喝茶' },
        }),
      )
      const answer = await demo.post('/mini/lead/convert', { id, customer: { mode: 'create' }, ...more })
      return right(await demo.get(`/mini/customer/detail?id=${right(answer).customerId}`)).record
    }
    const withContact = await convert('13911110099', {})
    const alone = await convert('13911110097', { contact: { mode: 'none' } })

    expect(withContact.ext).toEqual(ownValue)
    expect(withContact.remark).toBe('线索独有：独有一项')
    expect(alone.remark).toBe('线索独有：独有一项\n人的独有：喜欢喝茶')
  })

  it('prevent the deletion of a used value of their dictionary, as fields of the product do', async () => {
    const { admin, demo } = deals
    const items = [
      { value: 'kept', label: '在用' },
      { value: 'free', label: '没用' },
    ]
    right(
      await admin.post('/engine/web/dict/save', { id: 'own_dict', create: true, name: '自有字典', items }),
    )
    const field = { name: 'of_dict', kind: 'choice', label: '自有字典项', dict: 'own_dict' }
    for (const module of MODULES) right(await admin.post('/engine/web/field/save', { module, field }))
    const { id } = right(
      await demo.post('/mini/customer/create', { name: '字典在用的客户有限公司', ext: { of_dict: 'kept' } }),
    )
    const without = (value: string) =>
      admin.post('/engine/web/dict/delete', { id: 'own_dict', values: [value] })

    expect(id).not.toBe('')
    expect((await without('kept')).meta.code).toBe(422)
    expect((await without('free')).meta.code).toBe(200)
  })

  it.each(['follow', 'todo', 'plan'])('are refused in %s, which has none', async (module) => {
    const answer = await deals.admin.post('/engine/web/field/save', {
      module,
      field: { name: 'own', kind: 'text', label: '自有' },
    })

    expect(answer.meta).toMatchObject({ code: 422, message: '这个模块不支持添加字段' })
  })

  it('are hidden, masked and write-protected by the role: in views, sorts and filters', async () => {
    const { server, demo, manager } = deals
    const rights: FieldRights = {
      customer: { 'ext.own_text': 'hidden', 'ext.own_phone': 'masked', 'ext.own_money': 'read' },
    }
    const secret = { own_text: '谁也不许看', own_phone: '13866660000', own_money: 7 }
    const { id } = right(
      await demo.post('/mini/customer/create', { name: '有秘密的客户有限公司', ext: secret }),
    )
    await server.database.system((trx) =>
      sql`update role set field_rights = ${JSON.stringify(rights)}::jsonb
        where tenant_id = 'xinghai' and code = 'sales_manager'`.execute(trx),
    )
    const boss = await server.as('manager')
    const { record } = right(await boss.get(`/mini/customer/detail?id=${id}`))
    const list = await boss.post('/mini/customer/list', {})
    const sought = await Promise.all([
      boss.post('/mini/customer/list', { keyword: '谁也不许看' }),
      boss.post('/mini/customer/list', { keyword: '13866660000' }),
      demo.post('/mini/customer/list', { keyword: '谁也不许看' }),
    ])
    const filtered = await boss.post('/mini/customer/list', {
      filters: [{ field: 'ext.own_text', op: 'contains', value: '谁' }],
    })
    const sorted = await boss.post('/mini/customer/list', { sort: [{ field: 'ext.own_text', dir: 'asc' }] })
    const written = await boss.post('/mini/customer/update', {
      id,
      version: record.version,
      ext: { own_money: 8 },
    })
    const same = await boss.post('/mini/customer/update', {
      id,
      version: record.version,
      ext: { own_money: 7, own_phone: record.ext.own_phone, own_day: '2026-02-02' },
    })
    const job = await finished(boss, await boss.post('/mini/customer/export', { ids: [id] }))
    const sheet = JSON.stringify(await readSheetOf(server, job.fileUrl))
    const sync = await boss.post('/mini/sync/changes', { entities: ['customer'] })
    const log = await boss.get(`/mini/customer/log?id=${id}`)
    const audit = logChanges(
      'customer',
      { before: { ext: {} }, after: { ext: secret } },
      {
        caller: { fieldRights: rights },
        model: { modules: new Map() },
      },
    )

    expect(manager.token).not.toBe('')
    expect(record.ext).toEqual({ own_phone: '138****0000', own_money: 7 })
    for (const answer of [list.body, sheet, sync.body, log.body, JSON.stringify(record)])
      expect(answer).not.toMatch(/谁也不许看|13866660000/)
    expect(sync.body).toContain('138****0000')
    expect(audit.map(({ is }) => is)).toEqual(['***', '7'])
    expect(sought.map((answer) => right(answer).list.length)).toEqual([0, 0, 1])
    expect(filtered.meta.error?.type).toBe('BAD_FILTER')
    expect(sorted.meta.error?.type).toBe('BAD_FILTER')
    expect(written.meta).toMatchObject({
      code: 405,
      error: { fields: { 'ext.own_money': expect.any(String) } },
    })
    expect(same.meta.code).toBe(200)
    expect(right(await demo.get(`/mini/customer/detail?id=${id}`)).record.ext).toEqual({
      ...secret,
      own_day: '2026-02-02',
    })
  })

  it('that pools mask are masked there, and not searchable there', async () => {
    const { admin, demo, server } = deals
    const field = {
      name: 'wechat_id',
      kind: 'text',
      label: '私人微信',
      mask: 'pool',
      search: true,
      filter: true,
      sort: true,
      card: true,
    }
    // A module has at most twenty filter fields.
    const unasked = { name: nameOf('url'), kind: 'url', label: labelOf('url') }
    right(await admin.post('/engine/web/field/save', { module: 'customer', field: unasked }))
    right(await admin.post('/engine/web/field/save', { module: 'customer', field }))
    const { id } = right(
      await demo.post('/mini/customer/create', {
        name: '进公海的客户有限公司',
        ext: { wechat_id: 'wx_secret' },
      }),
    )
    right(await demo.post('/mini/customer/release', { ids: [id], reason: 'other' }))
    const manager = await server.as('manager')
    const found = await manager.post('/mini/pool/customer/list', {
      filters: [{ field: 'ext.wechat_id', op: 'eq', value: 'wx_secret' }],
    })
    const sought = [
      await manager.post('/mini/pool/customer/list', { keyword: 'wx_secret' }),
      await manager.get('/mini/search/global?keyword=wx_secret'),
    ]
    const sorted = await manager.post('/mini/pool/customer/list', {
      sort: [{ field: 'ext.wechat_id', dir: 'asc' }],
    })
    const list = await manager.post('/mini/pool/customer/list', { keyword: '进公海的' })
    const detail = await manager.get(`/mini/pool/customer/detail?id=${id}`)

    expect(right(found).list).toEqual([])
    expect(list.body).toContain('"w***"')
    for (const answer of [list, detail]) expect(answer.body).not.toContain('wx_secret')
    expect(sorted.meta.error?.type).toBe('BAD_FILTER')
    for (const answer of sought) {
      expect(right(answer)).toBeDefined()
      expect(answer.body).not.toContain(id)
    }
  })

  it('of a product dictionary count as uses in every module that has them', async () => {
    const { list } = right(await deals.admin.post('/engine/web/dict/list', {}))
    const answers: string[] = []
    for (const { id } of list.filter(({ system }: JsonObject) => system !== true)) {
      const { record } = right(await deals.admin.get(`/engine/web/dict/detail?id=${id}`))
      const value = record.items.at(-1)?.value
      if (value === undefined) continue
      const { meta } = await deals.admin.post('/engine/web/dict/delete', { id, values: [value] })
      if (meta.code !== 200 && meta.code !== 422) answers.push(`${id} ${meta.code}`)
    }

    expect(answers).toEqual([])
    expect(list.length).toBeGreaterThan(20)
  })
})

describe.each(MODULES)('numbers and formulas of %s', (module) => {
  const number = (client: Client, id: string) =>
    client.get(`/mini/${module}/detail?id=${id}`).then((answer) => right(answer).record)
  let id: string
  beforeAll(async () => {
    const { admin } = deals
    // A module has at most twenty filter fields.
    for (const kind of ['url', 'email'] as const)
      right(
        await admin.post('/engine/web/field/save', {
          module,
          field: {
            ...fieldsOf(samples).find((one) => one.kind === kind),
            filter: false,
            sort: false,
            search: false,
          },
        }),
      )
    const asked = { filter: true, sort: true, search: true, card: true }
    const fields = [
      { name: 'own_count', kind: 'auto-number', label: '自有编号', number: 'BH{yyyyMM}{000}', ...asked },
      {
        name: 'own_half',
        kind: 'formula',
        label: '自有一半',
        result: 'number',
        formula: { '/': [{ var: 'ext_own_integer' }, 3] },
      },
      {
        name: 'own_sum',
        kind: 'formula',
        label: '自有合计',
        result: 'number',
        decimals: 1,
        card: true,
        formula: { '+': [{ var: 'own_money' }, { '*': [{ var: 'own_half' }, 2] }] },
      },
    ]
    for (const field of fields) right(await admin.post('/engine/web/field/save', { module, field }))
    const make = async (n: number): Promise<string> => {
      const { name, mobile, ...body } = bodies[module]
      const own = { own_money: 1234.5, own_integer: 7 }
      const others = {
        ...(name === undefined ? {} : { name: `${name}第${n}个编号` }),
        ...(mobile === undefined ? {} : { mobile: `1571${String(MODULES.indexOf(module))}00000${n}` }),
      }
      return right(await clients[module].post(`/mini/${module}/create`, { ...body, ...others, ext: own })).id
    }
    await make(1)
    id = await make(2)
  })

  it('are set when a record is created, numbered and computed, and cannot be written', async () => {
    const record = await number(clients[module], id)
    const refused = await clients[module].post(`/mini/${module}/update`, {
      id,
      version: record.version,
      ext: { own_count: 'X', own_sum: 1 },
    })
    const update = { id, version: record.version, ext: { own_money: 1 } }
    const changed = await clients[module].post(`/mini/${module}/update`, update)
    const after = await number(clients[module], id)

    expect(record.ext_own_count).toMatch(/^BH\d{6}00[2-9]$/)
    expect(record).toMatchObject({ ext_own_half: 2.33, ext_own_sum: 1239.2 })
    expect(Object.keys(refused.meta.error?.fields ?? {}).sort()).toEqual(['ext.own_count', 'ext.own_sum'])
    expect(changed.meta.code).toBe(200)
    expect(after).toMatchObject({ ext_own_count: record.ext_own_count, ext_own_sum: 5.7 })
  })

  it('are on cards; the number can be filtered, sorted and searched', async () => {
    const { ext_own_count: count } = await number(clients[module], id)
    const list = async (request: JsonObject) =>
      right(await clients[module].post(`/mini/${module}/list`, request)).list as readonly JsonObject[]
    const filters = [{ field: 'ext.own_count', op: 'eq', value: count }]
    const [found, ...others] = await list({ filters })
    const [top] = await list({
      sort: [{ field: 'ext.own_count', dir: 'desc' }],
      filters: [{ ...filters[0], op: 'notEmpty' }],
    })

    expect([found?.id, others]).toEqual([id, []])
    expect(found).toMatchObject({ ext_own_count: count, ext_own_sum: 5.7 })
    expect(found).not.toHaveProperty('ext_own_half')
    expect(top?.id).toBe(id)
    expect((await list({ keyword: String(count).slice(2), tab: 'all' })).map((one) => one.id)).toContain(id)
  })

  it('are computed on the form by the same rule, and are not sent', async () => {
    const { body } = await clients[module].get(`/engine/web/page/detail?path=${PAGES[module].form}`)
    const page = JSON.parse(body)
    const widgets = [...objectsIn(page)].filter(({ options }) =>
      /^ext_own_(?:count|sum)$/.test(String(ownValue(options, 'name'))),
    )

    expect(widgets.map(({ options }) => ownValue(options, 'readonly'))).toEqual([true, true])
    expect(body).toContain('{"round":[{"+":[{"var":"ext_own_money"},{"*":[{"var":"ext_own_half"},2]}]},1]}')
    expect(body).not.toMatch(/\{\{ form\.ext_own_(?:count|sum|half) \}\}/)
  })

  it('are exported to a sheet and not imported', async () => {
    const who = module === 'payment' ? deals.finance : deals.director
    const record = await number(clients[module], id)
    const job = await finished(who, await who.post(`/mini/${module}/export`, { ids: [id] }))
    const [titles = [], row = []] = await readSheetOf(deals.server, job.fileUrl)

    expect(row[titles.indexOf('自有编号')]).toBe(record.ext_own_count)
    expect(Number(row[titles.indexOf('自有合计')])).toBe(5.7)
    expect(await templateOf(who, `/mini/${module}`)).not.toContain('自有编号')
  })
})

describe.each(NAMED_MODULES)('records that refer to one of %s', (module) => {
  it('are counted in its detail, on its card and in its sheet', async () => {
    const { admin } = deals
    const field = {
      name: 'own_parts',
      kind: 'rollup',
      label: '自有配件数',
      card: true,
      rollup: { module: 'part', by: `of_${module}`, of: 'count' },
    }
    const id = idOf(module)
    right(await admin.post('/engine/web/module/save', { description: PART }))
    right(await admin.post('/engine/web/field/save', { module, field }))
    right(await admin.post('/mini/m/part/create', { title: '配件', [`of_${module}`]: id }))
    const { record } = right(await admin.get(`/mini/${module}/detail?id=${id}`))
    const { list } = right(await admin.post(`/mini/${module}/list`, { tab: 'all', limit: 100 }))
    const job = await finished(admin, await admin.post(`/mini/${module}/export`, { ids: [id] }))
    const [titles = [], row = []] = await readSheetOf(deals.server, job.fileUrl)

    expect(record).toMatchObject({ ext_own_parts: 1, ext_own_parts_name: '1' })
    expect(list.find((one: JsonObject) => one.id === id)).toMatchObject({ ext_own_parts: 1 })
    expect(row[titles.indexOf('自有配件数')]).toBe(1)
  })
})
