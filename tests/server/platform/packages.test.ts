import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { type Package, printPackage, readPackage } from '../../../src/server/flows/packages/package-file.ts'
import { folderOf, packageOf } from '../../../src/server/flows/packages/package-folder.ts'
import { uploadedBytes } from '../sheets/finished-job.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let admin: Client
let other: Client
const TEXT =
  '{"widgetList":[{"type":"static-text","options":{"name":"a","textContent":"看板"}}],\n "formConfig":{"page":{"title":"看板"}}}\n'
const TICKET = {
  name: 'ticket',
  label: '工单',
  title: 'title',
  behaviours: ['owned', 'history', 'recycle'],
  fields: [
    { name: 'title', kind: 'text', label: '标题', required: true },
    { name: 'level', kind: 'choice', label: '级别', dict: 'ticket_level' },
  ],
}

beforeAll(async () => {
  server = await openTestApp()
  ;[admin, other] = await Promise.all([server.as('admin'), server.as('yfadmin')])
  const items = [{ value: 'high', label: '高' }]
  await admin.post('/engine/web/dict/save', { id: 'ticket_level', create: true, name: '工单级别', items })
  await admin.post('/engine/web/module/save', { description: TICKET })
  await admin.post('/engine/web/page/publish', { path: '/pages/x/board', base: 0, document: TEXT })
  await admin.post('/engine/web/menu/save', {
    title: '看板',
    path: '/pages/x/board',
    icon: 'AppOutline',
    slot: ['common'],
  })
})
afterAll(() => server.close())

/** Somebody's export as text. */
async function exported(chosen: readonly string[] = []): Promise<string> {
  const { data } = await admin.post('/engine/web/package/export', { title: '工单包', chosen: [...chosen] })
  return (await admin.get(data.url)).body
}
const upload = (client: Client, text: string) =>
  uploadedBytes(server, client, Buffer.from(text), 'package.json')
const check = async (client: Client, text: string) =>
  client.post('/engine/web/package/check', { fileId: await upload(client, text) })
const bring = async (client: Client, text: string) =>
  client.post('/engine/web/package/import', { fileId: await upload(client, text) })

