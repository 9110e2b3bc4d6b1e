import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { uploadedBytes } from '../sheets/finished-job.ts'
import type { Client } from '../support.ts'
import { openOwnTenant } from './own-tenant.ts'

const { server, admin, demo } = await openOwnTenant()
afterAll(() => server.close())

const TICKET: JsonObject = {
  name: 'ticket',
  label: '售后工单',
  title: 'title',
  number: 'GD{yyyyMMdd}{000}',
  behaviours: ['owned', 'history', 'recycle'],
  fields: [
    { name: 'title', kind: 'text', label: '标题', required: true, max: 50, search: true },
    { name: 'hours', kind: 'number', label: '工时', min: 0, decimals: 1, filter: true, sort: true },
    { name: 'price', kind: 'money', label: '单价' },
    { name: 'total', kind: 'formula', label: '合计', formula: { '*': [{ var: 'hours' }, { var: 'price' }] } },
    { name: 'due', kind: 'moment', label: '期限', filter: true, sort: true },
    { name: 'day', kind: 'day', label: '日期', filter: true },
    { name: 'urgent', kind: 'flag', label: '紧急', filter: true },
    { name: 'tags', kind: 'texts', label: '标签', filter: true },
    { name: 'serial', kind: 'text', label: '序列号', unique: 'refuse', filter: true },
    { name: 'level', kind: 'choice', label: '级别', dict: 'customer_level', filter: true },
    { name: 'keeper', kind: 'user', label: '处理人', default: 'me' },
    {
      name: 'status',
      kind: 'choice',
      label: '状态',
      options: [
        { value: 'open', label: '待处理' },
        { value: 'doing', label: '处理中' },
        { value: 'done', label: '已解决' },
      ],
      default: 'open',
      filter: true,
    },
    { name: 'result', kind: 'long-text', label: '结果', required: { '==': [{ var: 'status' }, 'done'] } },
  ],
  statuses: { field: 'status', moves: { open: ['doing'], doing: ['done', 'open'], done: [] } },
  defaultSort: 'due asc',
}
/** A record with every field filled in. */
const FULL: JsonObject = {
  title: '打印机卡纸',
  hours: 2.5,
  price: 100.2,
  due: '2026-03-20 18:00:00',
  day: '2026-03-19',
  urgent: true,
  tags: ['硬件', '上门'],
  serial: 'SN-1',
  level: 'A',
  status: 'open',
  result: '已更换',
}

