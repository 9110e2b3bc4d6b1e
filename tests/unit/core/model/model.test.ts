import { describe, expect, it, vi } from 'vitest'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { checkFields } from '../../../../runtime/core/model/check-fields.ts'
import { createModel, type Model } from '../../../../runtime/core/model/model.ts'
import type { Write } from '../../../../runtime/core/ports.ts'
import { dataCell, errorCell, optionCell } from '../../../../runtime/core/state/cells.ts'
import { aPage, aSubForm, aWidget } from '../../../support/a-page.ts'

describe('values', () => {
  it('start with the given value, else with the default', () => {
    const model = aModel(
      [aWidget('input', 'a', { defaultValue: 'x' }), aWidget('input', 'b', { defaultValue: 'y' })],
      { values: { b: 'given' } },
    )

    expect(model.form).toMatchObject({ a: 'x', b: 'given' })
  })

  it('are shared by two fields of the same name', () => {
    const model = aModel([aWidget('input', 'a'), aWidget('textarea', 'a')])
    const keys = [...model.page.nodes.keys()]

    model.apply([model.valueWrite('a', 'typed')])

    expect(keys.map((key) => model.node(key).value)).toEqual(['typed', 'typed'])
  })
})

describe('checks', () => {
  it('apply the bounds of a checkbox to the number of choices, and those of numbers to each number', () => {
    const items = [1001, 1002, 1003].map((value) => ({ label: `${value}`, value }))
    const bounds = { min: 1, max: 2 }
    const model = aModel(
      [
        aWidget('checkbox', 'a', { optionItems: items, ...bounds }),
        aWidget('slider', 'b', { ...bounds, range: true }),
      ],
      { values: { a: [1001, 1002], b: [1, 7] } },
    )
    const wrong = () => checkFields(model, (code, params) => `${code} ${JSON.stringify(params)}`)

    expect(wrong().map(({ key, message }) => [key, message])).toEqual([
      ['b', 'rule.maximum {"label":"b","maximum":2}'],
    ])
    model.apply([model.valueWrite('a', [1001, 1002, 1003]), model.valueWrite('b', [1, 2])])
    expect(wrong().map(({ key, message }) => [key, message])).toEqual([
      ['a', 'rule.most {"label":"a","count":2}'],
    ])
  })
})

describe('a sub-form that must have rows', () => {
  const wrong = (model: Model) =>
    checkFields(model, (code) => code).map(({ address, message }) => [address, message])
  const aRequired = (options: JsonObject) =>
    aModel([aSubForm('lines', [aWidget('input', 'name')], { showBlankRow: false, ...options })])

  it('is invalid without a row, with its own text if it has one, and valid with a row', () => {
    const model = aRequired({ required: true, requiredHint: '请添加产品' })

    const before = wrong(model)
    model.apply(model.insertRow('lines', 0, {}).writes)

    expect(before).toEqual([['lines', '请添加产品']])
    expect(wrong(model)).toEqual([])
  })

  it('is required by its rule alone as well; it may be empty while hidden or not required', () => {
    expect(wrong(aRequired({ requiredOn: true }))).toEqual([['lines', 'rule.required']])
    expect([...wrong(aRequired({})), ...wrong(aRequired({ required: true, hidden: true }))]).toEqual([])
  })

  it('has no message once it has rows', () => {
    const model = aRequired({ required: true })
    model.apply([{ cell: errorCell('lines'), value: '请填写' }])

    model.apply(model.insertRow('lines', 0, {}).writes)

    expect(model.node('lines').error).toBeNull()
  })
})