describe('a package', () => {
  it('contains what the tenant has created: pages byte for byte, modules with their dictionaries, menus of its pages', async () => {
    const { data } = await admin.post('/engine/web/package/list', {})
    const read = readPackage(await exported())

    expect(data.list.map(({ id }: JsonObject) => String(id).split(' ')[0])).toEqual([
      'module',
      'page',
      'menu',
    ])
    expect(read).toMatchObject({
      title: '工单包',
      items: [
        { kind: 'dict', change: { id: 'ticket_level', items: [{ value: 'high', label: '高' }] } },
        { kind: 'module', change: { description: { name: 'ticket' } } },
        { kind: 'page', change: { path: '/pages/x/board', document: TEXT } },
        { kind: 'menu', change: { title: '看板', path: '/pages/x/board' } },
      ],
    })
    expect(readPackage(await exported(['page /pages/x/board']))).toMatchObject({ items: [{ kind: 'page' }] })
  })

  it('shows in another tenant what it would change, without changing it, and becomes a change set there', async () => {
    const text = await exported()
    const { data } = await check(other, text)
    const before = await other.get('/engine/web/page/source?path=/pages/x/board')
    const brought = await bring(other, text)
    const set = await other.get(`/engine/web/changeset/detail?id=${brought.data.id}`)

    expect(data.faults, JSON.stringify(data)).toBe(0)
    expect(data.list.map(({ kind_name, title }: JsonObject) => `${kind_name} ${title}`)).toEqual([
      '字典 工单级别',
      '模块 工单',
      '页面 看板',
      '菜单 看板',
    ])
    expect(before.meta.code).toBe(404)
    expect(set.data).toMatchObject({ record: { title: '工单包', status: 'open', items: 4 } })
    const published = await other.post('/engine/web/changeset/publish', { id: brought.data.id })
    expect(published.meta).toMatchObject({ code: 200 })
    const source = await other.get('/engine/web/page/source?path=/pages/x/board')
    expect(source.data.text).toBe(TEXT)
    const menus = (await other.post('/engine/web/menu/list', {})).data.list
    expect(menus.filter(({ path }: JsonObject) => path === '/pages/x/board')).toHaveLength(1)
  })

  it('over existing parts changes them: nothing is deleted, no menu is duplicated', async () => {
    const field = { name: 'mine', kind: 'text', label: '我们的' }
    await other.post('/engine/web/field/save', { module: 'ticket', field })
    const brought = await bring(other, await exported())
    await other.post('/engine/web/changeset/publish', { id: brought.data.id })
    const { data } = await other.get('/engine/web/module/detail?name=ticket')
    const menus = (await other.post('/engine/web/menu/list', {})).data.list

    expect(data.description.fields.map(({ name }: JsonObject) => name)).toContain('mine')
    expect(menus.filter(({ path }: JsonObject) => path === '/pages/x/board')).toHaveLength(1)
  })

  it('with a fault names it, and the set is refused with it', async () => {
    const document =
      '{"widgetList":[{"type":"input","options":{"name":"a","onClick":"this.("}}],"formConfig":{"page":{"title":"坏"}}}'
    const text = printPackage({
      title: '坏',
      items: [{ kind: 'page', change: { path: '/pages/x/bad', document } }],
    })
    const { data } = await check(other, text)
    const brought = await bring(other, text)
    const published = await other.post('/engine/web/changeset/publish', { id: brought.data.id })

    expect(data).toMatchObject({ faults: 1, list: [{ ok: false }] })
    expect(data.list[0].faults).toContain('/widgetList/0')
    expect(published.meta.code).toBe(400)
  })

  it('that was edited manually, is of another kind, or is too big is refused before it is read', async () => {
    const text = await exported()
    const many: Package = {
      title: '多',
      items: Array.from({ length: 101 }, (_, i) => ({
        kind: 'page',
        change: { path: `/pages/x/p${i}`, document: TEXT },
      })),
    }
    const messages = await Promise.all(
      [text.replace('工单级别', '别的'), '{"a":1}', 'no', printPackage(many)].map(
        async (one) => (await check(other, one)).meta.message,
      ),
    )

    expect(messages).toEqual([
      '文件内容被改动过，校验不通过',
      '这不是定制包',
      '这不是定制包',
      '文件太大：最多 5 MB、100 项改动',
    ])
    expect(readPackage(' '.repeat(5_000_001))).toBe('too-big')
  })

  it('can be unpacked to a folder in the form of schemas for Git, and packed to the same bytes', async () => {
    const text = await exported()
    const read = readPackage(text)
    if (typeof read === 'string') throw new Error(read)
    const folder = folderOf(read)

    expect([...folder.keys()].sort()).toEqual([
      'dicts/ticket_level.json',
      'menus.json',
      'modules/ticket.json',
      'package.json',
      'pages/x/board.json',
    ])
    expect(folder.get('pages/x/board.json')).toBe(TEXT)
    expect(JSON.parse(folder.get('modules/ticket.json') ?? '')).toMatchObject({ name: 'ticket' })
    expect(printPackage(packageOf(folder))).toBe(text)
    const outside: Package = { title: '', items: [{ kind: 'dict', change: { id: '../../x', items: [] } }] }
    expect(() => folderOf(outside)).toThrow('no name of a file')
  })

  it('is also what 导出全部定义 writes', async () => {
    const { data } = await admin.post('/engine/web/module/export', {})
    const definitions = readPackage((await admin.get(data.url)).body)

    expect(definitions).toMatchObject({ items: [{ kind: 'dict' }, { kind: 'module' }] })
  })

  it('needs the right to change forms, and the user’s own files', async () => {
    const director = await server.as('director')
    const fileId = await upload(admin, await exported())

    expect((await director.post('/engine/web/package/list', {})).meta.code).toBe(405)
    expect((await other.post('/engine/web/package/check', { fileId })).meta.code).toBe(404)
  })
})
