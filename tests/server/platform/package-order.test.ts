import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { type PackageItem, printPackage } from '../../../src/server/flows/packages/package-file.ts'
import { uploadedBytes } from '../sheets/finished-job.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let admin: Client
let other: Client

const module = (name: string, label: string, fields: readonly JsonObject[]): JsonObject => ({
  name,
  label,
  title: 'title',
  behaviours: ['owned', 'history', 'recycle'],
  fields: [{ name: 'title', kind: 'text', label: '标题', required: true }, ...fields],
})
const link = (path: string, to: string): JsonObject => ({
  path,
  document: JSON.stringify({
    widgetList: [
      {
        type: 'button',
        options: { name: 'go', label: '去', on: { click: [{ do: 'navigate', url: to }] } },
      },
    ],
    formConfig: { page: { title: `从 ${path}` } },
  }),
})

beforeAll(async () => {
  server = await openTestApp()
  ;[admin, other] = await Promise.all([server.as('admin'), server.as('yfadmin')])
})
afterAll(() => server.close())

const upload = (client: Client, text: string) =>
  uploadedBytes(server, client, Buffer.from(text), 'package.json')
const check = async (client: Client, text: string) =>
  client.post('/engine/web/package/check', { fileId: await upload(client, text) })
const bring = async (client: Client, text: string) =>
  client.post('/engine/web/package/import', { fileId: await upload(client, text) })
const saved = async (description: JsonObject) =>
  expect((await admin.post('/engine/web/module/save', { description })).meta).toMatchObject({ message: '' })

async function exported(chosen: readonly string[]): Promise<string> {
  const { data } = await admin.post('/engine/web/package/export', { title: '交付', chosen: [...chosen] })
  return (await admin.get(data.url)).body
}

/** Imports a file and publishes its set, each step without a fault. @returns the id of the set */
async function published(text: string): Promise<string> {
  const { data } = await check(other, text)
  expect(data.list.map(({ title, message }: JsonObject) => `${title}: ${message}`).join('\n')).not.toMatch(
    /: ./,
  )
  const { id } = (await bring(other, text)).data
  const judged = (await other.post('/engine/web/changeset/check', { id })).data
  expect(judged).toMatchObject({ faults: 0 })
  const answer = await other.post('/engine/web/changeset/publish', { id })
  expect(answer.meta).toMatchObject({ code: 200, message: '' })
  return id
}
const fieldsOf = async (name: string): Promise<string[]> =>
  (await other.get(`/engine/web/module/detail?name=${name}`)).data.description.fields.map(
    (field: JsonObject) => field.name,
  )