describe('an own module of a tenant', () => {
  beforeAll(async () => {
    const saved = await admin.post('/engine/web/module/save', { description: TICKET })
    expect(saved.data).toEqual({ version: 1 })
  })

  it('is available at once to users who may manage it, and to no others', async () => {
    const mine = await admin.post('/mini/m/ticket/list')
    const theirs = await demo.post('/mini/m/ticket/list')
    const stranger = await (await server.as('yfadmin')).post('/mini/m/ticket/list')

    expect(mine.data.list).toEqual([])
    expect(theirs.meta).toMatchObject({ code: 405 })
    expect(stranger.meta).toMatchObject({ code: 404 })
  })

  it('stores every type of value as written', async () => {
    const made = await admin.post('/mini/m/ticket/create', FULL)
    const read = await admin.get(`/mini/m/ticket/detail?id=${made.data.id}`)

    expect(made.meta.code).toBe(200)
    expect(read.data.record).toMatchObject({
      ...FULL,
      total: 250.5,
      record_no: 'GD20260316001',
      keeper_name: '陈建国',
    })
    expect(read.data.moves).toEqual([{ value: 'doing', label: '处理中' }])
  })

  it('accepts a record with only the required fields', async () => {
    const made = await admin.post('/mini/m/ticket/create', { title: '只有标题' })

    expect(made.data.record).toMatchObject({
      title: '只有标题',
      status: 'open',
      hours: null,
      tags: [],
      due: null,
    })
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['nothing at all', {}, { title: '请填写标题' }],
    ['a field it does not have', { title: 'x', colour: 'red' }, { colour: '不支持的字段' }],
    ['a computed field', { title: 'x', total: 3 }, { total: '不支持的字段' }],
    ['more decimals than it has', { title: 'x', hours: 0.25 }, { hours: expect.stringContaining('工时') }],
    ['a value its dictionary lacks', { title: 'x', level: 'Z' }, { level: expect.stringContaining('级别') }],
    [
      'a colleague of another tenant',
      { title: 'x', keeper: 'nobody' },
      { keeper: expect.stringContaining('处理人') },
    ],
    ['a repeat of what is unique', { title: 'x', serial: 'SN-1' }, { serial: '序列号“SN-1”已经有了' }],
    ['a rule that asks for more', { title: 'x', status: 'done' }, { result: '请填写结果' }],
  ])('refuses %s, field by field', async (_, body, faults) => {
    const answer = await admin.post('/mini/m/ticket/create', body)

    expect(answer.meta.code).toBe(400)
    expect(answer.meta.error?.fields).toMatchObject(faults)
  })

  it('changes its status by its description', async () => {
    const { data } = await admin.post('/mini/m/ticket/create', { title: '状态' })
    const jump = await admin.post('/mini/m/ticket/update', {
      id: data.id,
      version: 1,
      status: 'done',
      result: '好',
    })
    const step = await admin.post('/mini/m/ticket/update', { id: data.id, version: 1, status: 'doing' })

    expect(jump.meta.error?.fields).toEqual({ status: '不能从“待处理”改为“已解决”' })
    expect(step.data.record).toMatchObject({ status: 'doing' })
  })

  it('reports the user who was faster, and the current version', async () => {
    const { data } = await admin.post('/mini/m/ticket/create', { title: '两个人' })
    await admin.post('/mini/m/ticket/update', { id: data.id, version: 1, hours: 1 })

    const late = await admin.post('/mini/m/ticket/update', { id: data.id, version: 1, hours: 2 })

    expect(late.meta).toMatchObject({ code: 409, error: { type: 'VERSION_CONFLICT' } })
    expect(late.data.current).toMatchObject({ hours: 1, version: 2 })
  })

  it.each<[string, JsonObject]>([
    ['a text', { field: 'title', op: 'contains', value: '卡纸' }],
    ['a number', { field: 'hours', op: 'between', value: [2, 3] }],
    ['a moment', { field: 'due', op: 'gte', value: '2026-03-20 17:59:00' }],
    ['a day', { field: 'day', op: 'eq', value: '2026-03-19' }],
    ['a flag', { field: 'urgent', op: 'eq', value: true }],
    ['one of several texts', { field: 'tags', op: 'in', value: ['上门'] }],
    ['a choice', { field: 'level', op: 'in', value: ['A', 'B'] }],
    ['a unique text', { field: 'serial', op: 'eq', value: 'SN-1' }],
  ])('finds records by %s', async (_, filter) => {
    const found = await admin.post('/mini/m/ticket/list', { filters: [filter] })

    expect(found.data.list.map((row: JsonObject) => row.title)).toEqual(['打印机卡纸'])
  })

  it('finds by a keyword and by tab, and sorts with empty values at the end', async () => {
    const byWord = await admin.post('/mini/m/ticket/list', { keyword: '卡纸' })
    const byNumber = await admin.post('/mini/m/ticket/list', { keyword: 'GD20260316001' })
    const byTab = await admin.post('/mini/m/ticket/list', { tab: 'status_doing' })
    const sorted = await admin.post('/mini/m/ticket/list', { sort: [{ field: 'hours', dir: 'desc' }] })
    const counts = await admin.post('/mini/m/ticket/count', {})

    expect(byWord.data.list).toHaveLength(1)
    expect(byNumber.data.list).toHaveLength(1)
    expect(byTab.data.list.map((row: JsonObject) => row.title)).toEqual(['状态'])
    expect(sorted.data.list.map((row: JsonObject) => row.hours).slice(0, 3)).toEqual([2.5, 1, null])
    expect(counts.data).toMatchObject({ all: 4, mine: 4, status_doing: 1 })
  })

  it('shows each row once from page to page', async () => {
    const titles: Json[] = []
    let cursor: string | undefined
    do {
      const page = await admin.post('/mini/m/ticket/list', { limit: 2, ...(cursor ? { cursor } : {}) })
      titles.push(...page.data.list.map((row: JsonObject) => row.id as string))
      cursor = page.data.nextCursor ?? undefined
    } while (cursor)

    expect(new Set(titles).size).toBe(4)
    expect(titles).toHaveLength(4)
  })

  it('keeps a deleted record in the recycle bin, from where it can be restored', async () => {
    const { data } = await admin.post('/mini/m/ticket/create', { title: '删了又来' })
    await admin.post('/mini/m/ticket/delete', { ids: [data.id] })
    const gone = await admin.get(`/mini/m/ticket/detail?id=${data.id}`)
    await admin.post('/mini/m/ticket/restore', { ids: [data.id] })
    const back = await admin.get(`/mini/m/ticket/detail?id=${data.id}`)

    expect(gone.meta.code).toBe(404)
    expect(back.data.record.title).toBe('删了又来')
  })

  it('does not treat a file as changed because its URL was signed again', async () => {
    const { data: now } = await admin.get('/engine/web/module/detail?name=ticket')
    const fields = [...(TICKET.fields as Json[]), { name: 'papers', kind: 'files', label: '文件' }]
    await admin.post('/engine/web/module/save', { description: { ...TICKET, fields }, base: now.version })
    const id = await uploadedBytes(server, admin, Buffer.from('%PDF-1.4'), '现场.pdf')
    const file = { id, name: '现场.pdf', url: `/engine/web/file/${id}?sign=first`, size: 8, ext: 'pdf' }
    const { data } = await admin.post('/mini/m/ticket/create', { title: '带文件', papers: [file] })
    const again = [{ ...file, url: `/engine/web/file/${id}?sign=second` }]

    await admin.post('/mini/m/ticket/update', { id: data.id, version: 1, hours: 3, papers: again })
    const log = await admin.get(`/mini/m/ticket/log?id=${data.id}`)

    expect(log.data.list[0].text).toBe('工时：空 → 3')
  })

  it('records who changed what', async () => {
    const { data } = await admin.post('/mini/m/ticket/create', { title: '留痕', hours: 1 })
    await admin.post('/mini/m/ticket/update', { id: data.id, version: 1, hours: 2 })

    await admin.post('/mini/m/ticket/delete', { ids: [data.id] })
    await admin.post('/mini/m/ticket/restore', { ids: [data.id] })

    const log = await admin.get(`/mini/m/ticket/log?id=${data.id}`)
    const audit = await admin.post('/engine/web/log/list', { limit: 1 })

    expect(log.data.list.map(({ title }: JsonObject) => title)).toEqual([
      '删除或恢复售后工单',
      '删除或恢复售后工单',
      '编辑售后工单',
      '新建售后工单',
    ])
    expect(log.data.list[2].text).toContain('工时：1 → 2')
    expect(audit.data.list[0]).toMatchObject({ title: '删除或恢复售后工单', entity_name: '售后工单' })
  })

  it('is hidden when it is deleted, and has its records again when it is restored', async () => {
    await admin.post('/engine/web/module/delete', { name: 'ticket' })
    const gone = await admin.post('/mini/m/ticket/list')
    await admin.post('/engine/web/module/save', { description: TICKET })
    const back = await admin.post('/mini/m/ticket/list', { keyword: '卡纸' })

    expect(gone.meta.code).toBe(404)
    expect(back.data.list).toHaveLength(1)
  })
})

