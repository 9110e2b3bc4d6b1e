import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { convertFields } from '../../../src/server/flows/jobs/convert-fields.ts'
import { fillOwnIndexes } from '../../../src/server/flows/jobs/own-index.ts'
import { CONVERT_PART, convertPart } from '../../../src/server/kernel/fields/convert-field.ts'
import { right } from '../business5/deals.ts'
import type { Client } from '../support.ts'
import { mirrorFaults } from './mirror-faults.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const TENANT = 'xinghai'
const options = [
  { value: 'gold', label: '金' },
  { value: 'silver', label: '银' },
]
const FIELDS = {
  words: { kind: 'text', max: 100, filter: true, sort: true },
  grade: { kind: 'choice', options, filter: true },
  tags: { kind: 'choices', options },
  when: { kind: 'moment', sort: true },
  cost: { kind: 'money', filter: true },
  vip: { kind: 'flag' },
  who: { kind: 'user' },
  number: { kind: 'auto-number', number: 'NO{000}' },
} as const
const { server, admin, demo, give, make } = await openOwnTenant([
  aModule({
    name: 'turned',
    label: '转换',
    fields: Object.entries(FIELDS).map(([name, more]) => ({ name, label: `字段${name}`, ...more })),
  }),
])
beforeAll(() => give('sales', 'turned'), 60_000)
afterAll(() => server.close())

const save = (name: string, form: JsonObject, module = 'turned') =>
  admin.post('/engine/web/field/save', { module, name, form: { label: `字段${name}`, ...form } })
const preview = async (name: string, form: JsonObject) =>
  right(await admin.post('/engine/web/field/convert/list', { module: 'turned', name, form }))
const read = async (id: string) => right(await demo.get(`/mini/m/turned/detail?id=${id}`)).record
const describedAs = async (module = 'turned') =>
  right(await admin.get(`/engine/web/module/detail?name=${module}`)).description
const faults = async (module = 'turned') => {
  await fillOwnIndexes(server.database)
  return mirrorFaults(server.database, TENANT, await describedAs(module))
}
const listed = async (filter: JsonObject) =>
  right(await demo.post('/mini/m/turned/list', { filters: [filter] })).list.map(
    (row: JsonObject) => row.title,
  )

