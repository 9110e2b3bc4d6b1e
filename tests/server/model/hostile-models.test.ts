import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { RESERVED } from '../../../src/model/attributes.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'

const server: TestApp = await openTestApp()
let admin: Client
beforeAll(async () => {
  admin = await server.as('admin')
})
afterAll(() => server.close())

/** The shortest possible rule that takes a million steps. */
const EIGHT = Array.from({ length: 8 }, (_, n) => n)
const heavy: JsonObject = Array.from({ length: 7 }).reduce<JsonObject>(
  (inner) => ({ reduce: [EIGHT, { '+': [inner, { var: 'accumulator' }] }, 0] }),
  { var: 'current' },
)

const TITLE = { name: 'title', kind: 'text', label: '标题' }
const saveModule = (name: string, fields: readonly JsonObject[], more: JsonObject = {}): Promise<Answer> =>
  admin.post('/engine/web/module/save', {
    description: {
      name,
      label: name,
      title: 'title',
      behaviours: ['history'],
      fields: [TITLE, ...fields],
      ...more,
    },
  })
const saveField = (module: string, field: JsonObject) =>
  admin.post('/engine/web/field/save', { module, field })
const create = (module: string, body: JsonObject) => admin.post(`/mini/m/${module}/create`, body)
/** An answer, and the processor time of the server for it in ms: other tests on the machine do not count. */
const timed = async (work: () => Promise<Answer>): Promise<[Answer, number]> => {
  const begun = process.cpuUsage()
  const answer = await work()
  const { user, system } = process.cpuUsage(begun)
  return [answer, (user + system) / 1_000]
}

describe('a field that is created again with another type', () => {
  it.each(['number', 'day', 'moment', 'flag', 'choices'])(
    'as %s is refused while records have its old values',
    async (kind) => {
      const module = `again_${kind}`
      await saveModule(module, [{ name: 'x', kind: 'text', label: 'x' }])
      await create(module, { title: 'a', x: 'not one' })
      await admin.post('/engine/web/field/delete', { module, name: 'x' })

      const more = kind === 'choices' ? { dict: 'customer_level' } : { sort: true }
      const back = await saveField(module, { name: 'x', kind, label: 'x', filter: true, ...more })
      const list = await admin.post(`/mini/m/${module}/list`, { sort: [{ field: 'x', dir: 'asc' }] })
      const found = await admin.post(`/mini/m/${module}/list`, {
        filters: [{ field: 'x', op: 'notEmpty', value: null }],
      })

      expect([back.meta.code, back.meta.error?.type]).toEqual([400, 'VALIDATION'])
      expect([list.meta.code, found.meta.code]).not.toContain(500)
    },
  )

  it('is also refused in a module of the product', async () => {
    await saveField('customer', { name: 'again', kind: 'text', label: '又' })
    await admin.post('/mini/customer/create', { name: '又一家公司', ext: { again: 'not one' } })
    await admin.post('/engine/web/field/delete', { module: 'customer', name: 'again' })

    const back = await saveField('customer', {
      name: 'again',
      kind: 'number',
      label: '又',
      filter: true,
      sort: true,
    })

    expect(back.meta.code).toBe(400)
    expect(
      (await admin.post('/mini/customer/list', { sort: [{ field: 'ext.again', dir: 'asc' }] })).meta.code,
    ).not.toBe(500)
  })
})

