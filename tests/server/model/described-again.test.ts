import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { objectsIn } from '../../../runtime/core/json.ts'
import { right } from '../business5/deals.ts'
import { aModule, type OwnTenant, openOwnTenant } from './own-tenant.ts'

/** Changed descriptions that are saved again: as they were read, with another title, with rules that read unknown names. */
let tenant: OwnTenant
beforeAll(async () => {
  tenant = await openOwnTenant()
})
afterAll(() => tenant.server.close())

const detail = async (name: string) => right(await tenant.admin.get(`/engine/web/module/detail?name=${name}`))
const save = (description: JsonObject, base?: number) =>
  tenant.admin.post('/engine/web/module/save', { description, ...(base === undefined ? {} : { base }) })
const saveField = (module: string, field: JsonObject) =>
  tenant.admin.post('/engine/web/field/save', { module, field })
/** Position and message of the first error. */
const faultOf = ({ data, meta }: Awaited<ReturnType<typeof save>>) => [
  meta.code,
  data?.problems?.[0]?.at,
  data?.problems?.[0]?.hint,
]

describe('a description that is saved unchanged', () => {
  it('is accepted for an own module, without a change', async () => {
    await tenant.save(
      aModule({
        name: 'again',
        behaviours: ['owned', 'files', 'recycle'],
        number: 'ZC{0000}',
        menu: { place: 'work' },
      }),
    )
    const { description, version } = await detail('again')
    const fields = [...description.fields, { name: 'more', kind: 'text', label: '更多' }]

    const saved = await save({ ...description, fields }, version)
    expect(saved.meta).toMatchObject({ code: 200 })
    const after = (await detail('again')).description
    expect(after).toEqual({
      ...description,
      fields: expect.arrayContaining([...description.fields, expect.objectContaining({ name: 'more' })]),
    })
    expect(after.fields).toHaveLength(fields.length)
  })

  it('is accepted for a module of the product, without a change of its difference', async () => {
    right(await saveField('customer', { name: 'level', label: '等级' }))
    right(await saveField('customer', { name: 'wechat_group', kind: 'text', label: '微信群' }))
    const { description, version } = await detail('customer')

    expect((await save(description, version)).meta).toMatchObject({ code: 200 })
    expect((await detail('customer')).description).toEqual(description)
    const { rows } = await stored('customer')
    expect(rows[0]?.description).toEqual({
      name: 'customer',
      fields: [
        { name: 'level', label: '等级' },
        { name: 'wechat_group', kind: 'text', label: '微信群' },
      ],
    })
    const other = { ...description, icon: 'star' }
    expect(faultOf(await save(other))[1]).toBe('/icon')
  })

  it('is accepted for one field, the product’s and the tenant’s', async () => {
    const { description } = await detail('customer')
    for (const name of ['level', 'wechat_group', 'source']) {
      const field = objectsIn(description.fields).find((one) => one.name === name) ?? {}
      expect([name, (await saveField('customer', { ...field, card: true })).meta.code]).toEqual([name, 200])
    }
    const after = objectsIn((await detail('customer')).description.fields)
    expect(after.filter(({ name }) => name === 'source')).toMatchObject([{ label: '客户来源', card: true }])
  })
})

const stored = (module: string) =>
  tenant.server.database.system((trx) =>
    sql<{ description: JsonObject }>`select description from module_override
      where tenant_id = 'xinghai' and name = ${module} order by version desc limit 1`.execute(trx),
  )

