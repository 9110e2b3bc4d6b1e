import { describe, expect, it } from 'vitest'
import type { Edit } from '../../../runtime/core/edit/edit.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { openBench } from '../../../src/workbench/bench.ts'
import type { Bench } from '../../../src/workbench/bench-state.ts'
import type { Answer, Calls, Colleague, ServerDraft, Upgrade } from '../../../src/workbench/calls.ts'
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

const refusal = {
  ok: false,
  message: '',
  problems: [],
  other: null,
  serverDraft: null,
  isChangedSince: false,
} as const

/** A server with one page that others may have published or may be editing. */
function aServer() {
  const texts = [TEXT]
  const checked: string[] = []
  const line = { isUp: true, losesAnswers: false, isOwn: false, answer: Promise.resolve() }
  const drafts = new Map<string, ServerDraft>()
  const others: Colleague[] = []
  const release: { now: Upgrade | null; decided: string[] } = { now: null, decided: [] }
  let stamp = 0
  const calls: Calls = {
    async draft() {
      if (!line.isUp) return refusal
      const draft = drafts.get('me') ?? null
      const revision = texts.length - 1
      const now = { text: draft?.text ?? texts[revision] ?? '', base: draft?.base ?? revision }
      return { ok: true, value: { draft, others, ...now } }
    },
    async saveDraft(_, text, base, after) {
      const there = drafts.get('me')
      if (!line.isUp) return refusal
      if (there !== undefined && there.stamp !== after) return { ...refusal, serverDraft: there }
      await line.answer
      stamp += 1
      checked.push(text)
      drafts.set('me', { text, base, stamp: String(stamp) })
      if (line.losesAnswers) return refusal
      return { ok: true, value: { problems: [], advice: [], others, stamp: String(stamp) } }
    },
    async dropDraft() {
      drafts.delete('me')
      return { ok: true, value: null }
    },
    async draftOf(_, user): Promise<Answer<ServerDraft>> {
      const found = drafts.get(user)
      return found === undefined ? refusal : { ok: true, value: found }
    },
    facts: async () => refusal,
    source: async (_, revision = texts.length - 1) => ({
      ok: true,
      value: { text: texts[revision] ?? '', revision },
    }),
    async check(_, text) {
      checked.push(text)
      return { ok: true, value: { problems: [], advice: [] } }
    },
    upgrade: async () => ({ ok: true, value: release.now }),
    async publish(_, text, base, __, vendorEtag) {
      release.decided.push(vendorEtag)
      const current = texts.length - 1
      if (base !== current)
        return {
          ...refusal,
          other: {
            revision: current,
            document: read(texts[current]),
            baseDocument: read(texts[base]),
            isOwn: line.isOwn,
          },
        }
      texts.push(text)
      drafts.delete('me')
      await line.answer
      return { ok: true, value: { revision: texts.length - 1 } }
    },
    setsOf: async () => ({ ok: true, value: [] }),
    putInSet: async () => ({ ok: true, value: { title: '' } }),
    visit: async () => (line.isUp ? { ok: true, value: ['李四'] } : refusal),
    leave: async () => ({ ok: true, value: null }),
    versions: async () => ({ ok: true, value: [] }),
    async rollBack(_, revision) {
      texts.push(texts[revision] ?? '')
      return { ok: true, value: { revision: texts.length - 1 } }
    },
    sides: async () => refusal,
    expand: async (items) => ({ ok: true, value: items.map(() => ({ items: [], sources: [] })) }),
    modules: async () => ({ ok: true, value: [] }),
    roles: async () => ({ ok: true, value: [] }),
    records: async () => ({ ok: true, value: [] }),
    fragments: async () => ({ ok: true as const, value: [] }),
    readings: async () => ({ ok: true as const, value: [] }),
    fields: async () => ({ ok: true, value: [] }),
  }
  return { texts, checked, calls, drafts, others, line, release }
}

async function opened(server = aServer(), storage = memoryStorage()) {
  const clock = fakeClock()
  const bench = openBench(PATH, server.calls, { storage, clock })
  await expect.poll(() => bench.get().editing).not.toBeNull()
  /** Long enough for everything pending to finish. */
  const rest = async (ms = 1_000) => {
    await clock.pass(ms)
    await new Promise((done) => setTimeout(done))
    await clock.pass(0)
    await new Promise((done) => setTimeout(done))
  }
  return { bench, clock, storage, server, rest }
}

const textOf = (bench: Bench): string => bench.get().editing?.text ?? ''

it('a fault leads to its widget, or to the code of the page', async () => {
  const { bench } = await opened()
  bench.goTo('/widgetList/0/options/onClick')
  expect([bench.get().editing?.selected, bench.get().code]).toEqual(['/a', null])
  bench.goTo('/formConfig/onFormMounted')
  expect([bench.get().editing?.selected, bench.get().code]).toEqual([null, { name: 'onFormMounted' }])
  bench.goTo('/formConfig/page/title')
  expect(bench.get().code).toEqual({ name: 'onFormMounted' })
  bench.close()
})

