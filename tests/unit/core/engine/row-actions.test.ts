import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../runtime/core/create-engine.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { aPage, aSubForm, aWidget, registry } from '../../../support/a-page.ts'
import { collides, inWords, memoryWorld, type Server } from '../../../support/memory-ports.ts'

const TEN_PERCENT_OFF: Json = {
  rule: { round: [{ '/': [{ '*': [{ var: 'row.list' }, { var: 'row.rate' }] }, 100] }, 2] },
}

function open(server?: Server) {
  const world = memoryWorld(server ? { server } : {})
  const page = aPage(
    [
      aSubForm(
        'lines',
        [
          aWidget('input', 'product'),
          aWidget('number', 'list'),
          aWidget('number', 'rate', {
            on: { change: [{ do: 'set', field: 'amount', value: TEN_PERCENT_OFF }] },
          }),
          aWidget('number', 'amount'),
        ],
        { showBlankRow: false },
      ),
      aWidget('number', 'amount'),
      aWidget('button', 'add', {
        on: {
          click: [
            {
              do: 'set',
              field: 'lines',
              value: { rule: { merge: [{ var: 'form.lines' }, [{ var: 'data.picked' }]] } },
            },
          ],
        },
      }),
      aWidget('button', 'save', {
        on: { click: [{ do: 'submit', dsName: 'save', base: 'data.detail.record' }] },
      }),
    ],
    {
      dataSources: [
        { uniqueName: 'detail', requestURL: '/detail', requestMethod: 'get', auto: true, fill: 'record' },
        {
          uniqueName: 'save',
          requestURL: '/save',
          requestMethod: 'post',
          body: { lines: '{{ form.lines }}', version: '{{ data.detail.record.version }}' },
          data: [{ name: 'clientToken', type: 'Variable', value: 'DSV.clientToken' }],
        },
      ],
    },
  )
  const engine = createEngine({ page, registry, ports: world.ports })
  return { engine, world, key: (address: string) => engine.find(address) ?? '' }
}

describe('actions in the rows of a sub-form', () => {
  it('read their own row and set the field of that row, even if the form has a field of the same name', () => {
    const { engine, key } = open()
    engine.setValues({
      amount: 7,
      lines: [
        { product: 'A', list: 100 },
        { product: 'B', list: 200 },
      ],
    })

    engine.change(key('lines.1.rate'), 90)

    expect(engine.values()).toMatchObject({
      amount: 7,
      lines: [{ amount: null }, { amount: 180 }],
    })
  })

  it('can set all rows at once, and a draft keeps the result', async () => {
    const { engine } = open()
    engine.setData('picked', { product: 'C', list: 50, unknown: true })

    await engine.event('add', 'click')
    await engine.event('add', 'click')

    const rows = engine.values().lines as readonly JsonObject[]
    expect(rows.map(({ product, list }) => [product, list])).toEqual([
      ['C', 50],
      ['C', 50],
    ])
    expect(engine.draft().rows.lines).toHaveLength(2)
  })
})

describe('conflicting rows of one record', () => {
  const theirs = {
    version: 2,
    lines: [
      { product: 'A', list: 100, rate: 50, amount: 50, extra: 1 },
      { product: 'B', list: 1, rate: 100, amount: 1, extra: 2 },
    ],
  }
  const server = collides(theirs)

  it('are shown as a whole and accepted as a whole', async () => {
    const { engine, world, key } = open(server)
    engine.setData('detail', { record: { version: 1, amount: 50, lines: [{ product: 'A', list: 100 }] } })
    engine.change(key('lines.0.rate'), 80)

    await engine.event('save', 'click')

    expect(inWords(engine)?.fields).toMatchObject([{ name: 'lines' }])
    expect(inWords(engine)?.fields[0]?.mine).toMatch(/A$/)
    expect(inWords(engine)?.fields[0]?.theirs).toMatch(/A · B$/)

    await engine.resolveConflict(['lines'])

    const sent = world.requests.at(-1)?.body as JsonObject
    expect(sent.version).toBe(2)
    expect((sent.lines as readonly JsonObject[]).map(({ product }) => product)).toEqual(['A', 'B'])
  })
})
