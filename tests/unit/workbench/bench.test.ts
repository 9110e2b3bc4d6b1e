import { describe, expect, it } from 'vitest'
import type { Edit } from '../../../runtime/core/edit/edit.ts'
import type { Json } from '../../../runtime/core/json.ts'
import { type Bench, openBench } from '../../../src/workbench/bench.ts'
import type { Calls } from '../../../src/workbench/calls.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { memoryStorage } from '../../support/memory-storage.ts'

const PATH = '/pages/customer/my/add'
const TEXT = `{
  "widgetList": [ { "type": "input", "options": { "name": "a", "label": "甲" } } ],
  "formConfig": { "page": { "title": "页" } }
}
`
const label = (value: string): Edit => ({ do: 'set', id: '/a', path: ['options', 'label'], value })

const read = (text = ''): Json => JSON.parse(text) as Json

/** A server with one page that anybody may have published meanwhile. */
function aServer() {
  const texts = [TEXT]
  const checked: string[] = []
  const calls: Calls = {
    source: async (_, revision = texts.length - 1) => ({
      ok: true,
      value: { text: texts[revision] ?? '', revision },
    }),
    async check(_, text) {
      checked.push(text)
      return { ok: true, value: { problems: [], advice: [] } }
    },
    async publish(_, text, base) {
      const current = texts.length - 1
      if (base !== current)
        return {
          ok: false,
          message: '',
          problems: [],
          other: { revision: current, document: read(texts[current]), baseDocument: read(texts[base]) },
        }
      texts.push(text)
      return { ok: true, value: { revision: texts.length - 1 } }
    },
    versions: async () => ({ ok: true, value: [] }),
    async rollBack(_, revision) {
      texts.push(texts[revision] ?? '')
      return { ok: true, value: { revision: texts.length - 1 } }
    },
    expand: async (items) => ({ ok: true, value: items.map(() => ({ items: [], sources: [] })) }),
    modules: async () => ({ ok: true, value: [] }),
    fields: async () => ({ ok: true, value: [] }),
  }
  return { texts, checked, calls }
}

async function opened(server = aServer(), storage = memoryStorage()) {
  const clock = fakeClock()
  const bench = openBench(PATH, server.calls, { storage, clock })
  await expect.poll(() => bench.get().editing).not.toBeNull()
  return { bench, clock, storage, server }
}

const textOf = (bench: Bench): string => bench.get().editing?.text ?? ''

describe('the work on a page', () => {
  it('begins with the text as it is stored, and keeps it byte for byte while nothing is done', async () => {
    const { bench, clock, storage } = await opened()
    await clock.pass(1_000)

    expect(textOf(bench)).toBe(TEXT)
    expect(storage.values.size).toBe(0)
  })

  it('comes back after a reload with its draft and everything that can be taken back', async () => {
    const { bench, clock, storage, server } = await opened()
    bench.perform(label('乙'))
    bench.perform(label('丙'))
    await clock.pass(300)
    bench.close()

    const again = await opened(server, storage)
    expect(textOf(again.bench)).toBe(TEXT.replace('甲', '丙'))
    expect(again.bench.get().isRestored).toBe(true)
    again.bench.undo()
    again.bench.undo()
    expect(textOf(again.bench)).toBe(TEXT)
  })

  it('takes back what was typed into one field in one step', async () => {
    const { bench } = await opened()
    for (const word of ['客', '客户', '客户名']) bench.perform(label(word), 'a label')
    bench.perform({ do: 'set', path: ['formConfig', 'page', 'title'], value: '题' })

    bench.undo()
    expect(textOf(bench)).toBe(TEXT.replace('甲', '客户名'))
    bench.undo()
    expect(textOf(bench)).toBe(TEXT)
  })

  it('is checked once when the hand rests, not at each letter', async () => {
    const { bench, clock, server } = await opened()
    for (const word of ['客', '客户', '客户名']) bench.perform(label(word), 'a label')
    await clock.pass(500)

    expect(server.checked).toEqual([TEXT.replace('甲', '客户名')])
  })

  it('keeps canvas and draft while the text that is typed is no JSON', async () => {
    const { bench } = await opened()

    expect(bench.retype(TEXT.slice(0, -3))).toBe(false)
    expect(textOf(bench)).toBe(TEXT)
    expect(bench.retype(TEXT.replace('甲', '丁'))).toBe(true)
    bench.undo()
    expect(textOf(bench)).toBe(TEXT)
  })

  it('is over when it is published: the next step begins from there', async () => {
    const { bench, clock, storage, server } = await opened()
    bench.perform(label('乙'))
    await clock.pass(300)
    const answer = await bench.publish('')

    expect(answer).toEqual({ ok: true, value: { revision: 1 } })
    expect(server.texts[1]).toBe(TEXT.replace('甲', '乙'))
    expect(bench.get()).toMatchObject({ base: 1, baseText: server.texts[1] })
    expect(bench.get().editing?.done).toEqual([])
    expect(storage.values.size).toBe(0)
  })

  it('shows both sides when somebody published first, and goes on from what both made', async () => {
    const { bench, server } = await opened()
    server.texts.push(TEXT.replace('页', '对方的页'))
    bench.perform(label('乙'))

    expect((await bench.publish('')).ok).toBe(false)
    const { conflict } = bench.get()
    expect(conflict).toMatchObject({ revision: 1, merged: { conflicts: [] } })
    bench.settle(conflict?.merged.document ?? null)
    expect(JSON.parse(textOf(bench))).toEqual(JSON.parse(TEXT.replace('甲', '乙').replace('页', '对方的页')))
    expect(await bench.publish('')).toEqual({ ok: true, value: { revision: 2 } })
  })

  it('goes back to a version at once, and the draft is gone', async () => {
    const { bench, server } = await opened()
    bench.perform(label('乙'))
    await bench.publish('')
    bench.perform(label('丙'))
    await bench.rollBack(0)

    await expect.poll(() => textOf(bench)).toBe(TEXT)
    expect(server.texts.at(-1)).toBe(TEXT)
    expect(bench.get().editing?.done).toEqual([])
  })
})