describe('names that every object inherits', () => {
  it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'])(
    'cannot be names of fields: %s',
    async (name) => {
      const asField = await saveModule('proto', [{ name, kind: 'text', label: 'x', required: true }])
      const asModule = await saveModule(name, [])

      expect([asField.meta.code, asModule.meta.code]).toEqual([400, 400])
    },
  )

  it('are ordinary values', async () => {
    const saved = await saveModule(
      'moves',
      [
        {
          name: 'status',
          kind: 'choice',
          label: '状态',
          options: [
            { value: 'constructor', label: 'a' },
            { value: 'toString', label: 'b' },
          ],
        },
      ],
      { statuses: { field: 'status', moves: {} } },
    )
    const made = await create('moves', { title: 'a', status: 'constructor' })
    const moved = await admin.post('/mini/m/moves/update', {
      id: made.data?.id,
      version: 1,
      status: 'toString',
    })
    const tabs = await admin.post('/mini/m/moves/count', { tab: 'status_constructor' })

    expect([saved.meta.code, made.meta.code, moved.meta.code, tabs.meta.code]).toEqual([200, 200, 400, 200])
  })
})

describe('unique values', () => {
  it.each<[string, JsonObject, Json]>([
    ['moment', {}, '2026-03-20 18:00:00'],
    ['day', {}, '2026-03-20'],
    ['number', { decimals: 2 }, 1.5],
    ['texts', {}, ['a', 'b']],
    ['text', {}, 'a'],
    ['flag', {}, true],
  ])('are refused as a %s the second time', async (kind, more, value) => {
    const module = `once_${kind}`
    await saveModule(module, [{ name: 'x', kind, label: 'x', unique: 'refuse', ...more }])

    const first = await create(module, { title: '1', x: value })
    const second = await create(module, { title: '2', x: value })

    expect([first.meta.code, second.meta.code]).toEqual([200, 400])
  })
})

describe('an expensive description is bounded', () => {
  // Without limits they blocked the server for 8 to 60 s; some machines take three times as long as others.
  const MAX_MS = 3_000
  const many = (make: (n: number) => JsonObject) =>
    Array.from({ length: 199 }, (_, n) => ({ name: `f${n}`, label: `f${n}`, ...make(n) }))
  it('with slow patterns in every field', async () => {
    const fields = many(() => ({ kind: 'text', max: 500, pattern: '^(a+)+$' }))
    const saved = await saveModule('astray', fields)
    const body = Object.fromEntries(fields.map(({ name }) => [name, `${'a'.repeat(400)}!`]))

    const [made, ms] = await timed(() => create('astray', { title: 'a', ...body }))

    expect([saved.meta.code, made.meta.code]).toEqual([200, 400])
    expect(ms).toBeLessThan(MAX_MS)
  })

  it('with rules that require every field', async () => {
    const saved = await saveModule(
      'rules',
      many(() => ({ kind: 'text', required: heavy })),
    )

    const [made, ms] = await timed(() => create('rules', { title: 'a' }))

    expect([saved.meta.code, made.meta.code]).toEqual([200, 200])
    expect(ms).toBeLessThan(MAX_MS)
  })

  it('with formulas in every field of every row', async () => {
    const saved = await saveModule(
      'formulas',
      many(() => ({ kind: 'formula', formula: heavy, result: 'number' })),
    )
    for (let n = 0; n < 5; n += 1) await create('formulas', { title: `${n}` })

    const [list, ms] = await timed(() => admin.post('/mini/m/formulas/list'))

    expect([saved.meta.code, list.meta.code, list.data.list.length]).toEqual([200, 200, 5])
    expect(ms).toBeLessThan(MAX_MS)
  })

  it('with 200 fields of 100 options each', async () => {
    const options = Array.from({ length: 100 }, (_, n) => ({ value: `v${n}`, label: `选${n}` }))
    const [saved, ms] = await timed(() =>
      saveModule(
        'options',
        many((n) => ({ kind: 'choice', options, filter: n < 20 })),
      ),
    )
    const [page, drawn] = await timed(() => admin.get('/engine/web/page/detail?path=/pages/m/options/add'))
    const [list, listed] = await timed(() => admin.post('/mini/m/options/list'))

    expect([saved.meta.code, page.status, list.meta.code]).toEqual([200, 200, 200])
    expect(Math.max(ms, drawn, listed)).toBeLessThan(MAX_MS)
  })
})