describe('rules', () => {
  it('that no longer require a field take back that it is empty, and no other message', () => {
    const asked = { '==': [{ var: 'form.stage' }, 'done'] }
    const model = aModel([
      aWidget('input', 'stage', { defaultValue: 'done' }),
      aWidget('input', 'why', { label: '说明', requiredOn: asked, requiredHint: '请填写说明' }),
      aWidget('input', 'code', { label: '编号', requiredOn: asked, minLength: 2 }),
    ])
    const shown = () => ['why', 'code'].map((key) => model.node(key).error)
    const say = (why: string, code: string) =>
      model.apply([
        { cell: errorCell('why'), value: why },
        { cell: errorCell('code'), value: code },
      ])
    say('请填写说明', '编号已被使用')
    expect(shown()).toEqual(['请填写说明', '编号已被使用'])

    model.apply([model.valueWrite('stage', 'planned')])

    expect(shown()).toEqual([null, '编号已被使用'])
    model.apply([model.valueWrite('stage', 'done')])
    expect(shown()).toEqual(['请填写说明', '编号已被使用'])
  })

  it('that only open a group do not hide its contents from checks; a group with its own open state follows no rule', () => {
    const group = (options: JsonObject) =>
      aModel([
        aWidget('cell-group', 'g', options, {
          category: 'container',
          widgetList: [aWidget('input', 'a', { required: true })],
        }),
      ])
    const closed = group({ openOn: { '==': [{ var: 'data.more' }, true] } })

    expect(closed.node('g')).toMatchObject({ folded: true, hidden: false })
    expect(checkFields(closed, (code) => code)).toMatchObject([{ key: 'a', message: 'rule.required' }])
    closed.apply([{ cell: dataCell('more'), value: true }])
    expect(closed.node('g').folded).toBe(false)
    closed.apply([
      { cell: dataCell('more'), value: false },
      { cell: optionCell('g', 'folded'), value: false },
    ])
    expect(closed.node('g').folded).toBe(false)
    expect(group({ folded: true }).node('g').folded).toBe(true)
    expect(group({}).node('g').folded).toBe(false)
  })

  it('hide and show as the value that they read changes', () => {
    const model = aModel([
      aWidget('input', 'a'),
      aWidget('input', 'b', { visibleOn: { '!!': [{ var: 'a' }] } }),
    ])
    const before = model.node('b').hidden

    model.apply([model.valueWrite('a', 'x')])

    expect([before, model.node('b').hidden]).toEqual([true, false])
  })

  it('compute the same hidden flag alone as together with the other flags', () => {
    const model = aModel([
      aWidget('input', 'a'),
      aWidget('input', 'b', { visibleOn: { '!!': [{ var: 'a' }] } }),
      aWidget('input', 'c', { hidden: true }),
      aSubForm('rows', [aWidget('input', 'd', { visibleOn: { '==': [{ var: 'row.d' }, 'x'] } })]),
    ])
    const keys = ['a', 'b', 'c', `d@row${model.rowIds('rows')[0]}`]
    const both = () => keys.map((key) => [model.hidden(key), model.node(key).hidden])
    const alone = keys.map((key) => model.hidden(key))

    model.apply([
      model.valueWrite('a', 'x'),
      model.valueWrite(keys[3] ?? '', 'x'),
      { cell: optionCell('c', 'hidden'), value: false },
    ])

    expect(alone).toEqual([false, true, true, true])
    expect(both()).toEqual(keys.map(() => [false, false]))
  })

  it('combine with the plain flag: a widget is hidden if either says so', () => {
    const model = aModel([aWidget('input', 'a', { hidden: true, visibleOn: true })])

    expect(model.node('a').hidden).toBe(true)
  })

  it('compute values in order along a chain and report each change', () => {
    const model = aModel([
      aWidget('number', 'total', { valueOn: { '+': [{ var: 'net' }, { var: 'tax' }] } }),
      aWidget('number', 'tax', { valueOn: { '*': [{ var: 'net' }, 0.1] } }),
      aWidget('number', 'net'),
    ])

    const changes = model.apply([model.valueWrite('net', 100)])

    expect(model.form).toMatchObject({ net: 100, tax: 10, total: 110 })
    expect(changes.map(({ key }) => key)).toEqual(['tax', 'total'])
  })

  it('suggest a value that follows its inputs until a user overwrites or clears it', () => {
    const model = aModel([
      aWidget('number', 'twice', { defaultOn: { '*': [{ var: 'net' }, 2] } }),
      aWidget('number', 'more', { valueOn: { '+': [{ var: 'twice' }, 1] } }),
      aWidget('number', 'net', { defaultValue: 1 }),
    ])
    const seen: unknown[] = []
    const write = (name: string, value: Json) => {
      model.apply([model.valueWrite(name, value)])
      seen.push([model.value('twice'), model.form.more])
    }
    write('net', 5)
    const replica = aModel(
      [
        aWidget('number', 'twice', { defaultOn: { '*': [{ var: 'net' }, 2] } }),
        aWidget('number', 'more', { valueOn: { '+': [{ var: 'twice' }, 1] } }),
        aWidget('number', 'net', { defaultValue: 1 }),
      ],
      { writes: model.snapshot() },
    )
    write('twice', 7)
    write('net', 6)
    write('twice', null)
    write('net', 8)

    expect(replica.form).toMatchObject({ twice: 10, more: 11 })
    expect(seen).toEqual([
      [10, 11],
      [7, 8],
      [7, 8],
      [null, null],
      [null, null],
    ])
    expect(model.value('more')).toBeNull()
    expect([model.node('twice').readonly, model.node('more').readonly]).toEqual([false, true])
  })

  it('suggest nothing if there is a value, in a row as in the form', () => {
    const fields = [
      aWidget('number', 'price', { defaultOn: { '*': [{ var: 'row.qty' }, 2] } }),
      aWidget('number', 'qty'),
    ]
    const model = aModel(
      [aSubForm('lines', fields), aWidget('input', 'name', { defaultOn: { cat: ['新', { var: 'kind' }] } })],
      { values: { name: '旧', lines: [{ qty: 3 }, { qty: 3, price: 1 }] } },
    )

    expect(model.form).toMatchObject({
      name: '旧',
      lines: [
        { qty: 3, price: 6 },
        { qty: 3, price: 1 },
      ],
    })
  })

  it('read page data and the user', () => {
    const model = aModel([aWidget('input', 'a', { disabledOn: { '==': [{ var: 'user.role' }, 'guest'] } })], {
      user: { role: 'guest' },
    })
    const before = model.node('a').disabled

    model.setContext({ user: { role: 'admin' } })

    expect([before, model.node('a').disabled]).toEqual([true, false])
  })
})