describe('a description', () => {
  it.each<[string, JsonObject, string]>([
    ['is none', {}, 'KEY_MISSING'],
    [
      'names a kind nobody knows',
      { name: 'x', label: 'X', title: 'a', behaviours: [], fields: [{ name: 'a', kind: 'txt', label: 'A' }] },
      'KIND_UNKNOWN',
    ],
    [
      'changes the kind of a product’s field',
      { name: 'customer', fields: [{ name: 'name', kind: 'number' }] },
      'VALUE_INVALID',
    ],
  ])('is refused with positions if it %s', async (_, description, code) => {
    const answer = await admin.post('/engine/web/module/save', { description })

    expect(answer.meta.code).toBe(400)
    expect(answer.data.problems.map((one: JsonObject) => one.code)).toContain(code)
  })

  it('conflicts with another user’s change, and the answer has the current version', async () => {
    const description = { ...TICKET, name: 'visit', label: '拜访' }
    await admin.post('/engine/web/module/save', { description })
    const first = await admin.post('/engine/web/module/save', {
      description: { ...description, label: '拜访记录' },
      base: 1,
    })
    const second = await admin.post('/engine/web/module/save', { description, base: 1 })

    expect(first.data.version).toBe(2)
    expect(second.meta).toMatchObject({ code: 409, error: { type: 'VERSION_CONFLICT' } })
    expect(second.data).toMatchObject({ version: 2, current: { label: '拜访记录' } })
  })

  it('can be saved only by users who may change forms', async () => {
    const answer = await demo.post('/engine/web/module/save', { description: TICKET })

    expect(answer.meta.code).toBe(405)
  })

  it('gains a field and loses it, keeping its values', async () => {
    const field = { name: 'floor', kind: 'integer', label: '楼层', filter: true }
    await admin.post('/engine/web/field/save', { module: 'ticket', field })
    const { data } = await admin.post('/mini/m/ticket/create', { title: '楼上', floor: 12 })
    await admin.post('/engine/web/field/delete', { module: 'ticket', name: 'floor' })
    const without = await admin.get(`/mini/m/ticket/detail?id=${data.id}`)
    await admin.post('/engine/web/field/save', { module: 'ticket', field })
    const again = await admin.get(`/mini/m/ticket/detail?id=${data.id}`)

    expect(without.data.record.floor).toBeUndefined()
    expect(again.data.record.floor).toBe(12)
  })
})

