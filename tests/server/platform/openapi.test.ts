import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from '../../../runtime/core/json.ts'
import { objectsIn } from '../../schemas/product-pages.ts'
import { DEMO } from '../images.ts'
import { everyRouteOf } from '../isolation/routes.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

const server: TestApp = await openTestApp({}, DEMO)
let admin: Client
let document: Document
const THE_DOCUMENT = 'https://localhost/openapi.json'
const ajv = new Ajv2020({ strict: false })
interface Operation {
  readonly requestBody?: unknown
  readonly responses: { readonly '200': { readonly content?: JsonObject } }
}
interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> }
}
const OWN = {
  name: 'vault',
  label: '保险柜',
  title: 'title',
  behaviours: ['owned'],
  fields: [
    { name: 'title', kind: 'text', label: '标题', required: true, max: 50 },
    { name: 'price', kind: 'money', label: '价格' },
    { name: 'opened', kind: 'day', label: '开启日' },
  ],
}
const read = async (client: Client): Promise<Document> => JSON.parse((await client.get('/openapi.json')).body)

beforeAll(async () => {
  admin = await server.as('admin')
  await admin.post('/engine/web/module/save', { description: OWN })
  await admin.post('/engine/web/field/save', {
    module: 'customer',
    field: { name: 'wechat_group', kind: 'text', label: '微信群名称' },
  })
  await admin.post('/mini/m/vault/create', { title: '一号', price: 12.5, opened: '2026-03-01' })
  await admin.post('/mini/todo/create', { title: '看一看', due_at: '2026-03-20' })
  document = await read(admin)
  ajv.addSchema(document, THE_DOCUMENT, false, false)
})
afterAll(() => server.close())

describe('the OpenAPI document', () => {
  it('has every route', () => {
    const missing = everyRouteOf(server).filter(
      ([method, path]) => document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method] === undefined,
    )

    expect(everyRouteOf(server).length).toBeGreaterThan(300)
    expect(missing).toEqual([])
  })

  it('is valid: references exist, schemas compile, names are unique', () => {
    const text = JSON.stringify(document)
    const references = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name)
    const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id)

    expect(document.openapi).toBe('3.1.0')
    expect(references.filter((name) => !(name in document.components.schemas))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    for (const [path, operations] of Object.entries(document.paths))
      for (const method of Object.keys(operations))
        expect(() => checkOf(path, method), `${method} ${path}`).not.toThrow()
  })

  it('has a tenant’s own fields and modules at once, and none of another tenant', async () => {
    const theirs = await read(await server.as('yfadmin'))

    expect(document.components.schemas['customer.input']).toMatchObject({
      properties: { ext: { properties: { wechat_group: { title: '微信群名称' } } } },
    })
    expect(document.components.schemas['vault.input']).toMatchObject({ 'x-required': ['title'] })
    expect(document.paths['/mini/m/vault/create']?.post).toMatchObject({ 'x-permission': 'm.vault:add' })
    expect(JSON.stringify(theirs)).not.toMatch(/vault|wechat_group|保险柜/)
    expect(JSON.stringify(await read(await server.as('demo')))).not.toMatch(/m\/vault/)
  })

  it('has a Chinese label for every call', async () => {
    const { data } = await admin.post('/engine/web/api/list', {})
    const raw = (data.list as { path: string; title: string }[]).filter(
      ({ title }) => !/^[\u4e00-\u9fa5（）·\s]+$/.test(title),
    )

    expect(raw.map(({ path, title }) => `${path} ${title}`)).toEqual([])
  })

  it('names the right that each call requires by its label on the page of a role, never by a bare code', async () => {
    const { data } = await admin.post('/engine/web/api/list', {})
    const rows = data.list as { path: string; right: string; permission: string }[]
    const named = new Map(rows.map(({ permission, right }) => [permission, right]))
    const file = readFileSync(
      new URL('../../../schemas/fragments/role/modules.json', import.meta.url),
      'utf8',
    )
    const offered = [...objectsIn(JSON.parse(file))].flatMap(({ with: given }) =>
      isObject(given) && Array.isArray(given.rights)
        ? given.rights
            .filter(isObject)
            .map(({ value, label }) => [String(value), `${given.label} · ${label}`] as const)
        : [],
    )

    expect(rows.filter(({ right }) => !/^[\u4e00-\u9fa5]+( · [\u4e00-\u9fa5]+)?$/.test(right))).toEqual([])
    expect(offered.length).toBeGreaterThan(80)
    expect(offered.filter(([code, words]) => (named.get(code) ?? words) !== words)).toEqual([])
    expect(named.get('m.vault:add')).toBe('保险柜 · 新建')
    expect(named.get('')).toBe('登录即可')
  })

  it('needs a session', async () => {
    expect((await server.with(null).get('/openapi.json')).meta.code).toBe(401)
  })

  it('can be viewed and searched', async () => {
    const all = await admin.post('/engine/web/api/list', {})
    const found = await admin.post('/engine/web/api/list', { keyword: '客户 新建 /mini/customer/c' })
    const made = await admin.get(
      `/engine/web/api/detail?id=${encodeURIComponent('post /mini/customer/create')}`,
    )
    const asked = await admin.get(
      `/engine/web/api/detail?id=${encodeURIComponent('post /mini/customer/list')}`,
    )

    expect(all.data.list.length).toBeGreaterThan(300)
    expect(found.data.list).toMatchObject([
      { method: 'POST', path: '/mini/customer/create', permission: 'customer:add', right: '客户 · 新建' },
    ])
    expect(made.data.call).toMatchObject({ title: '客户 · 新建', method: 'POST', permission: 'customer:add' })
    expect(made.data.call.fields).toContainEqual(
      expect.objectContaining({ name: 'ext.wechat_group', label: '微信群名称', kind: '单行文本' }),
    )
    expect(made.data.call.fields).toContainEqual(
      expect.objectContaining({ name: 'name', label: '客户名称', must: '必填' }),
    )
    const example = made.data.call.example as string
    expect(example).toMatch(/^POST \/mini\/customer\/create\nAuthorization: /)
    const body = JSON.parse(example.slice(example.indexOf('\n\n')))
    expect(body).toMatchObject({ name: '客户名称', clientToken: expect.any(String) })
    expect(asked.data.call.example).toContain('"op": "eq"')
    expect((await admin.get('/engine/web/api/detail?id=post%20/nothing')).meta.code).toBe(404)
    expect((await (await server.as('demo')).post('/engine/web/api/list', {})).meta.code).toBe(405)
  })
})