describe('dictionaries that arrive late', () => {
  it('are read by texts through their filter', () => {
    const model = aModel(
      [aWidget('input', 'level'), aWidget('static-text', 'a', { text: '{{ form.level | dict:level }}' })],
      { values: { level: 'A' } },
    )
    const before = model.node('a').options.text

    model.setContext({ dict: { level: [{ value: 'A', label: '重点' }] } })

    expect([before, model.node('a').options.text]).toEqual(['A', '重点'])
  })
})

describe('the template of a list', () => {
  const aList = () => {
    const model = aModel([
      aWidget('input', 'word'),
      aWidget('input', 'other'),
      aWidget(
        'list',
        'rows',
        {},
        {
          widgetList: [
            aWidget('static-text', 'name', { bind: 'row.name' }),
            aWidget('static-text', 'level', { text: '{{ row.level | dict:level }}' }),
            aWidget('static-text', 'found', {
              visibleOn: { '!!': [{ var: 'form.word' }] },
              text: '{{ data.found }}',
            }),
          ],
        },
      ),
    ])
    const heard = vi.fn()
    model.subscribeTemplate('rows', heard)
    return { model, heard }
  }

  it('changes only with the row and the data that it reads', () => {
    const { model, heard } = aList()
    const shown = () =>
      model
        .template('rows', { name: '云图', level: 'A' })
        .map(({ options, hidden }) => (hidden ? null : (options.text ?? '')))

    model.apply([model.valueWrite('other', 'x'), { cell: dataCell('none'), value: '3' }])
    expect(heard).not.toHaveBeenCalled()
    expect(model.templateVersion('rows')).toBe(0)

    model.apply([model.valueWrite('word', 'x')])
    expect(heard).toHaveBeenCalledTimes(1)
    model.apply([{ cell: dataCell('found'), value: '4' }])
    model.setContext({ dict: { level: [{ value: 'A', label: '重点' }] } })
    expect(heard).toHaveBeenCalledTimes(3)
    expect(model.templateVersion('rows')).toBe(3)
    expect(shown()).toEqual(['', '重点', '4'])
  })

  it('changes with an option that a script sets for one of its parts', () => {
    const { model, heard } = aList()

    model.apply([{ cell: optionCell('name', 'hidden'), value: true }])

    expect(heard).toHaveBeenCalledTimes(1)
    expect(model.template('rows', {})[0]?.hidden).toBe(true)
  })
})

describe('a container that disables', () => {
  const held = () =>
    aModel([
      aWidget('switch', 'shut'),
      aSubForm('rows', [aWidget('grid', 'pair', {}, { cols: [aColumn([aWidget('input', 'a')])] })], {
        disabledOn: { '==': [{ var: 'shut' }, true] },
      }),
      aWidget('input', 'free'),
    ])
  const states = (model: Model) => {
    const { disabled, readonly, readMode } = model.node(`a@row${model.rowIds('rows')[0]}`)
    return [disabled, readonly, readMode]
  }

  it('passes its state down to any depth, and withdraws it', () => {
    const model = held()
    const before = states(model)

    model.apply([{ cell: optionCell('rows', 'disabled'), value: true }])
    const disabled = states(model)
    model.apply([
      { cell: optionCell('rows', 'disabled'), value: false },
      { cell: optionCell('rows', 'readonly'), value: true },
      { cell: optionCell('rows', 'readMode'), value: true },
    ])

    expect([before, disabled, states(model)]).toEqual([
      [false, false, false],
      [true, false, false],
      [false, true, true],
    ])
  })

  it('follows its rule, notifies listeners, and does not affect other containers', () => {
    const model = held()
    const inside = `a@row${model.rowIds('rows')[0]}`
    const [heard, parent, other] = [vi.fn(), vi.fn(), vi.fn()]
    for (const key of [inside, 'rows', 'free']) model.node(key)
    model.subscribe(inside, heard)
    model.subscribe('rows', parent)
    model.subscribe('free', other)

    model.apply([model.valueWrite('shut', true)])

    expect(model.node(inside).disabled).toBe(true)
    expect([heard, parent, other].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0])
  })
})

