import type { Draft, Engine } from '../../../runtime/core/engine.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { isObject } from '../../../runtime/core/json.ts'
import type { Page } from '../../../runtime/core/page/page.ts'
import type { Clock } from '../../../runtime/core/ports.ts'
import type { DeviceStorage } from '../storage/device-storage.ts'
import type * as SealRoom from '../storage/seal.ts'
import type { TypedStorage } from '../storage/typed-storage.ts'

export interface Drafts {
  read(key: string): Promise<Draft | undefined>
  remove(key: string): Promise<void>
  /** Saves what is typed into the page, at most `debounceMs` late. */
  watch(key: string, engine: Engine): DraftWatch
  /** Names of all drafts of one owner on this device. */
  of(owner: string): Promise<readonly string[]>
}

interface DraftWatch {
  /** Saves at once. */
  flush(): Promise<void>
  /** Saves everything unsaved synchronously: the tab may close immediately afterwards. */
  keepNow(): void
  /** Saves for the last time. */
  stop(): Promise<void>
}

/** True when the page keeps what is typed until it is saved (PAGE-FORMAT, draft). */
export function keepsDraft(page: Page): boolean {
  return page.settings.draft ?? JSON.stringify(page.document).includes('"do":"submit"')
}

/** Name of a page's draft: of one user in one tenant, for one url. */
export function draftKey(owner: string, url: string): string {
  return `draft:${owner}:${url}`
}

export interface DraftsOptions {
  readonly storage: DeviceStorage
  /** A synchronous store, for the moment before a tab closes; its content is newer. */
  readonly atOnce: TypedStorage
  /** The key that drafts are encrypted with; null while nobody is signed in, and nothing is stored. */
  readonly lock: () => string | null
  readonly seal: () => Promise<typeof SealRoom>
  readonly clock: Clock
  readonly debounceMs: number
  /** The device cannot store: input is lost when the app closes. Reported once. */
  readonly onUnkept: () => void
}

/**
 * Automatic drafts on the Storage port; nothing typed is lost by a killed tab. They are locked with a key that the device forgets
 * at sign-out. Passwords are never stored.
 */
export function createDrafts(options: DraftsOptions): Drafts {
  const { storage, atOnce, clock, debounceMs, onUnkept } = options
  let told = false
  let room: typeof SealRoom | undefined
  const openRoom = async (): Promise<typeof SealRoom> => {
    room ??= await options.seal()
    return room
  }
  const remove = (key: string): Promise<void> => {
    atOnce.remove(key)
    return storage.remove(key)
  }

  async function opened(key: string, saved: Json | undefined): Promise<Json | undefined> {
    // Drafts of an older version were not locked; the next save locks them.
    if (typeof saved !== 'string') return saved
    const lock = options.lock()
    const text = lock === null ? undefined : (await openRoom()).unseal(saved, lock, key)
    return text === undefined ? undefined : (JSON.parse(text) as Json)
  }

  return {
    async read(key) {
      const draft = (await opened(key, atOnce.get(key))) ?? (await opened(key, await storage.get(key)))
      if (!isObject(draft) || !isObject(draft.values) || !isObject(draft.rows)) return undefined
      const { values, rows, base } = draft
      return { values, rows: rows as Draft['rows'], ...(isObject(base) ? { base } : {}) }
    },
    remove,
    of: (owner) => storage.keys(draftKey(owner, '')),
    watch(key, engine) {
      let cancel = () => {}
      let changes = 0
      let saved = 0
      // Whoever opened the page owns what is typed into it, also while it closes because they have left.
      let lock = options.lock()
      void openRoom().catch(() => undefined)
      const locked = (): string | undefined => {
        lock ??= options.lock()
        if (lock === null || room === undefined) return undefined
        const { values, ...more } = engine.draft()
        return room.seal(JSON.stringify({ values: withoutSecrets(values, engine.page), ...more }), lock, key)
      }
      const save = async () => {
        cancel()
        const change = changes
        if (engine.dirty()) {
          await openRoom()
          const text = locked()
          if (text === undefined) return
          await storage.set(key, text)
        } else await storage.remove(key)
        if (storage.lasting()) {
          saved = change
          if (changes === change) atOnce.remove(key)
        }
        if (told || storage.lasting()) return
        told = true
        onUnkept()
      }
      const stopWatching = engine.subscribeScope(() => {
        cancel()
        changes += 1
        cancel = clock.after(debounceMs, () => void save())
      })
      return {
        flush: save,
        keepNow() {
          if (changes === saved) return
          if (!engine.dirty()) return atOnce.remove(key)
          const text = locked()
          if (text !== undefined) atOnce.set(key, text)
        },
        stop: () => {
          stopWatching()
          return save()
        },
      }
    },
  }
}

function withoutSecrets(values: JsonObject, page: Page): JsonObject {
  const secret = (name: string) => {
    const key = page.byName.get(name)
    return key !== undefined && page.nodes.get(key)?.options.type === 'password'
  }
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secret(name)))
}
