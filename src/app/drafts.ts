import type { Draft, Engine } from '../../runtime/core/engine.ts'
import type { JsonObject } from '../../runtime/core/json.ts'
import { isObject } from '../../runtime/core/json.ts'
import type { Page } from '../../runtime/core/page/page.ts'
import type { Clock } from '../../runtime/core/ports.ts'
import type { DeviceStorage } from './device-storage.ts'

export interface Drafts {
  read(key: string): Promise<Draft | undefined>
  remove(key: string): Promise<void>
  /** Saves what is typed into the page, at most `debounceMs` late. The returned function saves at once, or stops for good. */
  watch(
    key: string,
    engine: Engine,
  ): { readonly flush: () => Promise<void>; readonly stop: () => Promise<void> }
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
  readonly clock: Clock
  readonly debounceMs: number
  /** The device cannot store: what is typed lives only as long as the app stays open. Told once. */
  readonly onUnkept: () => void
}

/** Automatic drafts on the Storage port; nothing typed is lost by a killed tab. Passwords are never stored. */
export function createDrafts({ storage, clock, debounceMs, onUnkept }: DraftsOptions): Drafts {
  let told = false
  return {
    async read(key) {
      const saved = await storage.get(key)
      if (!isObject(saved) || !isObject(saved.values) || !isObject(saved.rows)) return undefined
      return { values: saved.values, rows: saved.rows as Draft['rows'] }
    },
    remove: (key) => storage.remove(key),
    watch(key, engine) {
      let cancel = () => {}
      const save = async () => {
        cancel()
        if (!engine.dirty()) return storage.remove(key)
        const { values, rows } = engine.draft()
        await storage.set(key, { values: withoutSecrets(values, engine.page), rows })
        if (told || storage.lasting()) return
        told = true
        onUnkept()
      }
      const stopWatching = engine.subscribeScope(() => {
        cancel()
        cancel = clock.after(debounceMs, () => void save())
      })
      return {
        flush: save,
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