describe('an exported package', () => {
  it('is imported whole where a product module sums up a module that stands after it', async () => {
    await saved(
      module('delivery', '交付登记', [
        { name: 'contract', kind: 'ref', label: '合同', module: 'contract' },
        { name: 'cost', kind: 'money', label: '成本' },
      ]),
    )
    const rollup = { module: 'delivery', by: 'contract', of: 'sum', field: 'cost' }
    const field = { name: 'f_cost', kind: 'rollup', label: '交付成本', rollup }
    expect((await admin.post('/engine/web/field/save', { module: 'contract', field })).meta).toMatchObject({
      message: '',
    })

    await published(await exported([]))

    expect(await fieldsOf('contract')).toContain('f_cost')
  })

  it('is imported where modules name later ones, and each other', async () => {
    await saved(module('zbbb', '设备', []))
    await saved(module('aaaa', '巡检', [{ name: 'device', kind: 'ref', label: '设备', module: 'zbbb' }]))
    await saved(
      module('zbbb', '设备', [
        { name: 'last', kind: 'ref', label: '最近巡检', module: 'aaaa' },
        {
          name: 'rounds',
          kind: 'rollup',
          label: '巡检次数',
          rollup: { module: 'aaaa', by: 'device', of: 'count' },
        },
      ]),
    )
    await saved(
      module('aaaa', '巡检', [
        { name: 'device', kind: 'ref', label: '设备', module: 'zbbb' },
        {
          name: 'devices',
          kind: 'rollup',
          label: '设备数',
          rollup: { module: 'zbbb', by: 'last', of: 'count' },
        },
      ]),
    )
    const field = { name: 'f_device', kind: 'ref', label: '装机设备', module: 'zbbb' }
    await admin.post('/engine/web/field/save', { module: 'customer', field })

    const id = await published(await exported(['module aaaa', 'module customer', 'module zbbb']))

    expect(await fieldsOf('aaaa')).toEqual(['title', 'device', 'devices'])
    expect(await fieldsOf('customer')).toContain('f_device')
    const back = await other.post('/engine/web/changeset/rollback', { id })
    expect(back.meta).toMatchObject({ code: 200, message: '' })
    expect((await other.get('/engine/web/module/detail?name=aaaa')).meta.code).toBe(404)
  })

  it('is imported over modules that are there already and get a field that an earlier one sums up', async () => {
    const rooms = module('rooms', '房间', [{ name: 'floor', kind: 'ref', label: '楼层', module: 'floors' }])
    await saved(module('floors', '楼层', []))
    await saved(rooms)
    await published(await exported(['module floors', 'module rooms']))
    const areas = { name: 'area', kind: 'number', label: '面积' }
    await saved({ ...rooms, fields: [...(rooms.fields as JsonObject[]), areas] })
    const area = { module: 'rooms', by: 'floor', of: 'sum', field: 'area' }
    await saved(module('floors', '楼层', [{ name: 'area', kind: 'rollup', label: '总面积', rollup: area }]))

    await published(await exported(['module floors', 'module rooms']))

    expect(await fieldsOf('floors')).toContain('area')
  })

  it('is imported with pages that lead to each other', async () => {
    const pages: PackageItem[] = [
      { kind: 'page', change: link('/pages/x/one', '/pages/x/two') },
      { kind: 'page', change: link('/pages/x/two', '/pages/x/one') },
    ]
    await published(printPackage({ title: '来回', items: pages }))
  })

  it('that lacks what it names says so with the labels of module and field', async () => {
    const description = module('visits', '走访', [
      { name: 'place', kind: 'ref', label: '走访地点', module: 'places' },
    ])
    const text = printPackage({ title: '缺', items: [{ kind: 'module', change: { description } }] })
    const { data } = await check(other, text)
    const brought = await bring(other, text)
    const answer = await other.post('/engine/web/changeset/publish', { id: brought.data.id })

    expect(data.list).toMatchObject([{ ok: false, title: '走访' }])
    for (const said of [data.list[0].faults, data.list[0].message, answer.meta.message])
      expect(said).toContain('字段“走访地点”')
    expect(answer.meta.message).toContain('走访')
  })

  it('that sums up what a later module of it does not have is refused', async () => {
    const rollup = { module: 'zz_child', by: 'nobody', of: 'count' }
    const text = printPackage({
      title: '错',
      items: [
        {
          kind: 'module',
          change: {
            description: module('aa_parent', '父', [{ name: 'n', kind: 'rollup', label: '数', rollup }]),
          },
        },
        {
          kind: 'module',
          change: {
            description: module('zz_child', '子', [
              { name: 'p', kind: 'ref', label: '父', module: 'aa_parent' },
            ]),
          },
        },
      ],
    })
    const { data } = await check(other, text)

    expect(data).toMatchObject({
      faults: 1,
      list: [
        { ok: false, title: '父' },
        { ok: true, title: '子' },
      ],
    })
    expect(data.list[0].faults).toContain('字段“数”')
  })
})

describe('a draft set', () => {
  it('in which a formula reads another field of it is published in an order that works, and taken back', async () => {
    await saved(module('crates', '箱', []))
    const { id } = (await admin.post('/engine/web/changeset/save', { title: '装箱' })).data
    const put = async (form: JsonObject) =>
      (
        await admin.post('/engine/web/changeset/put', {
          id,
          kind: 'field',
          change: { module: 'crates', name: '', form },
        })
      ).meta
    const number = { label: '每层', kind: 'number', name: 'zz_layer' }
    const formula = { label: '合计', kind: 'formula', name: 'aa_total', formula_text: '每层 * 3' }
    expect([await put(number), await put(formula)]).toMatchObject([{ message: '' }, { message: '' }])
    const fields = async (): Promise<string[]> =>
      (await admin.get('/engine/web/field/list?module=crates')).data.live.map(({ name }: JsonObject) => name)

    expect((await admin.post('/engine/web/changeset/publish', { id })).meta).toMatchObject({ message: '' })
    expect(await fields()).toEqual(['title', 'zz_layer', 'aa_total'])

    expect((await admin.post('/engine/web/changeset/rollback', { id })).meta).toMatchObject({ message: '' })
    expect(await fields()).toEqual(['title'])
  })

  it('in which a field sums up another field of it is published in an order that works', async () => {
    await saved(module('shops', '门店', []))
    await saved(module('walks', '巡店', []))
    const put = async (set: string | undefined, module: string, form: JsonObject, name = '') =>
      (
        await admin.post('/engine/web/changeset/put', {
          id: set ?? '',
          kind: 'field',
          change: { module, name, form },
        })
      ).data
    const { id } = (await admin.post('/engine/web/changeset/save', { title: '巡店' })).data
    const shop = await put(id, 'walks', { label: '门店', kind: 'ref', module: 'shops' })
    const by = String(shop.name).split('/')[1]
    const count = await put(id, 'shops', {
      label: '巡店次数',
      kind: 'rollup',
      rollup_at: `walks/${by}`,
      rollup_of: 'count',
    })
    expect(count).toMatchObject({ words: ['新增字段“巡店次数”'] })

    expect((await admin.post('/engine/web/changeset/check', { id })).data).toMatchObject({ faults: 0 })
    expect((await admin.post('/engine/web/changeset/publish', { id })).meta).toMatchObject({
      code: 200,
      message: '',
    })
  })
})
