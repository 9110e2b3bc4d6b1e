import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import type { Draft } from '../../../runtime/core/engine.ts'
import type { Json } from '../../../runtime/core/json.ts'
import { createDraftPlaces } from '../../../src/app/pages/draft-places.ts'
import { createTypedStorage } from '../../../src/app/storage/typed-storage.ts'
import { aPage, aWidget, registry } from '../../support/a-page.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { memoryWorld } from '../../support/memory-ports.ts'
import { memoryStorage } from '../../support/memory-storage.ts'
import { memoryTexts } from '../../support/memory-texts.ts'

describe('a tab that is closed', () => {
  it('keeps the last keystrokes, even if the device had no time to store them', async () => {
    const { tab, engine, place } = await halfStored('星', '星海')
    engine.input('secret', 'x')

    place.keepNow()

    expect(await tab.later('d')).toEqual({ values: { name: '星海' }, rows: {} })
  })

  it('keeps the last keystrokes while a write is still running', async () => {
    const tab = aDevice()
    const { engine, place } = await tab.open()
    await pause()
    tab.stall()
    engine.input('name', '星海')
    void place.flush()

    place.keepNow()

    expect(await tab.later('d')).toEqual({ values: { name: '星海' }, rows: {} })
  })

  it('restores them on the next visit: later input wins, and the earlier draft is gone', async () => {
    const tab = aDevice()
    const { engine, place } = await tab.open()
    engine.input('name', '星')
    place.keepNow()

    engine.input('name', '星海')
    await tab.pass(300)

    expect(await tab.later('d')).toEqual({ values: { name: '星海' }, rows: {} })
    expect(tab.texts.size).toBe(0)
  })

  it('writes nothing if everything is stored, nothing was typed, or all input was undone', async () => {
    const tab = aDevice()
    const { engine, place } = await tab.open()
    place.keepNow()
    engine.input('name', '星海')
    await tab.pass(300)
    place.keepNow()
    engine.reset()
    place.keepNow()

    expect(tab.texts.size).toBe(0)
  })
})

describe('a draft on a shared device', () => {
  it('is encrypted everywhere, and only its owner can decrypt it', async () => {
    const { tab, place } = await halfStored('星海科技', '星海科技二')
    await pause()
    place.keepNow()

    const lying = JSON.stringify([...tab.stored, ...tab.texts])
    tab.signIn(null)
    const signedOut = await tab.later('d')
    tab.signIn('B'.repeat(43))
    const other = await tab.later('d')
    tab.signIn('A'.repeat(43))

    expect(lying).not.toContain('星海')
    expect([signedOut, other]).toEqual([undefined, undefined])
    expect(await tab.later('d')).toEqual({ values: { name: '星海科技二' }, rows: {} })
  })

  it('cannot be swapped with another draft', async () => {
    const tab = aDevice()
    const { engine, place } = await tab.open()
    engine.input('name', '星海科技')
    await place.flush()

    tab.stored.set('elsewhere', tab.stored.get('d') ?? null)

    expect(await tab.later('elsewhere')).toBeUndefined()
  })

  it('is encrypted for the user who opened the page, even if the page closes after they signed out', async () => {
    const tab = aDevice()
    const { engine, place } = await tab.open()
    engine.input('name', '星海科技')
    tab.signIn(null)

    await place.close()
    tab.signIn('A'.repeat(43))

    expect(await tab.later('d')).toEqual({ values: { name: '星海科技' }, rows: {} })
  })

  it('that an older version stored unencrypted can still be read', async () => {
    const tab = aDevice()
    tab.stored.set('d', { values: { name: '星' }, rows: {} })

    expect(await tab.later('d')).toEqual({ values: { name: '星' }, rows: {} })
  })
})

it('is deleted from both stores when it is discarded', async () => {
  const { tab, place } = await halfStored('星海', '星海科技')
  place.keepNow()

  await place.remove()

  expect(await tab.later('d')).toBeUndefined()
})

describe('two tabs with the same form', () => {
  it('keep both inputs, and each finds its own again', async () => {
    const device = aDevice()
    const one = await device.open()
    const two = await device.open()
    one.engine.input('name', '星海')
    two.engine.input('name', '远山')
    await device.pass(300)
    await two.place.close()
    const twoAgain = await device.open()
    expect([one.name(), twoAgain.name()]).toEqual(['星海', '远山'])

    device.kill()
    const found = [(await device.open()).name(), (await device.open()).name(), (await device.open()).name()]
    expect(found).toEqual(['星海', '远山', null])
  })

  it('leave the draft of the other alone when theirs is sent', async () => {
    const device = aDevice()
    const one = await device.open()
    const two = await device.open()
    one.engine.input('name', '星海')
    two.engine.input('name', '远山')
    await device.pass(300)

    two.engine.reset()
    await two.place.close()

    expect(device.stored.size).toBe(1)
    expect(await device.later('d')).toMatchObject({ values: { name: '星海' } })
  })

  it('of which the second was killed with its last keystrokes: the next visit has them', async () => {
    const device = aDevice()
    const one = await device.open()
    const two = await device.open()
    two.engine.input('name', '远山')
    two.place.keepNow()
    await one.place.close()

    expect(await device.later('d')).toMatchObject({ values: { name: '远山' } })
  })

  it('are as many as one likes: the tenth keeps no draft, and disturbs nobody', async () => {
    const device = aDevice()
    for (let tab = 0; tab < 9; tab += 1) (await device.open()).engine.input('name', `甲${tab}`)
    await device.pass(300)

    await expect(device.open()).rejects.toThrow('there is no place')
    device.kill()
    const names = new Set<unknown>()
    for (let tab = 0; tab < 9; tab += 1) names.add((await device.open()).name())
    expect(names.size).toBe(9)
  })
})