describe('converting a field with values to another type', () => {
  it('is refused with the values that cannot be converted, which the sheet lists in advance with their records', async () => {
    const good = await make(demo, 'turned', { title: '好的', words: '1,200.50' })
    const bad = await make(demo, 'turned', { title: '坏的', words: '一千' })
    const shown = await preview('words', { kind: 'number', decimals: 2 })
    const { meta } = await save('words', { kind: 'number', decimals: 2 })

    expect(shown).toMatchObject({
      fits: false,
      text: '2 条记录填写了它，其中 1 条不能转换；请先改好下面的内容，或者停用它，另建一个字段',
      list: [{ label: '一千（1 条）', path: `/pages/m/turned/detail?id=${bad}` }],
      changes: [{ label: '1,200.50 → 1200.5（1 条）' }],
    })
    expect([meta.code, meta.error?.fields?.kind]).toEqual([400, '1 条记录的内容不能转换，例如“一千”'])
    expect((await read(good)).words).toBe('1,200.50')
    right(await demo.post('/mini/m/turned/delete', { ids: [good, bad] }))
  })

  it('names values only to who sees these records with the field in full; others are told how many', async () => {
    const emptied = () =>
      server.database.system((trx) => sql`delete from record where module = 'turned'`.execute(trx))
    await emptied()
    const author = await server.as('zengke')
    const id = await make(author, 'turned', { title: '保密的', words: '绝密一千' })
    right(
      await admin.post('/engine/web/field/save', {
        module: 'customer',
        name: '',
        form: { name: 'grade', label: '密级', kind: 'text' },
      }),
    )
    right(await author.post('/mini/customer/create', { name: '密级测试重工厂', ext: { grade: '绝密二千' } }))
    const { rows } = await server.database.system((trx) =>
      sql<JsonObject>`select permissions, field_rights from role where tenant_id = ${TENANT} and code = 'sales'`.execute(
        trx,
      ),
    )
    const play = async ({ permissions, field_rights }: JsonObject) => {
      await server.database.system((trx) =>
        sql`update role set permissions = ${JSON.stringify(permissions)}::jsonb,
          field_rights = ${JSON.stringify(field_rights)}::jsonb where tenant_id = ${TENANT} and code = 'sales'`.execute(
          trx,
        ),
      )
      return server.as('zengke')
    }
    const answers = async (who: Client) => {
      const asked = (module: string, name: string, form: JsonObject) => ({
        module,
        name,
        form: { label: '字段words', ...form },
      })
      const number = { kind: 'number', decimals: 2 }
      return [
        await who.post('/engine/web/field/convert/list', asked('turned', 'words', number)),
        await who.post('/engine/web/field/save', asked('turned', 'words', number)),
        await who.post('/engine/web/field/save', asked('turned', 'words', { kind: 'text', max: 2 })),
        await who.post('/engine/web/field/convert/list', asked('customer', 'grade', number)),
        await who.post('/engine/web/field/convert/list', asked('customer', 'grade', { kind: 'choice' })),
      ]
    }
    const views = ['system:form', 'm.turned:view', 'customer:view']
    const blind = await answers(await play({ permissions: ['system:form'], field_rights: {} }))
    const masked = { 'm.turned': { words: 'masked' }, customer: { 'ext.grade': 'hidden' } }
    const partial = await answers(await play({ permissions: views, field_rights: masked }))
    const whole = await answers(await play({ permissions: views, field_rights: {} }))
    await play(rows[0] ?? {})

    for (const [preview, ...others] of [blind, partial]) {
      expect(preview?.data).toMatchObject({ fits: false, list: [], changes: [], words: [] })
      expect(preview?.data.text).toContain('1 条记录填写了它，其中 1 条不能转换')
      expect(others[0]?.meta.message).toBe('1 条记录的内容不能转换')
      expect(others[1]?.meta.message).toContain('超出新的范围，请先改好')
      for (const answer of [preview, ...others]) expect(answer?.body).not.toMatch(/绝密|detail\?id/)
    }
    expect(whole[0]?.data.list).toEqual([
      { id: '0', label: '绝密一千（1 条）', path: `/pages/m/turned/detail?id=${id}` },
    ])
    for (const [index, answer] of whole.entries()) expect(answer.body, `${index}`).toContain('绝密')
    await emptied()
  })

  it('converts every value, including those in the recycle bin, and filters and sorts by it at once', async () => {
    const rows: readonly (readonly [string, Json])[] = [
      ['甲', '2026年3月5日'],
      ['乙', '2026/12/31'],
      ['丙', null],
    ]
    await server.database.system((trx) => sql`delete from record where module = 'turned'`.execute(trx))
    const ids: string[] = []
    for (const [title, words] of rows) ids.push(await make(demo, 'turned', { title, words }))
    const binned = await make(demo, 'turned', { title: '回收', words: '20260101' })
    right(await demo.post('/mini/m/turned/delete', { ids: [binned] }))

    expect((await preview('words', { kind: 'day' })).text).toBe('3 条记录填写了它，都能转换')
    right(await save('words', { kind: 'day', filter: true, sort: true }))
    right(await demo.post('/mini/m/turned/restore', { ids: [binned] }))

    expect(await Promise.all([...ids, binned].map(async (id) => (await read(id)).words))).toEqual([
      '2026-03-05',
      '2026-12-31',
      null,
      '2026-01-01',
    ])
    expect(await listed({ field: 'words', op: 'gte', value: '2026-03-01' })).toEqual(
      expect.arrayContaining(['甲', '乙']),
    )
    expect(await faults()).toEqual([])
  })

  it.each<readonly [keyof typeof FIELDS, Json, JsonObject, Json]>([
    ['grade', 'gold', { kind: 'choices', source: 'options', options }, ['gold']],
    ['grade', ['gold'], { kind: 'text' }, '金'],
    ['grade', '金', { kind: 'choice', source: 'options', options: [{ label: '金' }] }, 'v1'],
    ['tags', ['gold', 'silver'], { kind: 'texts' }, ['金', '银']],
    ['tags', ['金', '银'], { kind: 'text' }, '金、银'],
    ['when', '2026-01-08 10:30:15', { kind: 'text' }, '2026-01-08 10:30:15'],
    ['when', '2026-01-08 10:30:15', { kind: 'moment' }, '2026-01-08 10:30:15'],
    ['cost', 1234.5, { kind: 'text' }, '1,234.50'],
    ['cost', '1,234.50', { kind: 'number', decimals: 1 }, 1234.5],
    ['vip', true, { kind: 'choice', source: 'options', options: [{ label: '是' }, { label: '否' }] }, 'v1'],
    ['who', 'u-demo', { kind: 'users' }, ['u-demo']],
    ['who', ['u-demo'], { kind: 'user' }, 'u-demo'],
  ])('converts %s: %j becomes, as %j, %j', async (name, value, form, expected) => {
    await server.database.system((trx) => sql`delete from record where module = 'turned'`.execute(trx))
    const id = await make(demo, 'turned', { title: '一条', [name]: value })
    right(await save(name, form))

    expect((await read(id))[name]).toEqual(expected)
    expect(await faults()).toEqual([])
  })

  it('is possible for convertible types, for all types while no record has a value, and for none if others depend on it', async () => {
    const kindsOf = async (name: string) =>
      right(await admin.get(`/engine/web/field/detail?module=turned&name=${name}`)).kinds.map(
        ({ value }: JsonObject) => value,
      )
    await server.database.system((trx) => sql`delete from record where module = 'turned'`.execute(trx))
    const empty = await kindsOf('who')
    await make(demo, 'turned', { title: '一条', who: 'u-demo' })

    expect(empty).toEqual(expect.arrayContaining(['lines', 'ref', 'formula', 'text']))
    expect(await kindsOf('who')).toEqual(['user', 'users'])
    expect(await kindsOf('title')).toEqual(['text'])
  })

  it('converts the values in earlier versions of records, too', async () => {
    right(
      await admin.post('/engine/web/module/save', {
        description: aModule({
          name: 'versioned',
          label: '有版本的',
          behaviours: ['owned', 'versions'],
          fields: [{ name: 'cost', kind: 'money', label: '价' }],
        }),
      }),
    )
    const id = await make(admin, 'versioned', { title: '甲', cost: 5 })
    right(await admin.post('/mini/m/versioned/version', { id, version: 1 }))

    right(await save('cost', { kind: 'text' }, 'versioned'))

    const { rows } = await server.database.system((trx) =>
      sql<{ cost: Json }>`select ext -> 'cost' as cost from record_version where record_id = ${id}`.execute(
        trx,
      ),
    )
    expect(rows).toEqual([{ cost: '5.00' }])
    expect(right(await admin.get(`/mini/m/versioned/detail?id=${id}`)).record.cost).toBe('5.00')
  })

  it('is refused if a unique value would be duplicated', async () => {
    await server.database.system((trx) => sql`delete from record where module = 'turned'`.execute(trx))
    right(await save('words', { kind: 'text', unique: 'refuse' }))
    for (const words of ['1', '1.0']) await make(demo, 'turned', { title: words, words })
    const { meta } = await save('words', { kind: 'number', unique: 'refuse' })

    expect([meta.code, meta.message]).toEqual([422, expect.stringContaining('有多条记录相同')])
    right(await save('words', { kind: 'number' }))
    expect(await faults()).toEqual([])
  })
})