describe('editing a page', () => {
  it('begins with the stored text, and keeps it byte for byte without changes', async () => {
    const { bench, clock, storage } = await opened()
    await clock.pass(1_000)

    expect(textOf(bench)).toBe(TEXT)
    expect(storage.values.size).toBe(0)
  })

  it('restores draft and undo history after a reload', async () => {
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

  it('stores a long text once, and reads the format of an earlier version', async () => {
    const { bench, clock, storage, server } = await opened()
    bench.perform(label('乙'.repeat(500)))
    await clock.pass(300)
    bench.close()
    const [key = '', kept] = [...storage.values][0] ?? []
    const { text, baseText, sent } = kept as JsonObject

    expect(baseText).toEqual({ offset: expect.any(Number), length: 500, content: '甲' })
    await storage.set(key, { ...(kept as JsonObject), baseText: TEXT, sent: '' })
    const again = await opened(server, storage)
    expect(textOf(again.bench)).toBe(text)
    expect(again.bench.get()).toMatchObject({ baseText: TEXT, isRestored: true })
    expect(sent).toEqual({ offset: 0, length: String(text).length, content: '' })
  })

  it('selects nothing after a change of the page itself, or if its last item is gone', async () => {
    const { bench } = await opened()
    bench.perform({ do: 'set', path: ['formConfig', 'page', 'title'], value: '另一页' })
    expect(bench.get().editing?.selected).toBe(null)

    bench.select('/a')
    bench.perform({ do: 'remove', id: '/a' })
    expect(bench.get().editing?.selected).toBe(null)
    bench.undo()
    expect(bench.get().editing?.selected).toBe('/a')
    bench.redo()
    expect(bench.get().editing?.selected).toBe(null)
  })

  it('undoes the input of one field in one step', async () => {
    const { bench } = await opened()
    for (const word of ['客', '客户', '客户名']) bench.perform(label(word), 'a label')
    bench.perform({ do: 'set', path: ['formConfig', 'page', 'title'], value: '题' })

    bench.undo()
    expect(textOf(bench)).toBe(TEXT.replace('甲', '客户名'))
    bench.undo()
    expect(textOf(bench)).toBe(TEXT)
  })

  it('undoes input before a pause separately, and a replacement of the whole text', async () => {
    const { bench, rest } = await opened()
    const typed = (word: string) => bench.retype(TEXT.replace('甲', word))
    for (const word of ['一', '一二']) typed(word)
    await rest(5_000)
    for (const word of ['一二三', '一二三四']) typed(word)
    await bench.take(0)

    for (const word of ['一二三四', '一二']) {
      bench.undo()
      expect(textOf(bench)).toBe(TEXT.replace('甲', word))
    }
    bench.undo()
    expect(textOf(bench)).toBe(TEXT)
  })

  it('checks once after a pause, not at each keystroke', async () => {
    const { bench, clock, server } = await opened()
    for (const word of ['客', '客户', '客户名']) bench.perform(label(word), 'a label')
    await clock.pass(500)

    expect(server.checked).toEqual([TEXT.replace('甲', '客户名')])
  })

  it('keeps canvas and draft while the typed text is not JSON', async () => {
    const { bench } = await opened()

    expect(bench.retype(TEXT.slice(0, -3))).toBe(false)
    expect(textOf(bench)).toBe(TEXT)
    expect(bench.retype(TEXT.replace('甲', '丁'))).toBe(true)
    bench.undo()
    expect(textOf(bench)).toBe(TEXT)
  })

  it('ends at publication: the next change starts from the published version', async () => {
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

  it.each([500, 0])('leaves no draft if the page is published %i ms after the last keystroke', async (ms) => {
    const { bench, clock, server, rest } = await opened()
    let answer = (): void => {}
    server.line.answer = new Promise((done) => {
      answer = done
    })
    bench.perform(label('乙'))
    await clock.pass(ms)
    const published = bench.publish('')
    await rest()
    answer()
    expect(await published).toEqual({ ok: true, value: { revision: 1 } })
    await rest()

    expect(server.drafts.size).toBe(0)
    expect(bench.get()).toMatchObject({ base: 1, keeping: 'nothing' })
    bench.perform(label('丙'))
    await rest()
    expect(server.drafts.get('me')).toMatchObject({ base: 1, text: TEXT.replace('甲', '丙') })
  })

  it('shows both sides if another user published first, and continues from the merged page', async () => {
    const { bench, server } = await opened()
    server.texts.push(TEXT.replace('页', '对方的页'))
    bench.perform(label('乙'))

    expect((await bench.publish('')).ok).toBe(false)
    const { conflict } = bench.get()
    expect(conflict).toMatchObject({ kind: 'published', base: 1 })
    bench.settle(new Map())
    expect(JSON.parse(textOf(bench))).toEqual(JSON.parse(TEXT.replace('甲', '乙').replace('页', '对方的页')))
    expect(await bench.publish('')).toEqual({ ok: true, value: { revision: 2 } })
  })

  it('reverts to a version at once, and deletes the draft', async () => {
    const { bench, server } = await opened()
    bench.perform(label('乙'))
    await bench.publish('')
    bench.perform(label('丙'))
    await bench.rollBack(0)

    await expect.poll(() => textOf(bench)).toBe(TEXT)
    expect(server.texts.at(-1)).toBe(TEXT)
    expect(bench.get().editing?.done).toEqual([])
  })

  it('stores the draft on the server after a pause, for other devices', async () => {
    const { bench, rest, server } = await opened()
    bench.perform(label('乙'))
    expect(bench.get().keeping).not.toBe('saved')
    await rest()
    expect(bench.get().keeping).toBe('saved')

    const other = await opened(server)
    expect(textOf(other.bench)).toBe(TEXT.replace('甲', '乙'))
    expect(other.bench.get()).toMatchObject({ base: 0, baseText: TEXT, isRestored: true })
  })

  it('leaves no draft on the server once everything is undone', async () => {
    const { bench, rest, server } = await opened()
    bench.perform(label('乙'))
    await rest()
    expect(server.drafts.size).toBe(1)
    bench.undo()
    await rest()

    expect(server.drafts.size).toBe(0)
    expect(bench.get().keeping).toBe('nothing')
  })

  it('shows who else has the page open, and nobody without a network', async () => {
    const { bench, server } = await opened()
    await expect.poll(() => bench.get().here).toEqual(['李四'])
    server.line.isUp = false
    await bench.look()
    expect(bench.get().here).toEqual([])
  })

  it('keeps the draft on the device while offline, over a reload too, and sends it when online', async () => {
    const first = await opened()
    first.server.line.isUp = false
    first.bench.perform(label('乙'))
    await first.rest()
    expect(first.bench.get()).toMatchObject({ keeping: 'device', isChecking: false })
    first.bench.close()

    const again = await opened(first.server, first.storage)
    expect(textOf(again.bench)).toBe(TEXT.replace('甲', '乙'))
    again.server.line.isUp = true
    again.bench.perform({ do: 'set', path: ['formConfig', 'page', 'title'], value: '题' })
    await again.rest(6_000)
    expect(again.server.drafts.get('me')?.text).toBe(textOf(again.bench))
    expect(again.bench.get().keeping).toBe('saved')
  })

  it('recognises its own text if the answer to its write was lost', async () => {
    const { bench, rest, server } = await opened()
    server.line.losesAnswers = true
    bench.perform(label('乙'))
    await rest()
    expect(bench.get().keeping).toBe('device')
    server.line.losesAnswers = false
    await rest(6_000)

    expect(bench.get()).toMatchObject({ keeping: 'saved', conflict: null })
  })

  it('merges the changes of two windows; the user decides a conflict', async () => {
    const server = aServer()
    const one = await opened(server)
    const two = await opened(server)
    one.bench.perform(label('乙'))
    await one.rest()
    two.bench.perform({ do: 'set', path: ['formConfig', 'page', 'title'], value: '题' })
    await two.rest()
    await two.rest()
    const both = TEXT.replace('甲', '乙').replace('页', '题')
    // Parts that neither side changed stay byte for byte.
    expect(textOf(two.bench)).toBe(both)
    expect(read(server.drafts.get('me')?.text)).toEqual(read(both))

    await one.bench.look()
    expect(read(textOf(one.bench))).toEqual(read(both))
    one.bench.perform(label('丙'))
    await one.rest()
    two.bench.perform(label('丁'))
    await two.rest()
    expect(two.bench.get().conflict).toMatchObject({ kind: 'window' })
    two.bench.settle(new Map([['/a options.label', 'theirs']]))
    await two.rest()
    expect(read(textOf(two.bench))).toEqual(read(both.replace('乙', '丙')))
    expect(two.bench.get().keeping).toBe('saved')
  })

  it('publishes after the user has decided between two windows, though the other one has published meanwhile', async () => {
    const server = aServer()
    const one = await opened(server)
    const two = await opened(server)
    one.bench.perform(label('乙'))
    await one.rest()
    two.bench.perform(label('丁'))
    await two.rest()
    expect(two.bench.get().conflict).toMatchObject({ kind: 'window' })
    await one.bench.publish('')
    two.bench.settle(new Map([['/a options.label', 'mine']]))
    await two.rest()
    const answer = await two.bench.publish('')

    expect(answer).toMatchObject({ ok: true, value: { revision: 2 } })
    expect(two.bench.get()).toMatchObject({ conflict: null, base: 2, keeping: 'nothing' })
    expect(read(server.texts[2])).toEqual(read(TEXT.replace('甲', '丁')))
  })

  it('asks only about what the other window changed after the decision, and says that it was oneself', async () => {
    const server = aServer()
    const one = await opened(server)
    const two = await opened(server)
    one.bench.perform(label('乙'))
    await one.rest()
    two.bench.perform(label('丁'))
    await two.rest()
    two.bench.settle(new Map([['/a options.label', 'mine']]))
    server.texts.push(TEXT.replace('甲', '乙').replace('页', '题'))
    server.line.isOwn = true
    const answer = await two.bench.publish('')
    const { conflict } = two.bench.get()

    expect(answer.ok).toBe(false)
    expect(conflict).toMatchObject({ kind: 'own', base: 1, baseDocument: read(TEXT.replace('甲', '乙')) })
    two.bench.settle(new Map())
    expect(read(textOf(two.bench))).toEqual(read(TEXT.replace('甲', '丁').replace('页', '题')))
  })

  it('asks in full if somebody else has published', async () => {
    const server = aServer()
    const one = await opened(server)
    const two = await opened(server)
    one.bench.perform(label('乙'))
    await one.rest()
    two.bench.perform(label('丁'))
    await two.rest()
    two.bench.settle(new Map([['/a options.label', 'mine']]))
    server.texts.push(TEXT.replace('甲', '戊'))
    await two.bench.publish('')

    expect(two.bench.get().conflict).toMatchObject({ kind: 'published', baseDocument: read(TEXT) })
  })

  it('ends in a second window too when the first has published', async () => {
    const server = aServer()
    const one = await opened(server)
    one.bench.perform(label('乙'))
    await one.rest()
    const two = await opened(server)
    await one.bench.publish('')
    await two.bench.look()

    expect(two.bench.get()).toMatchObject({ base: 1, baseText: server.texts[1], keeping: 'nothing' })
    await two.rest()
    expect(server.drafts.size).toBe(0)
  })

  it('merges a colleague’s draft or continues from it, as a step that can be undone', async () => {
    const server = aServer()
    const other: Colleague = { user: 'her', author: '李四', at: '', base: 0 }
    server.others.push(other)
    server.drafts.set('her', { text: TEXT.replace('页', '她的').replace('甲', '她'), base: 0, stamp: 'h' })
    const { bench, rest } = await opened(server)
    expect(bench.get().others).toEqual([other])
    bench.perform(label('乙'))

    await bench.takeIn(other)
    expect(bench.get().conflict).toMatchObject({ kind: 'colleague', author: '李四' })
    bench.settle(new Map())
    expect(read(textOf(bench))).toEqual(read(TEXT.replace('甲', '乙').replace('页', '她的')))
    await bench.takeOver(other)
    expect(textOf(bench)).toBe(server.drafts.get('her')?.text)
    bench.undo()
    bench.undo()
    bench.undo()
    expect(textOf(bench)).toBe(TEXT)
    await rest()
    expect(server.drafts.has('her')).toBe(true)
  })

  /** The product has another title and another label than the version the page was made from. */
  const released = () => {
    const server = aServer()
    const document = read(TEXT.replace('页', '新版').replace('甲', '新版的'))
    server.release.now = { baseDocument: read(TEXT), document, etag: '"2"' }
    return server
  }

  it('merges the changes of a newer release; the user decides a conflict', async () => {
    const { bench, server } = await opened(released())
    await expect.poll(() => bench.get().upgrade).not.toBeNull()
    bench.perform(label('我们的'))

    bench.takeUpgrade()
    expect(bench.get()).toMatchObject({ conflict: { kind: 'vendor' }, upgrade: { etag: '"2"' } })
    bench.settle(new Map())
    expect(textOf(bench)).toBe(TEXT.replace('页', '新版').replace('甲', '我们的'))
    expect(bench.get().upgrade).toBeNull()
    await bench.publish('')

    expect(server.release.decided).toEqual(['"2"'])
  })

  it('does not mention a release that is still undecided, or whose changes were reverted', async () => {
    const { bench, server } = await opened(released())
    await expect.poll(() => bench.get().upgrade).not.toBeNull()
    bench.perform(label('我们的'))
    bench.takeUpgrade()
    bench.dismissConflict()

    expect(bench.get().upgrade).not.toBeNull()
    await bench.publish('')
    await expect.poll(() => bench.get().upgrade).not.toBeNull()
    bench.takeUpgrade()
    bench.settle(new Map())
    bench.undo()
    await bench.publish('')

    expect(server.release.decided).toEqual(['', ''])
  })
})
