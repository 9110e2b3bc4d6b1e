import { expect, it } from 'vitest'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import { failure } from '../../../runtime/core/errors.ts'
import { type Json, type JsonObject, objectsIn, ownValue } from '../../../runtime/core/json.ts'
import { applyRule, isTruthy } from '../../../runtime/core/logic/rule.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import { type DerivedWords, derivePage } from '../../../src/model/derive-pages.ts'
import type { ModuleDescription } from '../../../src/model/description.ts'
import { asMerged } from '../../../src/model/merge-module.ts'
import { readJson } from '../../schemas/product-pages.ts'
import { registry } from '../../support/a-page.ts'
import { memoryWorld } from '../../support/memory-ports.ts'

const TICKET: ModuleDescription = {
  name: 'ticket',
  label: '工单',
  title: 'title',
  behaviours: ['owned'],
  fields: [
    { name: 'title', kind: 'text', label: '标题', required: true },
    {
      name: 'state',
      kind: 'choice',
      label: '状态',
      options: [
        { value: 'open', label: '待处理' },
        { value: 'done', label: '已完成' },
      ],
    },
  ],
  statuses: { field: 'state', moves: { open: ['done'] } },
}
const WORDS = new Proxy({}, { get: (_, name) => String(name) }) as DerivedWords

it('a record that another user moved is loaded again, with the reason why the move failed', async () => {
  const document = derivePage('detail', asMerged(TICKET, 'tenant'), WORDS, { isOwn: () => true })
  const parsed = parsePage(document, { registry })
  if (!parsed.ok) throw new Error('the detail cannot be opened')
  const message = '记录刚被修改过，请核对后再保存'
  const world = memoryWorld({
    server: () => ({ ok: false, error: { ...failure('CONFLICT'), message, status: 409 } }),
  })
  const engine = createEngine({ page: parsed.page, registry, ports: world.ports, params: { id: '1' } })
  engine.setData('detail', { record: { id: '1', version: 1, state: 'open' }, actions: ['edit'] })
  let refreshed = 0
  engine.onRefresh(async () => {
    refreshed += 1
  })

  await engine.event('to_done', 'click')

  expect(world.toasts.map(({ text }) => text)).toEqual([message])
  expect(refreshed).toBe(1)
})

it('a group with no value is not there, and products stand in the group of their field', () => {
  const field = (name: string, more: object) => ({ name, label: name, kind: 'text' as const, ...more })
  const module: ModuleDescription = {
    ...TICKET,
    fields: [
      ...TICKET.fields,
      field('lines', { kind: 'lines', rows: 'product' }),
      field('rate', { kind: 'percent' }),
      field('remark', {}),
      field('done', { kind: 'flag' }),
      field('customer_id', { kind: 'ref', module: 'customer' }),
    ],
    groups: [
      { name: 'basic', label: '基本信息', fields: ['title', 'state'] },
      { name: 'goods', label: '产品与金额', fields: ['lines'] },
      { name: 'terms', label: '条款', fields: ['remark', 'rate', 'done', 'customer_id'] },
    ],
  }
  const { widgetList } = derivePage('detail', asMerged(module, 'tenant'), WORDS, { isOwn: () => true })
  const facts = objectsIn(widgetList).filter(
    ({ type, fragment }) => type === 'descriptions' || fragment === 'detail/product-lines',
  )
  const shown = (record: JsonObject): readonly Json[] =>
    facts
      .filter(({ options, with: given }) => {
        const rule =
          (options as JsonObject | undefined)?.visibleOn ?? (given as JsonObject | undefined)?.shown
        const scope = { data: { detail: { record } }, form: { tab: 'facts' } }
        return isTruthy(applyRule(rule ?? null, scope as never))
      })
      .map(({ options, fragment }) => (options as JsonObject | undefined)?.label ?? fragment ?? null)
  const always = ['基本信息', '产品与金额', 'detail/product-lines']

  const empty = { remark: '', rate: null, done: null, customer_id: null, customer_id_name: '' }
  expect(shown(empty)).toEqual(always)
  expect(shown({ ...empty, customer_id: '7' })).toEqual(always)
  for (const said of [{ remark: '好' }, { rate: 0 }, { done: false }, { customer_id_name: '星海' }])
    expect(shown({ ...empty, ...said }), JSON.stringify(said)).toEqual([...always, '条款'])
})