describe('a field of many records', () => {
  const MANY = CONVERT_PART * 2 + 200
  const values = async () => {
    const { rows } = await server.database.system((trx) =>
      sql<{
        kind: string
        n: number
      }>`select jsonb_typeof(ext -> 'many') as kind, count(*)::int as n from customer
        where tenant_id = ${TENANT} and ext -> 'many' is not null group by 1 order by 1`.execute(trx),
    )
    return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]))
  }
  const field = (kind: string) => ({ name: 'many', kind, label: '多', filter: true, sort: true })
  const saveMany = (kind: string) =>
    admin.post('/engine/web/field/save', { module: 'customer', field: field(kind) })
  const rows = async () => right(await admin.get('/engine/web/field/list?module=customer'))
  const found = async (body: JsonObject) => (await admin.post('/mini/customer/list', body)).data?.total

  beforeAll(async () => {
    right(await saveMany('text'))
    await server.database.system((trx) =>
      sql`insert into customer (tenant_id, id, customer_no, name, name_norm, py, py_initial, search_text, search_tokens,
          owner_id, ext)
        select ${TENANT}, 'many-' || lpad(n::text, 5, '0'), 'M' || n, '客户' || n, '客户' || n, 'x', 'X', '', '{}',
          'u-admin', jsonb_build_object('many', n::text)
        from generate_series(1, ${MANY}::int) n`.execute(trx),
    )
  })

  it('is converted in batches by a job that continues after a crash; meanwhile the field is hidden, and its values stay', async () => {
    const update = (body: JsonObject) =>
      admin.post('/mini/customer/update', { id: 'many-02100', version: 1, ...body })
    right(await saveMany('integer'))
    const begun = [await values(), (await rows()).converting]
    const meanwhile = {
      shown: (await rows()).list.some(({ name }: JsonObject) => name === 'many'),
      again: (await saveMany('money')).meta,
      other: right(
        await admin.post('/engine/web/field/save', {
          module: 'customer',
          field: { name: 'beside', kind: 'text', label: '旁' },
        }),
      ),
      written: right(await update({ remark: '转换中写的' })),
    }
    const killed = server.database.tenant({ tenantId: TENANT, userId: 'system' }, async (trx) => {
      await convertPart({ table: 'customer', module: 'customer' }, 'many', {
        trx,
        caller: { tenantId: TENANT },
      })
      throw new Error('killed')
    })
    await expect(killed).rejects.toThrow('killed')
    const afterKill = await values()
    await convertFields(server.database)
    await fillOwnIndexes(server.database)

    expect(begun).toEqual([
      { number: CONVERT_PART, string: MANY - CONVERT_PART },
      [{ name: 'many', label: '多', marks: `整数 · 正在转换类型（${CONVERT_PART} / ${MANY} 条）` }],
    ])
    expect(meanwhile.shown).toBe(false)
    expect([meanwhile.again.code, meanwhile.again.message]).toEqual([409, '正在转换“多”的类型，请稍后再试'])
    expect(afterKill).toEqual(begun[0])
    expect(await values()).toEqual({ number: MANY })
    await expect
      .poll(() => found({ filters: [{ field: 'ext.many', op: 'lte', value: 5 }], withTotal: true }))
      .toBe(5)
    expect((await rows()).converting).toEqual([])
    const { list } = right(
      await admin.post('/mini/customer/list', { sort: [{ field: 'ext.many', dir: 'desc' }] }),
    )
    expect(list[0].name).toBe(`客户${MANY}`)
    expect(await faults('customer')).toEqual([])
  })
})

