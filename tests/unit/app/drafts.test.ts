import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import { createDrafts } from '../../../src/app/pages/drafts.ts'
import * as sealRoom from '../../../src/app/storage/seal.ts'
import { createTypedStorage } from '../../../src/app/storage/typed-storage.ts'
import { aPage, aWidget, registry } from '../../support/a-page.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { memoryWorld } from '../../support/memory-ports.ts'
import { memoryStorage } from '../../support/memory-storage.ts'
import { memoryTexts } from '../../support/memory-texts.ts'

describe('a tab that is closed', () => {
  it('keeps the last keystrokes, even if the device had no time to store them', async () => {
    const { tab, engine, watcher } = await halfStored('星', '星海')
    engine.input('secret', 'x')

    watcher.keepNow()

    expect(await tab.next().drafts.read('d')).toEqual({ values: { name: '星海' }, rows: {} })
  })

  it('keeps the last keystrokes while a write is still running', async () => {
    const tab = aDevice()
    const { engine, watcher } = tab.open()
    await pause()
    tab.stall()
    engine.input('name', '星海')
    void watcher.flush()

    watcher.keepNow()

    expect(await tab.next().drafts.read('d')).toEqual({ values: { name: '星海' }, rows: {} })
  })

  it('restores them on the next visit: later input wins, and the earlier draft is gone', async () => {
    const tab = aDevice()
    const { engine, watcher } = tab.open()
    engine.input('name', '星')
    watcher.keepNow()

    engine.input('name', '星海')
    await tab.pass(300)

    expect(await tab.next().drafts.read('d')).toEqual({ values: { name: '星海' }, rows: {} })
    expect(tab.texts.size).toBe(0)
  })

  it('writes nothing if everything is stored, nothing was typed, or all input was undone', async () => {
    const tab = aDevice()
    const { engine, watcher } = tab.open()
    watcher.keepNow()
    engine.input('name', '星海')
    await tab.pass(300)
    watcher.keepNow()
    engine.reset()
    watcher.keepNow()

    expect(tab.texts.size).toBe(0)
  })
})

describe('a draft on a shared device', () => {
  it('is encrypted everywhere, and only its owner can decrypt it', async () => {
    const { tab, watcher } = await halfStored('星海科技', '星海科技二')
    await pause()
    watcher.keepNow()

    const lying = JSON.stringify([...tab.stored, ...tab.texts])
    tab.signIn(null)
    const signedOut = await tab.next().drafts.read('d')
    tab.signIn('B'.repeat(43))
    const other = await tab.next().drafts.read('d')
    tab.signIn('A'.repeat(43))

    expect(lying).not.toContain('星海')
    expect([signedOut, other]).toEqual([undefined, undefined])
    expect(await tab.next().drafts.read('d')).toEqual({ values: { name: '星海科技二' }, rows: {} })
  })

  it('cannot be swapped with another draft', async () => {
    const tab = aDevice()
    const { engine, watcher } = tab.open()
    engine.input('name', '星海科技')
    await watcher.flush()

    tab.stored.set('elsewhere', tab.stored.get('d') ?? null)

    expect(await tab.next().drafts.read('elsewhere')).toBeUndefined()
  })

  it('is encrypted for the user who opened the page, even if the page closes after they signed out', async () => {
    const tab = aDevice()
    const { engine, watcher } = tab.open()
    engine.input('name', '星海科技')
    tab.signIn(null)

    await watcher.stop()
    tab.signIn('A'.repeat(43))

    expect(await tab.next().drafts.read('d')).toEqual({ values: { name: '星海科技' }, rows: {} })
  })

  it('that an older version stored unencrypted can still be read', async () => {
    const tab = aDevice()
    tab.stored.set('d', { values: { name: '星' }, rows: {} })

    expect(await tab.next().drafts.read('d')).toEqual({ values: { name: '星' }, rows: {} })
  })
})

it('is deleted from both stores when it is discarded', async () => {
  const { tab, watcher, drafts } = await halfStored('星海', '星海科技')
  watcher.keepNow()

  await drafts.remove('d')

  expect(await tab.next().drafts.read('d')).toBeUndefined()
})

/** A page with a stored name, and further changes that are not stored yet. */
async function halfStored(stored: string, typed: string) {
  const tab = aDevice()
  const opened = tab.open()
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
  let isStalled = false
  let lock: string | null = 'A'.repeat(43)
  const visit = () =>
    createDrafts({
      storage: {
        ...stored,
        set: (key, value) => (isStalled ? new Promise<void>(() => {}) : stored.set(key, value)),
        lasting: () => true,
        keys: async (prefix) => [...stored.values.keys()].filter((key) => key.startsWith(prefix)),
      },
      encryptionKey: () => lock,
      seal: async () => sealRoom,
      syncStorage: createTypedStorage(memoryTexts(texts)),
      clock,
      debounceMs: 300,
      onNotSaved: () => {},
    })
  return {
    texts,
    stored: stored.values,
    signIn(key: string | null) {
      lock = key
    },
    pass: clock.pass,
    stall() {
      isStalled = true
    },
    next: () => ({ drafts: visit() }),
    open() {
      const drafts = visit()
      const engine = createEngine({
        page: aPage([aWidget('input', 'name'), aWidget('input', 'secret', { type: 'password' })]),
        registry,
        ports: memoryWorld().ports,
      })
      return { drafts, engine, watcher: drafts.watch('d', engine) }
    },
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