it.each(['detail', 'print'] as const)(
  'rows of a sub-form are a table with heads at a desk, and labelled values on a phone: %s',
  (page) => {
    const module: ModuleDescription = {
      ...TICKET,
      fields: [
        ...TICKET.fields,
        {
          name: 'parts',
          kind: 'lines',
          label: '配件明细',
          fields: [
            { name: 'part', kind: 'text', label: '配件' },
            { name: 'price', kind: 'money', label: '单价' },
            { name: 'old', kind: 'text', label: '旧编号', retired: true },
          ],
        },
      ],
    }
    const { widgetList } = derivePage(page, asMerged(module, 'tenant'), WORDS, { isOwn: () => true })
    // On paper they are in the container of the paper.
    const widgets = objectsIn(widgetList).flatMap((one) => [one, ...objectsIn(one.widgetList)]) as {
      options?: JsonObject
      widgetList?: Json
    }[]
    const told = widgets.find(({ options }) => options?.label === '配件明细')
    const [list] = [...objectsIn(told?.widgetList)] as { options: JsonObject; widgetList: Json }[]
    const [card] = [...objectsIn(list?.widgetList)] as { options: JsonObject }[]
    const labels = (items: Json | undefined) => objectsIn(items).map(({ label, text }) => [label, text])
    const shown = (rows: Json) =>
      isTruthy(
        applyRule(told?.options?.visibleOn ?? null, {
          data: { detail: { rows: { parts: rows } } },
          form: { tab: 'facts' },
        } as never),
      )
    const said = [
      ['配件', '{{ row.part }}'],
      ['单价', '{{ row.price }}'],
    ]

    expect(list?.options.bind).toBe('data.detail.rows.parts')
    expect([labels(list?.options.columns), labels(card?.options.items)]).toEqual([said, said])
    expect([shown([]), shown([{ part: '轴承', price: '' }])]).toEqual([false, true])
    expect(JSON.stringify(widgetList)).not.toContain('parts_name')
  },
)

it('the form offers another status only of what is agreed to', async () => {
  const approval = { steps: [{ kind: 'superior' as const, mode: 'any' as const }] }
  const module = asMerged({ ...TICKET, behaviours: ['owned', 'approval'], approval }, 'tenant')
  let state: JsonObject = {}
  const isLocked = objectsIn(ownValue(await readJson('schemas/fragments/form/is-locked.json'), 'items'))
  JSON.parse(JSON.stringify(derivePage('add', module, WORDS, { isOwn: () => true })), (_, value) => {
    if (value?.fragment === 'form/is-locked') return { and: isLocked }
    if (value?.name === 'state' && value.optionItems !== undefined) state = value
    return value
  })
  const isTrue = (rule: Json | undefined, approval_status: number | null) => {
    const record = { id: '1', version: 1, state: 'open', approval_status }
    const actions = [['edit'], ['withdraw'], ['move']][approval_status ?? 0] ?? []
    const data = approval_status === null ? {} : { detail: { record, actions } }
    const scope = { form: {}, params: {}, user: {}, dict: {}, data }
    return isTruthy(applyRule(rule ?? null, scope))
  }
  const offered = (status: number | null) => [
    isTrue(state.disabledOn, status),
    objectsIn(state.optionItems).flatMap(({ value, visibleOn }) =>
      isTrue(visibleOn, status) ? [value] : [],
    ),
  ]

  expect([null, 0, 1, 2].map(offered)).toEqual([
    [false, ['open']],
    [false, ['open']],
    [true, ['open']],
    [false, ['open', 'done']],
  ])
})

it('what a retired field says is still read in the detail, and filled in nowhere', () => {
  const old = { name: 'old', kind: 'text' as const, label: '旧编号', retired: true }
  const shots = { name: 'shots', kind: 'pictures' as const, label: '旧照片', retired: true }
  const module = asMerged({ ...TICKET, fields: [...TICKET.fields, old, shots] }, 'tenant')
  const words: DerivedWords = Object.create(WORDS, { retired: { value: '{label}（已停用）' } })
  const written = (page: 'detail' | 'add') =>
    JSON.stringify(derivePage(page, module, words, { isOwn: () => true }))

  expect(written('detail')).toContain('"label":"旧编号（已停用）","hideEmpty":true')
  expect(written('detail')).toContain('"label":"旧照片（已停用）"')
  expect(written('add')).not.toMatch(/旧编号|旧照片/)
})
