import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../runtime/core/create-engine.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { parsePage } from '../../../../runtime/core/parse-page.ts'
import type { Draft, Place } from '../../../../runtime/core/ports.ts'
import { aDocument, aPage, aSubForm, aWidget, registry } from '../../../support/a-page.ts'
import { memoryWorld } from '../../../support/memory-ports.ts'

const ROWS: JsonObject = {
  uniqueName: 'rows',
  requestURL: '/mini/customer/list',
  requestMethod: 'post',
  data: [
    { name: 'tab', type: 'Variable', value: 'form.tab' },
    { name: 'cursor', type: 'Variable', value: 'DSV.cursor' },
  ],
  body: { limit: 20, filters: [{ field: 'level', op: 'in', value: ['A', '重&点'] }] },
}

const open = (click: Json, place: Place | 'refused' | 'unavailable' = 'unavailable') => {
  const world = memoryWorld({ place })
  const page = aPage(
    [
      aWidget('input', 'tab', { defaultValue: 'mine' }),
      aWidget('input', 'level'),
      aWidget('button', 'go', { label: '去', on: { click } }),
    ],
    { dataSources: [ROWS] },
  )
  return { engine: createEngine({ page, registry, ports: world.ports }), world }
}

describe('set while a page is opened', () => {
  const months = [
    { do: 'set', field: 'tab', value: 'all' },
    { do: 'set', fields: true, value: { rows: [{ amount: '0' }], level: 'A' } },
  ]
  const opened = (draft?: Draft) => {
    const page = aPage(
      [
        aWidget('input', 'tab'),
        aWidget('input', 'level'),
        aSubForm('rows', [aWidget('input', 'amount')]),
        aWidget('button', 'again', { on: { click: months } }),
      ],
      { page: { on: { load: months, show: [{ do: 'set', field: 'level', value: 'B' }] } } },
    )
    return createEngine({ page, registry, ports: memoryWorld().ports, ...(draft ? { draft } : {}) })
  }

  it('keeps input of a draft or of the previous version; another event overwrites it', async () => {
    const before = opened()
    await before.pageEvent('load')
    expect(before.values()).toMatchObject({ tab: 'all', level: 'A', rows: [{ amount: '0' }] })
    before.input('tab', 'mine')
    before.change(before.find('rows.0.amount') ?? '', '300')

    const next = opened(before.typed())
    await next.pageEvent('load')
    expect(next.values()).toMatchObject({ tab: 'mine', level: 'A', rows: [{ amount: '300' }] })
    await next.pageEvent('show')
    await next.event('again', 'click')
    expect(next.values()).toMatchObject({ tab: 'all', level: 'A', rows: [{ amount: '0' }] })
  })
})

describe('the action dial', () => {
  const click = [
    { do: 'dial', value: '{{ form.tab }}' },
    { do: 'toast', text: 'then' },
  ]
  const rung = async (number: string) => {
    const { engine, world } = open(click)
    await engine.change('tab', number)
    await engine.event('go', 'click')
    return [world.acts, world.toasts.map(({ text }) => text)]
  }

  it('calls a number', async () => {
    expect(await rung('13812345678')).toEqual([['dial 13812345678'], ['then']])
  })

  it.each(['138****5678', '', '无'])('with %j calls nobody, reports that and stops', async (number) => {
    expect(await rung(number)).toEqual([[], ['device.notDialled']])
  })
})

describe('the action locate', () => {
  const click = [
    { do: 'locate', then: [{ do: 'set', field: 'level', value: { rule: { var: 'result.lng' } } }] },
  ]

  it('passes the position to the next actions', async () => {
    const { engine } = open(click, { lng: 113.93, lat: 22.53, accuracy: 20 })
    await engine.event('go', 'click')
    expect(engine.values().level).toBe('113.93')
  })

  it('returns the distance to a given place', async () => {
    const to = { do: 'locate', value: { rule: { var: 'data.there' } }, then: click[0]?.then ?? [] }
    const { engine, world } = open([{ do: 'set', data: 'there', value: { lng: 1, lat: 2 } }, to], {
      lng: 113.93,
      lat: 22.53,
      accuracy: 20,
    })
    await engine.event('go', 'click')
    expect(world.acts).toEqual(['locate {"lng":1,"lat":2}'])
  })

  it.each([
    ['refused', 'device.locateRefused'],
    ['unavailable', 'device.locateFailed'],
  ] as const)('tells the user what to do if it is %s', async (place, said) => {
    const { engine, world } = open(click, place)
    await engine.event('go', 'click')
    expect(world.toasts.map(({ text }) => text)).toEqual([said])
    expect(engine.values().level).toBeNull()
  })

  it('tells the page the reason of a failure on request', async () => {
    const known = { do: 'locate', else: [{ do: 'set', field: 'level', value: '{{ error.type }}' }] }
    const { engine, world } = open([known], 'refused')
    await engine.event('go', 'click')
    expect(world.toasts).toEqual([])
    expect(engine.values().level).toBe('refused')
  })
})

describe('a toast with undo', () => {
  it('stays five seconds, lets actions continue, and runs its own actions only when its button is pressed', async () => {
    const undo = [{ do: 'set', field: 'level', value: '{{ args.0 }} 撤销' }]
    const { engine, world } = open([
      { do: 'toast', text: '已完成', act: '撤销', then: undo },
      { do: 'set', field: 'level', value: '已完成' },
    ])
    await engine.event('go', 'click', { args: ['甲'] })
    const before = engine.values().level
    const [toast] = world.toasts
    toast?.act?.run()
    await world.pass(0)

    expect(toast).toMatchObject({ text: '已完成', durationMs: 5_000, act: { label: '撤销' } })
    expect([before, engine.values().level]).toEqual(['已完成', '甲 撤销'])
  })
})

describe('the action navigate with a query', () => {
  it('adds it to the address, escaped, and omits empty values', async () => {
    const { engine, world } = open([
      {
        do: 'navigate',
        url: '/detail?id=1',
        query: { name: '{{ form.tab }} & 你', none: '{{ form.level }}' },
      },
    ])

    await engine.event('go', 'click')

    expect(world.acts).toEqual(['open /detail?id=1&name=mine%20%26%20%E4%BD%A0'])
  })

  it('passes on the query of a source, without its paging', async () => {
    const { engine, world } = open([{ do: 'navigate', url: '/detail', query: { from: { source: 'rows' } } }])

    await engine.event('go', 'click')

    const from = new URLSearchParams(String(world.acts[0]).split('?')[1]).get('from') ?? ''
    expect(JSON.parse(from)).toEqual({
      tab: 'mine',
      filters: [{ field: 'level', op: 'in', value: ['A', '重&点'] }],
    })
  })

  it('reports an undeclared source as a fault of the page', () => {
    const click = [{ do: 'navigate', url: '/detail', query: { from: { source: 'elsewhere' } } }]
    const document = aDocument([aWidget('button', 'go', { on: { click } })])

    const read = parsePage(document, { registry })

    expect(read.ok ? [] : read.problems.map(({ code, at }) => [code, at])).toEqual([
      ['DATA_SOURCE_UNKNOWN', '/widgetList/0/options/on/click/0/query/from/source'],
    ])
  })
})

describe('the action set with fields', () => {
  it('sets each field of its value and leaves the others unchanged', async () => {
    const { engine } = open([{ do: 'set', fields: true, value: { level: 'A', unknown: 1 } }])

    await engine.event('go', 'click')

    expect(engine.values()).toEqual({ tab: 'mine', level: 'A' })
  })
})