describe('the title field of a module', () => {
  const NOTE = { name: 'note', kind: 'text', label: '备注名', search: true }
  const named = (title: string) => aModule({ name: 'named', title, fields: [NOTE] })

  it('can neither be retired nor have a type without a text', async () => {
    await tenant.save(named('title'))
    const stopped = await saveField('named', { name: 'title', kind: 'text', label: '标题', retired: true })
    const byScreen = await tenant.admin.post('/engine/web/field/retire', {
      module: 'named',
      name: 'title',
      retired: true,
    })
    const choice = { name: 'title', kind: 'choice', label: '标题', options: [{ value: 'a', label: '甲' }] }

    expect(faultOf(stopped)).toEqual([400, '/fields/0/retired', '先让别的字段作记录的名称'])
    expect(byScreen.meta).toMatchObject({ code: 422, message: '记录的标题字段不能停用' })
    expect(faultOf(await saveField('named', choice)).slice(0, 2)).toEqual([400, '/title'])
  })

  it('is not left behind under its name, which every record has', async () => {
    expect(faultOf(await save(named('note')))).toEqual([
      400,
      '/fields/0/name',
      '仍用“title”作记录的名称，或者换一个字段代替它',
    ])
  })

  it('can be replaced: existing records are named and found by the new one, or keep their name', async () => {
    const { admin } = tenant
    const first = await tenant.make(admin, 'named', { title: '旧名甲', note: '新名甲' })
    const second = await tenant.make(admin, 'named', { title: '旧名乙' })
    const moved = {
      ...named('note'),
      fields: [
        { ...NOTE, required: true },
        { name: 'old', kind: 'text', label: '旧名' },
      ],
    }
    right(await save(moved))
    const options = async (keyword: string) =>
      right(await admin.get(`/mini/m/named/options?keyword=${encodeURIComponent(keyword)}`)).list.map(
        ({ value, label }: JsonObject) => [value, label],
      )

    expect(await options('新名')).toEqual([[first, '新名甲']])
    expect(await options('xinming')).toEqual([[first, '新名甲']])
    expect(await options('旧名甲')).toEqual([])
    expect(await options('旧名乙')).toEqual([[second, '旧名乙']])
  })
})

it('cannot take a name that answers use for every record', async () => {
  const refused = async (name: string, more: JsonObject = {}) => {
    const field = { name, kind: 'text', label: '撞名' }
    const module = {
      ...aModule({ name: 'taken', ...more }),
      fields: [{ name: 'subject', kind: 'text', label: '主题' }, field],
    }
    return faultOf(await save({ ...module, title: 'subject' }))[1] ?? 'taken'
  }

  expect(await refused('title')).toBe('/fields/1/name')
  expect(await refused('owner_name')).toBe('/fields/1/name')
  expect(await refused('made_of')).toBe('/fields/1/name')
  expect(await refused('ids')).toBe('/fields/1/name')
  expect(await refused('record_no', { number: 'A{000}' })).toBe('/fields/1/name')
  expect(await refused('created_by_name')).toBe('/fields/1/name')
  expect(await refused('owner_name', { behaviours: ['recycle'] })).toBe('taken')
})

describe('a change that makes a description wrong', () => {
  const field = (name: string) => ({ name, kind: 'text', label: `字段 ${name}` })
  const own = (name: string, fields: readonly JsonObject[], more: JsonObject = {}) =>
    aModule({ name, label: name, fields: [...fields], ...more })

  it.each<[string, string, JsonObject]>([
    ['number', 'record_no', { number: 'A{000}' }],
    ['star', 'starred', { behaviours: ['owned', 'star'] }],
    ['pool', 'pool_id', { behaviours: ['owned', 'pool'] }],
    ['pool', 'left_days', { behaviours: ['owned', 'pool'] }],
    ['versions', 'revision_no', { behaviours: ['owned', 'versions'] }],
    ['amount', 'amount_capitals', { amount: 'worth' }],
    ['until', 'lapsed', { until: 'last' }],
  ])('is refused if “%s” takes the name of a field that is there: %s', async (key, name, more) => {
    const module = `taken_${name}`
    const others = [
      { name: 'worth', kind: 'money', label: '金额' },
      { name: 'last', kind: 'day', label: '到期日' },
    ]
    right(await save(own(module, [...others, field(name)])))
    const after = faultOf(await save(own(module, [...others, field(name)], more)))
    const together = faultOf(await save(own(`${module}_new`, [...others, field(name)], more)))

    const sentence = `用了“${key}”，每条记录已有“${name}”`
    expect(after).toEqual([400, '/fields/3/name', `不用“${key}”，或者换一个字段代替它`])
    expect(together).toEqual([400, '/fields/3/name', '换一个名称'])
    expect((await save(own(module, [...others, field(name)], more))).data.problems[0].message).toBe(sentence)
  })

  it('is accepted where the product reserved the name since', async () => {
    const description = own('older', [field('starred')], { behaviours: ['owned', 'star'] })
    await tenant.server.database.system((trx) =>
      sql`insert into module_override (tenant_id, name, version, kind, description, deleted) values
        ('xinghai', 'older', 1, 'own', ${JSON.stringify(description)}::jsonb, false)`.execute(trx),
    )
    right(await save({ ...description, label: '改名' }))
  })

  it.each(['team', 'pool'])('is refused if it takes the owners from “%s”', async (behaviour) => {
    const module = (behaviours: readonly string[]) =>
      own(`no_owner_${behaviour}`, [], { behaviours: [...behaviours] })
    right(await save(module(['owned', behaviour])))
    const { meta, data } = await save(module([behaviour]))

    expect(meta.code).toBe(400)
    expect(data.problems).toMatchObject([{ message: `只有有负责人的记录才能用“${behaviour}”` }])
  })
})