describe('a form in one tab', () => {
  it('that is opened again at once has the draft, even if it is still being saved', async () => {
    const device = aDevice()
    const tab = device.aTab()
    const first = await device.open('d', tab)
    first.engine.input('name', '星海')
    void first.place.close()

    expect((await device.open('d', tab)).name()).toBe('星海')
  })

  it('that is left while it is sent is no draft of the next visit, and none at all once it is stored', async () => {
    const device = aDevice()
    const tab = device.aTab()
    const first = await device.open('d', tab)
    first.engine.input('name', '星海')
    const sent = first.engine.event('save', 'click')
    await first.place.close()
    first.engine.dispose()

    expect(device.stored.size).toBe(1)
    expect((await device.open('d', tab)).name()).toBeNull()
    device.answer({ meta: { code: 200 }, data: { id: '1' } })
    await sent
    await expect.poll(() => device.stored.size).toBe(0)
  })

  it('that is left while it is sent is a draft again once it is refused', async () => {
    const device = aDevice()
    const tab = device.aTab()
    const first = await device.open('d', tab)
    first.engine.input('name', '星海')
    const sent = first.engine.event('save', 'click')
    await first.place.close()
    device.answer({ meta: { code: 400, message: '不行' }, data: null })
    await sent
    await pause()

    expect((await device.open('d', tab)).name()).toBe('星海')
  })

  it('that was closed to save memory comes back to its own place, not to that of another', async () => {
    const device = aDevice()
    const tab = device.aTab()
    const other = await device.open()
    const own = await device.open('d', tab)
    other.engine.input('name', '星海')
    own.engine.input('name', '远山')
    own.engine.input('secret', 'x')
    const typed = own.engine.draft()
    await own.place.close()
    await other.place.close()

    const back = await device.open('d', tab, typed)
    back.engine.reset()
    await back.place.close()

    expect(device.stored.size).toBe(1)
    expect(await device.later('d')).toMatchObject({ values: { name: '星海' } })
  })
})

/** A page with a stored name, and further changes that are not stored yet. */
async function halfStored(stored: string, typed: string) {
  const tab = aDevice()
  const opened = await tab.open()
  opened.engine.input('name', stored)
  await tab.pass(300)
  opened.engine.input('name', typed)
  return { tab, ...opened }
}

/** A device that is used more than once. */
function aDevice() {
  const clock = fakeClock()
  const stored = memoryStorage()
  const texts = new Map<string, string>()
  const locks = memoryLocks()
  let isStalled = false
  let lock: string | null = 'A'.repeat(43)
  const page = aPage(
    [
      aWidget('input', 'name'),
      aWidget('input', 'secret', { type: 'password' }),
      aWidget('button', 'save', { on: { click: [{ do: 'save', dsName: 'create' }] } }),
    ],
    { dataSources: [{ uniqueName: 'create', requestURL: '/create', requestMethod: 'post', body: {} }] },
  )
  let answer: (given: Json) => void = () => {}
  const answered = new Promise<Json>((resolve) => {
    answer = resolve
  })
  const aTab = () =>
    createDraftPlaces({
      storage: {
        ...stored,
        set: (key, value) => (isStalled ? new Promise<void>(() => {}) : stored.set(key, value)),
      },
      encryptionKey: () => lock,
      hold: locks.hold,
      syncStorage: createTypedStorage(memoryTexts(texts)),
      clock,
      debounceMs: 300,
      onNotSaved: () => {},
    })
  /** Opens the form, in a tab of its own unless one is given. */
  async function open(name = 'd', places = aTab(), typed?: Draft) {
    const place = await places.take(name, page, typed)
    if (place === undefined) throw new Error('there is no place')
    const draft = typed ?? place.draft
    const { ports } = memoryWorld({ server: () => answered })
    const engine = createEngine({ page, registry, ports, ...(draft ? { draft } : {}) })
    place.watch(engine)
    return { engine, place, name: () => engine.values().name }
  }
  return {
    texts,
    stored: stored.values,
    signIn(key: string | null) {
      lock = key
    },
    /** The answer to what its forms send. */
    answer: (given: Json) => answer(given),
    pass: clock.pass,
    stall() {
      isStalled = true
    },
    aTab,
    open,
    /** Every tab is killed, without another word. */
    kill: locks.endAll,
    /** The draft that is found after that. */
    async later(name: string) {
      locks.endAll()
      return (await open(name)).place.draft
    },
  }
}

/** Names that are held until they are released, or until all tabs end. */
function memoryLocks() {
  const held = new Set<string>()
  return {
    endAll: () => held.clear(),
    async hold(name: string) {
      if (held.has(name)) return null
      held.add(name)
      return async () => void held.delete(name)
    },
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