describe('a field hidden by a role', () => {
  it('cannot be filtered or sorted by users with that role', async () => {
    await saveField('customer', { name: 'secret', kind: 'text', label: '底价', filter: true, sort: true })
    const demo = await server.as('demo')
    await demo.post('/mini/customer/create', { name: '底价公司', ext: { secret: 'abc' } })
    const asked = () =>
      Promise.all([
        demo.post('/mini/customer/list', { filters: [{ field: 'ext.secret', op: 'eq', value: 'abc' }] }),
        demo.post('/mini/customer/list', { sort: [{ field: 'ext.secret', dir: 'asc' }] }),
      ]).then((answers) => answers.map(({ meta }) => meta.code))
    expect(await asked()).toEqual([200, 200])

    for (const right of ['hidden', 'masked']) {
      await server.database.system((trx) =>
        sql`update role set field_rights = ${JSON.stringify({ customer: { 'ext.secret': right } })}::jsonb where tenant_id = 'xinghai'`.execute(
          trx,
        ),
      )
      server.clock.now += 6_000
      expect(await asked(), right).toEqual([400, 400])
    }
  })
})

describe('fields beyond the limits of a module', () => {
  it.each([...RESERVED])(
    'are refused as “%s”, which every record has, in an own module and beside those of the product',
    async (name) => {
      await saveModule('named', [])
      const field = { name, kind: 'text', label: name }
      const answers = [await saveField('named', field), await saveField('contract', field)]

      expect(answers.map(({ meta, data }) => [meta.code, data?.problems[0]])).toEqual(
        answers.map(() => [
          400,
          {
            code: 'NAME_RESERVED',
            at: expect.stringMatching(/^\/fields\/\d+\/name$/),
            message: `每条记录已有“${name}”`,
            hint: '换一个名称',
          },
        ]),
      )
    },
  )

  it('keep a name that was reserved after they were created', async () => {
    const old = { name: 'module', kind: 'text', label: '模块', filter: true }
    await server.database.system((trx) =>
      sql`insert into module_override (tenant_id, name, version, kind, description, deleted) values
        ('xinghai', 'activity', 1, 'difference', ${JSON.stringify({ name: 'activity', fields: [old] })}::jsonb, false)`.execute(
        trx,
      ),
    )
    const more = await saveField('activity', { name: 'beside', kind: 'text', label: '旁边' })
    const again = await saveField('activity', { ...old, label: '换个名字' })
    const made = await admin.post('/mini/activity/create', {
      name: '有老字段的活动',
      type: 'exhibition',
      start_at: '2026-04-01 09:00:00',
      end_at: '2026-04-01 18:00:00',
      ext: { module: '老值', beside: '新值' },
    })
    const { record } = (await admin.get(`/mini/activity/detail?id=${made.data.id}`)).data

    expect([more.meta.code, again.meta.code, made.meta.code]).toEqual([200, 200, 200])
    expect(record.ext).toEqual({ module: '老值', beside: '新值' })
  })

  it('are refused twice under one name', async () => {
    const field = { name: 'twin', kind: 'text', label: '双' }
    const { meta, data } = await admin.post('/engine/web/module/save', {
      description: { name: 'contact', fields: [field, field] },
    })

    expect([meta.code, data.problems[0].code]).toEqual([400, 'NAME_REPEATED'])
  })

  it('are refused as the 201st, in an own module and beside those of the product', async () => {
    const fields = Array.from({ length: 200 }, (_, n) => ({ name: `g${n}`, kind: 'text', label: `g${n}` }))
    const full = await admin.post('/engine/web/module/save', { description: { name: 'payment', fields } })
    const own = await saveModule('crowded', fields.slice(1))
    const last = { name: 'last', kind: 'text', label: '末' }
    const more = [await saveField('payment', last), await saveField('crowded', last)]

    expect([full.meta.code, own.meta.code]).toEqual([200, 200])
    expect(more.map(({ meta }) => meta.code)).toEqual([400, 400])
    expect(more.map(({ data }) => data.problems[0].at)).toEqual(['/fields', '/fields'])
  })

  it('are refused as searchable if no keyword would find them, with a message', async () => {
    const saved = await saveModule('unsearched', [
      { name: 'story', kind: 'long-text', label: '经过', search: true },
    ])
    expect(saved.meta).toMatchObject({
      code: 400,
      message: expect.stringContaining('long-text 字段不能用关键字搜到'),
    })
  })

  it('are refused with a rule that is longer than any page may have', async () => {
    const long = { '+': Array.from({ length: 600 }, (_, n) => n) }
    for (const more of [{ default: { rule: long } }, { required: long }]) {
      const { meta } = await saveField('contract', { name: 'long', kind: 'number', label: '长', ...more })
      expect(meta.code).toBe(400)
    }
  })

  it('spend no more time on a default with an expensive rule', async () => {
    const saved = await saveModule('usual', [
      { name: 'x', kind: 'number', label: 'x', default: { rule: heavy } },
    ])
    const [made, ms] = await timed(() => create('usual', { title: 'a' }))
    expect(made.data.record.x).toBeNull()
    const [page, drawn] = await timed(() => admin.get('/engine/web/page/detail?path=/pages/m/usual/add'))

    expect([saved.meta.code, made.meta.code, page.status]).toEqual([200, 200, 200])
    expect(Math.max(ms, drawn)).toBeLessThan(3_000)
  })
})