describe('a sub-form', () => {
  const lines = (more: JsonObject = {}) =>
    aSubForm(
      'lines',
      [
        aWidget('number', 'qty', { defaultValue: 1 }),
        aWidget('number', 'price'),
        aWidget('number', 'amount', { valueOn: { '*': [{ var: 'row.qty' }, { var: 'row.price' }] } }),
      ],
      more,
    )
  const total = aWidget('number', 'sum', {
    valueOn: {
      reduce: [{ var: 'form.lines' }, { '+': [{ var: 'accumulator' }, { var: 'current.amount' }] }, 0],
    },
  })

  it('starts with a blank row unless the document forbids it', () => {
    expect(aModel([lines()]).rowIds('lines')).toHaveLength(1)
    expect(aModel([lines({ showBlankRow: false })]).rowIds('lines')).toHaveLength(0)
  })

  it('computes per row and sums over rows', () => {
    const model = aModel([lines(), total], {
      values: {
        lines: [
          { qty: 2, price: 10 },
          { qty: 3, price: 5 },
        ],
      },
    })
    expect(model.form.sum).toBe(35)

    const key = model.find('lines.1.price') ?? ''
    model.apply([model.valueWrite(key, 7)])

    expect(model.form.sum).toBe(41)
    expect(model.node(model.find('lines.0.amount') ?? '').value).toBe(20)
  })

  it('addresses rows, and updates the addresses when a row above is deleted', () => {
    const model = aModel([lines()], { values: { lines: [{ qty: 1 }, { qty: 2 }] } })
    const key = model.find('lines.1.qty') ?? ''
    const before = model.node(key).address

    model.apply(model.deleteRow('lines', 0))

    expect([before, model.node(key).address]).toEqual(['lines.1.qty', 'lines.0.qty'])
  })

  it('restores the same rows if the row just inserted is deleted', () => {
    const model = aModel([lines()], { values: { lines: [{ qty: 1 }, { qty: 2 }] } })
    const before = JSON.stringify(model.form.lines)

    model.apply(model.insertRow('lines', 1, { qty: 9 }).writes)
    model.apply(model.deleteRow('lines', 1))

    expect(JSON.stringify(model.form.lines)).toBe(before)
  })
})

describe('listeners', () => {
  it('are called only if the rendered state of their node has changed', () => {
    const model = aModel([
      aWidget('input', 'a'),
      aWidget('input', 'b'),
      aWidget('input', 'c', { visibleOn: { '!!': { var: 'a' } } }),
    ])
    const heard = { a: vi.fn(), b: vi.fn(), c: vi.fn() }
    for (const [key, listener] of Object.entries(heard)) {
      model.node(key) // a view reads before it subscribes
      model.subscribe(key, listener)
    }

    model.apply([model.valueWrite('a', '1')])
    model.apply([model.valueWrite('a', '12')])

    expect(Object.values(heard).map((listener) => listener.mock.calls.length)).toEqual([2, 0, 1])
  })

  it('receive the same state object until it changes', () => {
    const model = aModel([aWidget('input', 'a'), aWidget('input', 'b')])
    const state = model.node('b')

    model.apply([model.valueWrite('a', '1')])

    expect(model.node('b')).toBe(state)
  })
})

it('see texts with placeholders follow the data', () => {
  const model = aModel([
    aWidget('static-text', 'hello', { textContent: '你好，{{ form.name }}' }),
    aWidget('input', 'name', { defaultValue: '甲' }),
  ])

  model.apply([model.valueWrite('name', '乙')])

  expect(model.node('hello').options.textContent).toBe('你好，乙')
})

it('see an overridden option instead of the document’s', () => {
  const model = aModel([aWidget('input', 'a', { label: '旧' })])

  model.apply([{ cell: optionCell('a', 'label'), value: '新' }])

  expect(model.node('a').label).toBe('新')
})

it('see the contents of a hidden container hidden', () => {
  const group = aWidget(
    'cell-group',
    'g',
    { visibleOn: { '!!': { var: 'a' } } },
    { category: 'container', widgetList: [aWidget('input', 'b')] },
  )
  const model = aModel([aWidget('input', 'a'), group])

  expect([model.shown('a'), model.shown('b')]).toEqual([true, false])
})

const aColumn = (widgetList: readonly JsonObject[]): JsonObject =>
  aWidget('grid-col', 'column', { span: 12 }, { widgetList: widgetList as readonly Json[] })

function aModel(
  widgets: readonly JsonObject[],
  options: { values?: JsonObject; user?: JsonObject; writes?: readonly Write[] } = {},
): Model {
  let rows = 0
  return createModel({
    page: aPage(widgets),
    text: (code) => code,
    now: () => 0,
    newRowId: () => `id${++rows}`,
    ...options,
  })
}