describe('saved views with a converted field', () => {
  const say = (name: string, more: JsonObject, module = 'turned') =>
    admin.post('/engine/web/field/save', { module, field: { name, label: `字段${name}`, ...more } })
  const view = async (name: string, state: JsonObject, more: JsonObject = {}) =>
    right(
      await demo.post('/mini/m/turned/view/save', {
        name,
        tab: 'all',
        state: { tab: 'all', sort: '', ...state },
        ...more,
      }),
    )
  const shown = async (name: string) =>
    right(await demo.post('/mini/m/turned/view/list', {})).list.find((one: JsonObject) => one.name === name)

  it('use its new type: values are converted, in the screen’s state and in the request', async () => {
    right(await say('size', { kind: 'text', filter: true, sort: true }))
    await view(
      '十个的',
      { sort: 'size asc', f_size: '10' },
      { filters: [{ field: 'size', op: 'in', value: ['10', '20'] }] },
    )
    right(await say('size', { kind: 'integer', filter: true, sort: true }))
    const { state, request, lost_text } = await shown('十个的')

    expect(state).toMatchObject({ sort: 'size asc', f_size_from: 10, f_size_to: 10 })
    expect(state).not.toHaveProperty('f_size')
    expect(request.filters).toEqual([{ field: 'size', op: 'in', value: [10, 20] }])
    expect(lost_text).toBe('')
  })

  it('drop values that have no meaning in the new type, and report the name of the field', async () => {
    right(await say('note', { kind: 'text', filter: true }))
    await view('含急的', { f_note: '急', keyword: '门' })
    right(await say('note', { kind: 'day', filter: true }))
    const { state, lost, lost_text } = await shown('含急的')

    expect(state.f_note ?? null).toBeNull()
    expect(state.keyword).toBe('门')
    expect(lost).toEqual(['字段note'])
    expect(lost_text).toBe('条件“字段note”已不能用，没有按它筛选或排序')
  })

  it('omit a retired field and report it, and use it again when it is restored', async () => {
    right(await say('place', { kind: 'text', filter: true, sort: true }))
    await view(
      '东区的',
      { sort: 'place asc', f_place: '东' },
      { filters: [{ field: 'place', op: 'eq', value: '东' }] },
    )
    const retire = (retired: boolean) =>
      admin.post('/engine/web/field/retire', { module: 'turned', name: 'place', retired })
    right(await retire(true))
    const gone = await shown('东区的')
    right(await retire(false))
    const back = await shown('东区的')

    expect(gone.state).not.toHaveProperty('f_place')
    expect([gone.state.sort, gone.request.filters, gone.lost]).toEqual(['', [], ['字段place']])
    expect(back.state).toMatchObject({ sort: 'place asc', f_place: '东' })
    expect(back.lost_text).toBe('')
  })

  it('omit a field that was deleted by a call, and report it', async () => {
    right(await say('short', { kind: 'text', filter: true }))
    await view('短的', { f_short: '短' })
    const { rows } = await server.database.system((trx) =>
      sql<{
        description: JsonObject & { fields: JsonObject[] }
      }>`select description from module_override where name = 'turned' order by version desc limit 1`.execute(
        trx,
      ),
    )
    const said = rows[0]?.description
    const fields = said?.fields.filter(({ name }) => name !== 'short') ?? []
    right(await admin.post('/engine/web/module/save', { description: { ...said, fields } }))
    const { state, lost } = await shown('短的')

    expect(state).not.toHaveProperty('f_short')
    expect(lost).toEqual(['字段short'])
  })

  it('clear a field that was added after them, so that values of another view do not stay', async () => {
    await view('都要', {})
    right(await say('later', { kind: 'choice', options: [...options], filter: true }))

    expect((await shown('都要')).state).toMatchObject({ f_later: [] })
  })

  it('of a module of the product use the new type of its own field', async () => {
    const customer = (form: JsonObject) => say('rank', { filter: true, sort: true, ...form }, 'customer')
    right(await customer({ kind: 'text' }))
    const state = { tab: 'all', sort: 'last_follow_at', f_ext_rank: '金' }
    right(await demo.post('/mini/customer/view/save', { name: '金的', tab: 'all', state }))
    right(await customer({ kind: 'choice', options: [...options] }))
    const { list } = right(await demo.post('/mini/customer/view/list', {}))

    expect(list.find((one: JsonObject) => one.name === '金的')).toMatchObject({
      state: { f_ext_rank: ['gold'] },
      lost_text: '',
    })
  })

  it('omit fields that the user’s role hides, of the tenant and the product, and report them', async () => {
    right(await say('secret', { kind: 'text', filter: true, sort: true }, 'customer'))
    const filters = [
      { field: 'ext.secret', op: 'eq', value: '绝密词' },
      { field: 'level', op: 'in', value: ['A'] },
    ]
    const sort = [{ field: 'ext.secret', dir: 'asc' }]
    await fillOwnIndexes(server.database)
    const state = { tab: 'all', sort: 'ext_secret', f_ext_secret: '绝密词', f_level: ['A'], f_source: ['ad'] }
    const request = { tab: 'all', filters, sort }
    right(await admin.post('/mini/customer/view/save', { name: '保密的', shared: true, ...request, state }))
    const hide = (rights: JsonObject) =>
      server.database.system((trx) =>
        sql`update role set field_rights = ${JSON.stringify(rights)}::jsonb
          where tenant_id = ${TENANT} and code = 'sales'`.execute(trx),
      )
    const seen = async () => {
      const answer = await (await server.as('demo')).post('/mini/customer/view/list', {})
      return { body: answer.body, view: right(answer).list.find(({ name }: JsonObject) => name === '保密的') }
    }
    const before = await seen()
    await hide({ customer: { 'ext.secret': 'hidden', level: 'masked' } })
    const { body, view: hidden } = await seen()
    const reader = await server.as('demo')
    const refused = await reader.post('/mini/customer/list', { filters: [filters[0] as JsonObject] })
    const unsorted = await reader.post('/mini/customer/list', { sort })
    const listed = await reader.post('/mini/customer/list', hidden.request)
    await hide({})

    expect(before.view).toMatchObject({ lost_text: '', state, request })
    expect(hidden.request).toEqual({ tab: 'all', filters: [], sort: [] })
    expect(hidden.state).toMatchObject({ sort: '', f_source: ['ad'] })
    expect(hidden.lost).toEqual(['客户级别', '字段secret'])
    expect(hidden.lost_text).toBe('您的角色看不到“客户级别、字段secret”，没有按它筛选或排序')
    expect(body).not.toContain('绝密词')
    expect(listed.meta.code).toBe(200)
    for (const answer of [refused, unsorted])
      expect(answer.meta).toMatchObject({
        code: 400,
        message: '您的角色看不到“字段secret”，不能按它筛选或排序，请去掉这个条件',
      })
  })
})
