import type { Draft, Engine } from '../../../runtime/core/engine.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { isObject, sameJson } from '../../../runtime/core/json.ts'
import type { Page } from '../../../runtime/core/page/page.ts'
import type { Clock } from '../../../runtime/core/ports.ts'
import type { DeviceStorage } from '../storage/device-storage.ts'
import { seal, unseal } from '../storage/seal.ts'
import type { TypedStorage } from '../storage/typed-storage.ts'
import type { DraftPlace, Drafts } from './drafts.ts'
import { holdName } from './hold-name.ts'

export interface DraftPlacesOptions {
  readonly storage: DeviceStorage
  /** A synchronous store for the moment before a tab closes; if it has a draft, that one is newer. */
  readonly syncStorage: TypedStorage
  /** The encryption key of drafts; null while nobody is signed in: nothing is stored. */
  readonly encryptionKey: () => string | null
  /** Holds a name until its result is called, or until the tab ends; null while another open page holds it. Default: by Web Locks. */
  readonly hold?: (name: string) => Promise<(() => Promise<void>) | null>
  readonly clock: Clock
  readonly debounceMs: number
  /** The device cannot store: input is lost when the app closes. Reported once. */
  readonly onNotSaved: () => void
}

/** Places of one url: as many visits of it can be open at once with a draft of their own. */
const PLACES = 9

/** The first place has the name of the only one of earlier versions. */
const nameOf = (key: string, place: number): string => (place === 1 ? key : `${key} ${place}`)

/**
 * Automatic drafts on the Storage port, so that no input is lost with a killed tab. Each visit has a place of its own, so that two tabs with the same
 * form keep both inputs; a place that nobody holds any more passes its draft on to the next visit. Drafts are encrypted with a key that the device
 * forgets at sign-out. Passwords are never stored.
 */
export function createDraftPlaces(options: DraftPlacesOptions): Pick<Drafts, 'take'> {
  const { storage, syncStorage, hold = holdName } = options
  const report = once(options.onNotSaved)
  /** Places that are being left. */
  let leaving: Promise<unknown> = Promise.resolve()

  function opened(name: string, saved: Json | undefined): Json | undefined {
    // Drafts of an older version were not encrypted; the next save encrypts them.
    if (typeof saved !== 'string') return saved
    const encryptionKey = options.encryptionKey()
    const text = encryptionKey === null ? undefined : unseal(saved, encryptionKey, name)
    return text === undefined ? undefined : (JSON.parse(text) as Json)
  }

  async function read(name: string): Promise<Draft | undefined> {
    const draft = opened(name, syncStorage.get(name)) ?? opened(name, await storage.get(name))
    if (!isObject(draft) || !isObject(draft.values) || !isObject(draft.rows)) return undefined
    const { values, rows, base } = draft
    return { values, rows: rows as Draft['rows'], ...(isObject(base) ? { base } : {}) }
  }

  /** The last place that may have a draft. */
  async function lastUsed(key: string): Promise<number> {
    const stored = new Set(await storage.keys(key))
    const isUsed = (place: number) => {
      const name = nameOf(key, place)
      return stored.has(name) || syncStorage.get(name) !== undefined
    }
    return Array.from({ length: PLACES }, (_, i) => i + 1).findLast(isUsed) ?? 0
  }

  async function find(key: string, isWanted: (draft: Draft | undefined) => boolean) {
    const last = await lastUsed(key)
    let empty: Found | undefined
    for (let place = 1; place <= PLACES && (place <= last || empty === undefined); place += 1) {
      const name = nameOf(key, place)
      const release = await hold(name)
      if (release === null) continue
      const draft = await read(name)
      if (isWanted(draft)) {
        await empty?.release()
        return { name, draft, release }
      }
      if (empty === undefined && draft === undefined) empty = { name, draft, release }
      else await release()
    }
    return empty
  }

  return {
    async take(key, page, typed) {
      await leaving
      const own = typed && { ...typed, values: withoutSecrets(typed.values, page) }
      const isWanted = (draft: Draft | undefined) =>
        draft !== undefined &&
        (own === undefined || sameJson(draft as unknown as Json, own as unknown as Json))
      const found = await find(key, isWanted)
      if (found === undefined) return undefined
      const place = placeFor(found, options, report)
      return {
        ...place,
        close() {
          const left = place.close()
          leaving = Promise.allSettled([leaving, left])
          return left
        },
      }
    },
  }
}

interface Found {
  readonly name: string
  readonly draft: Draft | undefined
  readonly release: () => Promise<void>
}

/** A place that was taken, until it is closed. */
function placeFor(found: Found, options: DraftPlacesOptions, report: () => void): DraftPlace {
  const { storage, syncStorage, clock, debounceMs } = options
  const { name, draft, release } = found
  let watched: Watched | undefined

  function watch(engine: Engine): Watched {
    let cancel = () => {}
    let changes = 0
    let saved = 0
    // The draft belongs to the user who opened the page, even while it closes because they signed out.
    let encryptionKey = options.encryptionKey()
    const locked = (): string | undefined => {
      encryptionKey ??= options.encryptionKey()
      if (encryptionKey === null) return undefined
      const { values, ...more } = engine.draft()
      return seal(
        JSON.stringify({ values: withoutSecrets(values, engine.page), ...more }),
        encryptionKey,
        name,
      )
    }
    const save = async () => {
      cancel()
      const change = changes
      if (engine.dirty()) {
        const text = locked()
        if (text === undefined) return
        await storage.set(name, text)
      } else await storage.remove(name)
      if (storage.lasting()) {
        saved = change
        if (changes === change) syncStorage.remove(name)
      } else report()
    }
    const stopWatching = engine.subscribeScope(() => {
      cancel()
      changes += 1
      cancel = clock.after(debounceMs, () => void save())
    })
    return {
      save,
      keepNow() {
        if (changes === saved) return
        if (!engine.dirty()) return syncStorage.remove(name)
        const text = locked()
        if (text !== undefined) syncStorage.set(name, text)
      },
      stop: () => {
        stopWatching()
        return save()
      },
      sending: engine.sending,
    }
  }

  return {
    draft,
    remove() {
      syncStorage.remove(name)
      return storage.remove(name)
    },
    watch(engine) {
      watched = watch(engine)
    },
    flush: async () => watched?.save(),
    keepNow: () => watched?.keepNow(),
    close: async () => {
      const end = () => (watched?.stop() ?? Promise.resolve()).finally(release)
      const sending = watched?.sending()
      if (!sending) return end()
      // A form that is left while it is sent keeps its place until the answer: what is stored then is no draft of the next visit.
      void sending.then(end, end)
      await watched?.save()
    },
  }
}

interface Watched {
  save(): Promise<void>
  keepNow(): void
  stop(): Promise<void>
  readonly sending: Engine['sending']
}

function once(task: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) task()
    isDone = true
  }
}

function withoutSecrets(values: JsonObject, page: Page): JsonObject {
  const secret = (name: string) => {
    const key = page.byName.get(name)
    return key !== undefined && page.nodes.get(key)?.options.type === 'password'
  }
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secret(name)))
}
