import { describe, expect, it } from 'vitest'
import { openBench } from '../../../src/workbench/bench.ts'
import type { Calls } from '../../../src/workbench/calls.ts'
import {
  afterTyping,
  broughtBack,
  createTypedKeeper,
  MAX_KEPT,
  NOTHING_TYPED,
  typedAt,
  withoutOne,
} from '../../../src/workbench/code/typed-texts.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { memoryStorage } from '../../support/memory-storage.ts'

const PAGE = '{ "a": 1 }'
const LATER = '{ "a": 2 }'
const typed = (text: string) => ({ text, isJson: false })

describe('typed text that is not JSON', () => {
  it('is in the editor while the page is the one it was typed over, and is offered afterwards', () => {
    const half = afterTyping(NOTHING_TYPED, PAGE, typed('{ "a": 1'))
    expect(typedAt(half, PAGE)).toEqual({ now: { text: '{ "a": 1', beside: PAGE }, before: '' })
    expect(typedAt(half, LATER)).toEqual({ now: null, before: '{ "a": 1' })
  })

  it('comes back over the page of now; what is in the editor then is offered in its place', () => {
    const half = afterTyping(NOTHING_TYPED, PAGE, typed('{ "a": 1'))
    const back = broughtBack(half, LATER)
    expect(back).toEqual({ now: { text: '{ "a": 1', beside: LATER }, before: '' })
    const other = afterTyping(half, LATER, typed('{ "a": 2'))
    expect(broughtBack(other, LATER)).toEqual({
      now: { text: '{ "a": 1', beside: LATER },
      before: '{ "a": 2',
    })
  })

  it('is gone once the page has it, or without it; an offered one stays until it is discarded itself', () => {
    const half = afterTyping(NOTHING_TYPED, PAGE, typed('{ "a": 1'))
    expect(afterTyping(half, PAGE, { text: LATER, isJson: true })).toEqual(NOTHING_TYPED)
    expect(withoutOne(half, PAGE)).toEqual(NOTHING_TYPED)
    const other = afterTyping(half, LATER, typed('{ "a": 2'))
    expect(afterTyping(other, LATER, { text: PAGE, isJson: true }).before).toBe('{ "a": 1')
    expect(withoutOne(other, LATER)).toEqual({ now: null, before: '{ "a": 1' })
    expect(withoutOne(withoutOne(other, LATER), LATER)).toEqual(NOTHING_TYPED)
  })
})

describe('on the device', () => {
  it('typed text is there after a reload, and gone with the last of it; the last of two tabs counts', async () => {
    const ports = { storage: memoryStorage(), clock: fakeClock() }
    const half = afterTyping(NOTHING_TYPED, PAGE, typed('{ "a": 1'))
    const keeper = createTypedKeeper('/pages/x/a', ports)
    keeper.follow(half)
    await ports.clock.pass(300)
    const other = createTypedKeeper('/pages/x/a', ports)
    expect(await other.kept()).toEqual(half)
    expect(await createTypedKeeper('/pages/x/b', ports).kept()).toEqual(NOTHING_TYPED)
    other.follow(NOTHING_TYPED)
    await ports.clock.pass(300)
    expect(await keeper.kept()).toEqual(NOTHING_TYPED)
  })

  it('a text of more than a million characters is not kept, and what cannot be read is nothing', async () => {
    const ports = { storage: memoryStorage(), clock: fakeClock() }
    const keeper = createTypedKeeper('/pages/x/a', ports)
    keeper.follow(afterTyping(NOTHING_TYPED, PAGE, typed('{'.repeat(MAX_KEPT + 1))))
    await ports.clock.pass(300)
    expect(await keeper.kept()).toEqual(NOTHING_TYPED)
    await ports.storage.set('workbench-typed:/pages/x/a', { now: 3, before: [] })
    expect(await keeper.kept()).toEqual(NOTHING_TYPED)
  })
})

describe('the workbench', () => {
  const refusal = {
    ok: false,
    message: '',
    problems: [],
    other: null,
    serverDraft: null,
    isChangedSince: false,
  } as const
  const calls = new Proxy({} as Calls, {
    get: (_, name) => async () =>
      name === 'draft'
        ? { ok: true, value: { draft: null, others: [], text: PAGE, base: 1 } }
        : name === 'source'
          ? { ok: true, value: { text: PAGE, revision: 1 } }
          : refusal,
  })
  const isOpen = (bench: ReturnType<typeof openBench>) =>
    expect.poll(() => bench.get().editing?.text).toBe(PAGE)

  it('has the typed text again on the next visit, and ends it with the draft', async () => {
    const ports = { storage: memoryStorage(), clock: fakeClock() }
    const first = openBench('/pages/x/a', calls, ports)
    await isOpen(first)
    expect(first.retype('{ "a": ')).toBe(false)
    await ports.clock.pass(300)
    first.close()

    const second = openBench('/pages/x/a', calls, ports)
    await isOpen(second)
    await expect.poll(() => second.get().typed.now?.text).toBe('{ "a": ')
    expect(second.retype(LATER)).toBe(true)
    expect(second.get().typed).toEqual(NOTHING_TYPED)
    second.retype('{')
    second.undo()
    expect(typedAt(second.get().typed, PAGE)).toEqual({ now: null, before: '{' })
    second.bringBack()
    expect(second.get().typed).toEqual({ now: { text: '{', beside: PAGE }, before: '' })
    second.dropTyped()
    expect(second.get().typed).toEqual(NOTHING_TYPED)
  })
})
