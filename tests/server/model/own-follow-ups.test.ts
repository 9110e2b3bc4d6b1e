import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Client } from '../support.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const { server, admin, demo, give, make } = await openOwnTenant([
  aModule({ behaviours: ['owned', 'follow', 'files', 'recycle'] }),
  aModule({ name: 'note', label: '便签', behaviours: [] }),
])
let id = ''
const FILE = { name: '照片.png', url: '/engine/web/file/abc', size: 2048, ext: 'png' }
const SCAN = { name: '合同.pdf', url: '/engine/web/file/def', size: 4096, ext: 'pdf' }

beforeAll(async () => {
  await give('sales', 'ticket')
  id = await make(demo, 'ticket', { title: '屏幕不亮', attachments: [SCAN] })
})
afterAll(() => server.close())

const write = (client: Client, more: JsonObject = {}) =>
  client.post('/mini/follow/create', {
    target_type: 'm/ticket',
    target_id: id,
    method: 'call',
    content: '已远程排查',
    images: [FILE],
    ...more,
  })
const listed = (client: Client) => client.post('/mini/follow/list', { targetType: 'm/ticket', targetId: id })

describe('follow-ups on a record of an own module', () => {
  it('are written by whoever sees it, and its owner is told of a colleague’s', async () => {
    const mine = await write(demo)
    const theirs = await write(admin, { content: '请尽快上门', images: [] })
    const timeline = await listed(demo)
    const detail = await demo.get(`/mini/m/ticket/detail?id=${id}`)
    const told = await demo.post('/mini/message/list', {})

    expect(mine.meta.code).toBe(200)
    expect(theirs.meta.code).toBe(200)
    expect(timeline.data.list.map(({ content }: JsonObject) => content).sort()).toEqual([
      '已远程排查',
      '请尽快上门',
    ])
    expect(detail.data.related).toMatchObject({ follow: 2 })
    expect(told.data.list.map(({ url }: JsonObject) => url)).toContain(`/pages/m/ticket/detail?id=${id}`)
  })

  it('are opened, commented and liked by whoever sees the record, and by nobody else', async () => {
    const other = await admin.post('/mini/m/ticket/create', { title: '别人的' })
    const hidden = await write(admin, { target_id: other.data.id, content: '内部处理' })
    const { data } = await listed(demo)
    const followId = data.list[0].id
    const seen = await demo.get(`/mini/follow/detail?id=${followId}`)
    const said = await admin.post('/mini/follow/comment', { id: followId, content: '收到' })
    const unseen = await demo.get(`/mini/follow/detail?id=${hidden.data.id}`)

    expect(seen.data.record).toMatchObject({ target_type: 'm/ticket', target_id: id })
    expect(said.meta.code).toBe(200)
    expect(unseen.meta.code).toBe(404)
    expect((await write(demo, { target_id: other.data.id })).meta.code).toBe(404)
    expect((await listed(await server.as('yfadmin'))).meta.code).toBe(404)
  })

  it('are not there where the module has none, and count no calls', async () => {
    const note = await admin.post('/mini/m/note/create', { title: '便签' })
    const refused = await admin.post('/mini/follow/create', {
      target_type: 'm/note',
      target_id: note.data.id,
      method: 'call',
      content: '不该有的',
    })
    const rung = await demo.post('/mini/follow/call-start', {
      targetType: 'm/ticket',
      targetId: id,
      phone: '13800000000',
    })
    const logged = await write(demo, { content: '打过电话', call: { phone: '13800000000' } })

    expect(refused.meta.code).toBe(404)
    expect(rung.meta.code).toBe(400)
    expect(logged.meta.code).toBe(200)
  })

  it('go into the recycle bin with the record and come back with it', async () => {
    const { data } = await listed(demo)
    const followId = data.list[0].id
    await demo.post('/mini/m/ticket/delete', { ids: [id] })
    const gone = await demo.get(`/mini/follow/detail?id=${followId}`)
    await demo.post('/mini/m/ticket/restore', { ids: [id] })

    expect(gone.meta.code).toBe(404)
    expect((await listed(demo)).data.list).toHaveLength(data.list.length)
  })
})

describe('files of a record of an own module', () => {
  it('are those on the record and those of its follow-ups', async () => {
    const files = await demo.get(`/mini/m/ticket/attachment/list?id=${id}`)
    const { data } = await demo.get(`/mini/m/ticket/detail?id=${id}`)

    expect(files.data.list.map(({ name }: JsonObject) => name).sort()).toEqual([
      '合同.pdf',
      '照片.png',
      '照片.png',
    ])
    expect(data.record).toMatchObject({ attachments: [SCAN], attachments_name: '合同.pdf' })
  })

  it('are kept from whoever does not see it', async () => {
    const other = await admin.post('/mini/m/ticket/create', { title: '别人的', attachments: [SCAN] })
    const files = await demo.get(`/mini/m/ticket/attachment/list?id=${other.data.id}`)

    expect(files.meta.code).toBe(404)
  })

  it('and follow-ups stand on its page', async () => {
    const { body } = await demo.get('/engine/web/page/detail?path=/pages/m/ticket/detail')
    const form = await demo.get('/engine/web/page/detail?path=/pages/m/ticket/add')

    expect(body).toContain('"followRows"')
    expect(body).toContain('/mini/m/ticket/attachment/list')
    expect(form.body).toContain('"name":"attachments"')
  })
})