describe('the settings of a field', () => {
  it('refer to existing fields', async () => {
    const rule = (name: string) => ({ '==': [{ var: name }, 'A'] })
    const needed = (name: string) => ({ name: 'asked', kind: 'text', label: '要问的', required: rule(name) })
    await tenant.save(aModule({ name: 'ruled', fields: [{ name: 'level', kind: 'text', label: '级别' }] }))

    expect(faultOf(await saveField('ruled', needed('levle')))).toEqual([
      400,
      '/fields/2/required',
      '是不是“level”？',
    ])
    expect(faultOf(await saveField('customer', needed('form.levle')))[2]).toBe('是不是“level”？')
    for (const name of ['level', 'form.level', 'owner_id', 'user.id', 'created_at'])
      expect([name, (await saveField('ruled', needed(name))).meta.code]).toEqual([name, 200])
    for (const name of ['level', 'ext.wechat_group', 'ext_wechat_group', 'wechat_group', 'deal_amount'])
      expect([name, (await saveField('customer', needed(name))).meta.code]).toEqual([name, 200])
    const sum = { reduce: [{ var: 'rows' }, { '+': [{ var: 'accumulator' }, { var: 'current.n' }] }, 0] }
    const rows = {
      name: 'rows',
      kind: 'lines',
      label: '行',
      fields: [{ name: 'n', kind: 'number', label: '数' }],
    }
    right(await saveField('ruled', rows))
    right(
      await saveField('ruled', {
        name: 'sum',
        kind: 'formula',
        label: '合计',
        result: 'number',
        formula: sum,
      }),
    )
  })

  it('can keep a reference to a field that is gone, but no save takes away what they refer to', async () => {
    const left = { name: 'b', kind: 'text', label: '乙', required: { '!!': { var: 'a' } } }
    const gone = aModule({ name: 'gone', fields: [left] })
    await tenant.server.database.system((trx) =>
      sql`insert into module_override (tenant_id, name, version, kind, description, deleted) values
        ('xinghai', 'gone', 1, 'own', ${JSON.stringify(gone)}::jsonb, false)`.execute(trx),
    )
    await tenant.save(aModule({ name: 'left', fields: [{ name: 'a', kind: 'text', label: '甲' }, left] }))

    right(await save({ ...gone, label: '剩下的' }))
    expect(faultOf(await save({ ...gone, name: 'left' })).slice(0, 2)).toEqual([400, '/fields/1/required'])
  })

  it('have options with distinct values', async () => {
    const options = [
      { value: 'a', label: '甲' },
      { value: 'b', label: '乙' },
      { value: 'a', label: '丙' },
    ]
    const twice = await saveField('customer', { name: 'twice', kind: 'choice', label: '重复', options })
    expect(faultOf(twice).slice(0, 2)).toEqual([400, expect.stringMatching(/options\/2\/value$/)])
  })
})