describe('the list of modules', () => {
  it('has the field of parents, once its module has a tree', async () => {
    const branch = {
      name: 'branch',
      label: '网点',
      title: 'title',
      behaviours: ['owned', 'tree'],
      fields: [
        { name: 'title', kind: 'text', label: '名称' },
        { name: 'city', kind: 'text', label: '城市' },
      ],
    }
    await admin.post('/engine/web/module/save', { description: branch })
    const { description } = (await admin.get('/engine/web/module/detail?name=branch')).data
    const page = await admin.get('/engine/web/page/detail?path=/pages/m/branch/detail')

    expect(description.fields.map(({ name, label }: JsonObject) => [name, label])).toEqual([
      ['title', '名称'],
      ['parent_id', '上级'],
      ['city', '城市'],
    ])
    expect(JSON.stringify(page)).toContain('下级')
  })

  it('has the product’s and the tenant’s own modules, with the origin of each field', async () => {
    const list = await admin.post('/engine/web/module/list')
    await admin.post('/engine/web/field/save', {
      module: 'customer',
      field: { name: 'wechat_group', kind: 'text', label: '微信群名称' },
    })
    const detail = await admin.get('/engine/web/module/detail?name=customer')
    const other = await (await server.as('yfadmin')).get('/engine/web/module/detail?name=customer')

    expect(list.data.list.map((one: JsonObject) => one.name)).toEqual(
      expect.arrayContaining([
        'customer',
        'contact',
        'lead',
        'bussiness',
        'contract',
        'payment',
        'plan',
        'product',
        'activity',
        'follow',
        'todo',
        'ticket',
      ]),
    )
    expect(list.data.problems).toEqual([])
    expect(detail.data.version).toBe(1)
    expect(detail.data.description.fields.at(-1)).toMatchObject({ name: 'wechat_group', origin: 'tenant' })
    expect(other.data.description.fields.some((one: JsonObject) => one.name === 'wechat_group')).toBe(false)
  })
})

describe('the menu entry of an own module', () => {
  const entries = async (client: Client) =>
    (await client.get('/mini/user/detail')).data.authorities.map((one: JsonObject) => one.title)

  it('is where the module declares it, for users who may see it, and is removed with the module', async () => {
    const placed = { ...TICKET, name: 'spare', label: '备件', menu: { place: 'work', order: 5 } }
    await admin.post('/engine/web/module/save', { description: placed })
    const mine = await entries(admin)
    const theirs = await entries(demo)
    await admin.post('/engine/web/module/delete', { name: 'spare' })
    const after = await entries(admin)

    expect(mine).toContain('备件')
    expect(theirs).not.toContain('备件')
    expect(after).not.toContain('备件')
  })
})

