import type { Draft, Engine } from '../../runtime/core/engine.ts'
import type { JsonObject } from '../../runtime/core/json.ts'
import { isObject } from '../../runtime/core/json.ts'
import type { Page } from '../../runtime/core/page/page.ts'
import type { Clock } from '../../runtime/core/ports.ts'
import type { DeviceStorage } from './device-storage.ts'
import type { TypedStorage } from './typed-storage.ts'

export interface Drafts {
  read(key: string): Promise<Draft | undefined>
  remove(key: string): Promise<void>
  /** Saves what is typed into the page, at most `debounceMs` late. */
  watch(key: string, engine: Engine): DraftWatch
}

export interface DraftWatch {
  /** Saves at once. */
  flush(): Promise<void>
  /** Writes what is not saved yet before it returns: the tab may be gone the moment after. */
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
  /** A store that has written when it returns, for the moment before a tab is gone; what it holds is newer. */
  readonly atOnce: TypedStorage
  readonly clock: Clock
  readonly debounceMs: number
  /** The device cannot store: what is typed lives only as long as the app stays open. Told once. */
  readonly onUnkept: () => void
}

/** Automatic drafts on the Storage port; nothing typed is lost by a killed tab. Passwords are never stored. */
export function createDrafts({ storage, atOnce, clock, debounceMs, onUnkept }: DraftsOptions): Drafts {
  let told = false
  const remove = (key: string): Promise<void> => {
    atOnce.remove(key)
    return storage.remove(key)
  }
  return {
    async read(key) {
      const saved = atOnce.get(key) ?? (await storage.get(key))
      if (!isObject(saved) || !isObject(saved.values) || !isObject(saved.rows)) return undefined
      return { values: saved.values, rows: saved.rows as Draft['rows'] }
    },
    remove,
    watch(key, engine) {
      let cancel = () => {}
      let changes = 0
      let saved = 0
      const typed = (): JsonObject => {
        const { values, rows } = engine.draft()
        return { values: withoutSecrets(values, engine.page), rows }
      }
      const save = async () => {
        cancel()
        const change = changes
        await (engine.dirty() ? storage.set(key, typed()) : storage.remove(key))
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
          if (engine.dirty()) atOnce.set(key, typed())
          else atOnce.remove(key)
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
