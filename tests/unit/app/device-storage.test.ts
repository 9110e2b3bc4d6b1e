import type { IDBPDatabase } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import type { Json } from '../../../runtime/core/json.ts'
import { createDraftPlaces } from '../../../src/app/pages/draft-places.ts'
import { createDeviceStorage } from '../../../src/app/storage/device-storage.ts'
import { openDatabase } from '../../../src/app/storage/open-database.ts'
import { createTypedStorage } from '../../../src/app/storage/typed-storage.ts'
import { aPage, aWidget, registry } from '../../support/a-page.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { memoryWorld } from '../../support/memory-ports.ts'
import { memoryTexts } from '../../support/memory-texts.ts'

describe('values on the device', () => {
  it('survive a restart if the device has storage', async () => {
    const device = aDevice()
    await createDeviceStorage(device.open).set('a', 1)

    expect(await createDeviceStorage(device.open).get('a')).toBe(1)
  })

  it('stay in memory while storage fails, and are written as soon as it works', async () => {
    const device = aDevice()
    const storage = createDeviceStorage(device.open)
    device.full = true

    await storage.set('a', 2)
    const held = [await storage.get('a'), storage.lasting(), device.rows.size]
    device.full = false
    await storage.set('a', 3)

    expect(held).toEqual([2, false, 0])
    expect([storage.lasting(), device.rows.get('a')]).toEqual([true, 3])
  })
})

describe('names of values', () => {
  it.each([
    ['cannot be opened', { open: () => Promise.reject(new Error('refused')) }],
    [
      'refuses at once',
      {
        open: () => {
          throw new Error('refused')
        },
      },
    ],
  ])('are those in memory if the device’s storage %s', async (_, { open }) => {
    vi.stubGlobal('IDBKeyRange', { bound: (from: string) => from })
    const storage = createDeviceStorage(open)
    await storage.set('page:a', 1)
    await storage.set('other', 1)

    expect(await storage.keys('page:')).toEqual(['page:a'])
    vi.unstubAllGlobals()
  })
})

describe('a draft', () => {
  it('is restored from memory on a device without storage, and the user is told once to keep the page open', async () => {
    const device = aDevice()
    device.full = true
    const clock = fakeClock()
    let told = 0
    const drafts = createDraftPlaces({
      storage: createDeviceStorage(device.open),
      syncStorage: createTypedStorage(memoryTexts()),
      encryptionKey: () => 'A'.repeat(43),
      hold: async () => async () => {},
      clock,
      debounceMs: 300,
      onNotSaved: () => {
        told += 1
      },
    })
    const page = aPage([aWidget('input', 'name'), aWidget('input', 'secret', { type: 'password' })])
    const engine = createEngine({ page, registry, ports: memoryWorld().ports })
    const place = await drafts.take('d', page)
    place?.watch(engine)

    engine.input('name', '星')
    engine.input('secret', 'x')
    await place?.flush()
    engine.input('name', '星海')
    await place?.close()

    expect((await drafts.take('d', page))?.draft).toEqual({ values: { name: '星海' }, rows: {} })
    expect(told).toBe(1)
  })
})

describe('the database of a device', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('counts as unable to store while it does not open within three seconds (another tab has an older version)', async () => {
    let opens = (_: IDBPDatabase) => {}
    const opened = new Promise<IDBPDatabase>((resolve) => {
      opens = resolve
    })
    const open = openDatabase(PLAN, () => opened)

    const first = open().then(
      () => 'open',
      () => 'refused',
    )
    await vi.advanceTimersByTimeAsync(3_000)
    const second = open().then(
      () => 'open',
      () => 'refused',
    )
    expect([await first, await second]).toEqual(['refused', 'refused'])
    const database = {} as IDBPDatabase
    opens(database)
    await vi.advanceTimersByTimeAsync(0)

    expect(await open()).toBe(database)
  })

  it('is opened again at the next use after it refused (private mode)', async () => {
    const database = {} as IDBPDatabase
    let tries = 0
    const open = openDatabase(PLAN, async () => {
      tries += 1
      if (tries === 1) throw new DOMException('', 'InvalidStateError')
      return database
    })

    await expect(open()).rejects.toThrow()

    expect([await open(), await open(), tries]).toEqual([database, database, 2])
  })
})

const PLAN = { name: 'test', version: 2, create: () => {} }

/** One table of values; a full one accepts no more. */
function aDevice() {
  const rows = new Map<string, Json>()
  const device = { rows, full: false }
  const database = {
    get: async (_: string, key: string) => rows.get(key),
    async put(_: string, value: Json, key: string) {
      if (device.full) throw new DOMException('', 'QuotaExceededError')
      rows.set(key, value)
    },
    delete: async (_: string, key: string) => rows.delete(key),
  } as unknown as IDBPDatabase
  return Object.assign(device, { open: async () => database })
}
