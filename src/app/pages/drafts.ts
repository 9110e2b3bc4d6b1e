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
  /** Saves the page's input, at most `debounceMs` late. */
  watch(key: string, engine: Engine): DraftWatch
  /** Names of all drafts of one owner on this device. */
  of(owner: string): Promise<readonly string[]>
}

interface DraftWatch {
  /** Saves immediately. */
  flush(): Promise<void>
  /** Saves everything unsaved synchronously: the tab may close immediately afterwards. */
  keepNow(): void
  /** Saves for the last time. */
  stop(): Promise<void>
}

/** True if the page keeps its input until it is submitted (PAGE-FORMAT, draft). */
export function keepsDraft(page: Page): boolean {
  return page.settings.draft ?? JSON.stringify(page.document).includes('"do":"submit"')
}

/** The name of a page's draft: one user in one tenant, one url. */
export function draftKey(owner: string, url: string): string {
  return `draft:${owner}:${url}`
}

export interface DraftsOptions {
  readonly storage: DeviceStorage
  /** A synchronous store for the moment before a tab closes; if it has a draft, that one is newer. */
  readonly syncStorage: TypedStorage
  /** The encryption key of drafts; null while nobody is signed in: nothing is stored. */
  readonly encryptionKey: () => string | null
  readonly seal: () => Promise<typeof SealRoom>
  readonly clock: Clock
  readonly debounceMs: number
  /** The device cannot store: input is lost when the app closes. Reported once. */
  readonly onNotSaved: () => void
}

/**
 * Automatic drafts on the Storage port, so that no input is lost with a killed tab. They are encrypted with a key that the device forgets at
 * sign-out. Passwords are never stored.
 */
export function createDrafts(options: DraftsOptions): Drafts {
  const { storage, syncStorage, clock, debounceMs, onNotSaved } = options
  let isReported = false
  let room: typeof SealRoom | undefined
  const openRoom = async (): Promise<typeof SealRoom> => {
    room ??= await options.seal()
    return room
  }
  const remove = (key: string): Promise<void> => {
    syncStorage.remove(key)
    return storage.remove(key)
  }

  async function opened(key: string, saved: Json | undefined): Promise<Json | undefined> {
    // Drafts of an older version were not encrypted; the next save encrypts them.
    if (typeof saved !== 'string') return saved
    const encryptionKey = options.encryptionKey()
    const text = encryptionKey === null ? undefined : (await openRoom()).unseal(saved, encryptionKey, key)
    return text === undefined ? undefined : (JSON.parse(text) as Json)
  }

  return {
    async read(key) {
      const draft = (await opened(key, syncStorage.get(key))) ?? (await opened(key, await storage.get(key)))
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
      // The draft belongs to the user who opened the page, even while it closes because they signed out.
      let encryptionKey = options.encryptionKey()
      void openRoom().catch(() => undefined)
      const locked = (): string | undefined => {
        encryptionKey ??= options.encryptionKey()
        if (encryptionKey === null || room === undefined) return undefined
        const { values, ...more } = engine.draft()
        return room.seal(
          JSON.stringify({ values: withoutSecrets(values, engine.page), ...more }),
          encryptionKey,
          key,
        )
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
          if (changes === change) syncStorage.remove(key)
        }
        if (isReported || storage.lasting()) return
        isReported = true
        onNotSaved()
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
          if (!engine.dirty()) return syncStorage.remove(key)
          const text = locked()
          if (text !== undefined) syncStorage.set(key, text)
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