describe('its schemas of answers', () => {
  const reads = everyRouteOf(server).filter(
    ([method, path]) =>
      (method === 'get' || /\/(?:list|count|deleted|board|match|options)$/.test(path)) &&
      !/stream$|\/file\//.test(path),
  )

  it.each(reads)('match %s %s', async (method, path) => {
    const answer =
      method === 'get' ? await admin.get(`${path}?${await queryOf(path)}`) : await admin.post(path, {})
    const check = checkOf(path.replace(/:(\w+)/g, '{$1}'), method)

    if (answer.meta?.code !== 200) return expect(answer.body).not.toBe('')
    expect(check(JSON.parse(answer.body)), JSON.stringify(check.errors?.slice(0, 3))).toBe(true)
  })

  it('are tested on records of every module', async () => {
    const modules = Object.keys(document.components.schemas).filter((name) => name.endsWith('.record'))
    const lists = modules.map((name) => `/mini/${isOwn(name) ? 'm/' : ''}${name.replace('.record', '/list')}`)
    const empty: string[] = []
    for (const path of lists)
      if (((await admin.post(path, {})).data?.list ?? []).length === 0) empty.push(path)

    expect(lists.length).toBeGreaterThan(8)
    expect(empty).toEqual([])
  })

  it('fail for a different answer', () => {
    const check = checkOf('/mini/customer/list', 'post')
    const meta = { code: 200, success: true, message: '', error: null }

    expect(check({ meta, data: { list: [{ id: '1', name: 5 }] } })).toBe(false)
    expect(check({ meta, data: {} })).toBe(false)
  })
})

/** A module defined by its description: `quotation.record`. */
const isOwn = (name: string): boolean => `/mini/m/${name.replace('.record', '')}/list` in document.paths

/** Validates the answer of a call; schemas shared by several calls are compiled once. */
function checkOf(path: string, method: string) {
  const content = document.paths[path]?.[method]?.responses['200'].content
  const [media] = Object.keys(content ?? {})
  if (media === undefined) return ajv.compile({})
  const steps = ['paths', path, method, 'responses', '200', 'content', media, 'schema']
  const pointer = steps.map((step) => encodeURIComponent(step.replace(/~/g, '~0').replace(/\//g, '~1')))
  return ajv.compile({ $ref: `${THE_DOCUMENT}#/${pointer.join('/')}` })
}

/** The id of a record the admin sees, if the call is about one. */
async function queryOf(path: string): Promise<string> {
  const [, kind = ''] = /^\/mini\/(\w+)\/(?:detail|log)$/.exec(path) ?? []
  const own = /^\/mini\/m\/\w+/.exec(path)?.[0]
  if (kind === '' && own === undefined) return ''
  const { data } = await admin.post(`${own ?? `/mini/${kind}`}/list`, {})
  return `id=${data?.list?.[0]?.id ?? ''}`
}