describe('unknown names', () => {
  const choice = (dict: string) => ({ name: 'grade', kind: 'choice', label: '等级', dict })
  const told = ({ meta, data }: Answer) => [
    meta.code,
    data?.problems.map(({ at, hint }: { at: string; hint: string }) => `${at} ${hint}`),
  ]

  it.each([
    ['a dictionary', choice('customer_levle'), '/dict 是不是“customer_level”？'],
    [
      'a dictionary of rows',
      { name: 'rows', kind: 'lines', label: '明细', fields: [choice('customer_levle')] },
      '/fields/0/dict 是不是“customer_level”？',
    ],
    [
      'a module',
      { name: 'who', kind: 'ref', module: 'custmer', label: '客户' },
      '/module 是不是“customer”？',
    ],
  ])('are reported for %s at the field that uses them, with the nearest name', async (_, field, fault) => {
    const own = await saveModule('naming', [field])
    const beside = await saveField('product', field)

    expect([told(own), told(beside)]).toEqual([
      [400, [`/fields/1${fault}`]],
      [400, [`/fields/0${fault}`]],
    ])
  })

  it('are reported for pages, rights and conversion targets', async () => {
    const back = await saveModule('naming', [], {
      permission: 'custmer',
      pages: { list: '/pages/customer/my/indx' },
      convert: { contrac: { title: 'title' } },
    })

    expect(told(back)).toEqual([
      400,
      [
        '/permission 是不是“customer”？',
        '/pages/list 是不是“/pages/customer/my/index”？',
        '/convert/contrac 是不是“contract”？',
      ],
    ])
  })

  it('do not include the tenant’s own dictionary and module, and names that existed when the module was saved', async () => {
    await admin.post('/engine/web/dict/save', {
      id: 'own_grades',
      create: true,
      name: '等级',
      items: [{ value: 'a', label: '甲' }],
    })
    await saveModule('referred', [])
    const refers = { name: 'other', kind: 'ref', module: 'referred', label: '另一个' }
    const own = await saveModule('naming', [choice('own_grades'), refers])
    const kept = await saveField('naming', { ...refers, retired: true })
    const gone = await admin.post('/engine/web/module/delete', { name: 'referred' })
    const later = await saveField('naming', { name: 'note', kind: 'text', label: '备注' })
    const again = await saveModule('others', [refers])

    expect([kept.meta.code, gone.meta.code]).toEqual([200, 200])
    expect([own.meta.code, later.meta.code, again.meta.code]).toEqual([200, 200, 400])
  })
})