describe('an own module on home', () => {
  const atHome = async (client: Client) => {
    const { authorities, selected } = (await client.get('/mini/user/detail')).data
    const titles = new Map(authorities.map((one: JsonObject) => [one.id, one.title]))
    return selected.common.map((id: number) => titles.get(id))
  }
  const save = async (place: string) => {
    const description = { ...TICKET, name: 'front', label: '前台', menu: { place } }
    expect((await admin.post('/engine/web/module/save', { description })).meta.code).toBe(200)
  }

  it('is among the default menus, unless it declares another place', async () => {
    await save('work')
    const before = await atHome(admin)
    await save('home')
    await save('home')
    const there = await atHome(admin)
    const theirs = await atHome(demo)
    await save('work')

    expect(there).toEqual([...before, '前台'])
    expect(theirs).not.toContain('前台')
    expect(await atHome(admin)).toEqual(before)
  })
})

describe('the pages of an own module', () => {
  it.each(['index', 'detail', 'add'])(
    'include %s with the module, for users who may see it',
    async (page) => {
      const path = `/engine/web/page/detail?path=/pages/m/ticket/${page}`
      const mine = await admin.get(path)
      const theirs = await demo.get(path)
      const stranger = await (await server.as('yfadmin')).get(path)

      expect(mine.body).toContain('/mini/m/ticket/')
      expect(theirs.meta.code).toBe(405)
      expect(stranger.meta.code).toBe(404)
    },
  )

  it('follow a change of the module', async () => {
    const before = await admin.get('/engine/web/page/detail?path=/pages/m/ticket/add')
    const field = { name: 'floor', kind: 'integer', label: '楼层号' }
    await admin.post('/engine/web/field/save', { module: 'ticket', field })
    const after = await admin.get('/engine/web/page/detail?path=/pages/m/ticket/add')

    expect(before.body).not.toContain('楼层号')
    expect(after.body).toContain('楼层号')
    expect(after.headers.etag).not.toBe(before.headers.etag)
  })

  it('are among the pages that a phone caches', async () => {
    const bundle = await admin.get('/engine/web/page/bundle')

    expect(bundle.body).toContain('/pages/m/ticket/index')
  })
})

describe('the form of a field', () => {
  it('creates a field from the settings of its type, and omits the others', async () => {
    const form = {
      label: '满意度',
      name: 'rating',
      kind: 'choice',
      max: 3,
      dict: null,
      options: [
        { label: '满意', value: 'good' },
        { label: '不满意', value: '' },
      ],
      filter: true,
      retired: false,
    }
    await admin.post('/engine/web/field/save', { module: 'ticket', form })
    const { data } = await admin.get('/engine/web/field/detail?module=ticket&name=rating')
    const rows = await admin.get('/engine/web/field/list?module=ticket')

    expect(data.form).toMatchObject({
      label: '满意度',
      kind: 'choice',
      filter: true,
      options: [
        { value: 'good', label: '满意' },
        { value: 'v2', label: '不满意' },
      ],
    })
    expect(rows.data.list.at(-1)).toMatchObject({ label: '满意度', marks: '单选 · 可筛选' })
  })

  it('stores the allowed differences from a product’s field, and keeps the others', async () => {
    const { data } = await admin.get('/engine/web/field/detail?module=lead&name=budget')
    await admin.post('/engine/web/field/save', {
      module: 'lead',
      name: 'budget',
      form: { ...data.form, label: '采购预算', kind: 'text' },
    })
    const after = await admin.get('/engine/web/module/detail?name=lead')
    const field = after.data.description.fields.find((one: JsonObject) => one.name === 'budget')

    expect(field).toMatchObject({ label: '采购预算', kind: 'money', origin: 'vendor', changed: true })
  })

  it('reports the position of a fault', async () => {
    const answer = await admin.post('/engine/web/field/save', {
      module: 'ticket',
      form: { label: '选项没有', name: 'none', kind: 'choice', options: [] },
    })

    expect(answer.meta.code).toBe(400)
    expect(answer.data.problems[0]).toMatchObject({ code: 'KEY_MISSING' })
  })
})
