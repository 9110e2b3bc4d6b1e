import { isObject, type Json } from '../../../runtime/core/json.ts'
import type { DeviceStorage } from '../storage/device-storage.ts'

/** The page documents on the device, one entry each: a start reads only those it shows, and a change writes only one. */
export interface SavedPages {
  /** The signed-in user's version of the page; undefined if there is none. */
  read(path: string): Promise<Json | undefined>
  save(path: string, document: Json): Promise<void>
  /** The etag of all pages as of the last time that every one of them was saved; undefined: never for this user. */
  completeAs(): Promise<string | undefined>
  /** Every page of this etag has been saved. Remembered only if the device really stores what it is given. */
  complete(etag: string): Promise<void>
  clear(): Promise<void>
}

const PAGE = 'page:'
const COMPLETE = 'pages'
/** Earlier versions saved all documents, by path, in the entry of the complete set; its first etag replaces them. */
const EARLIER = 'documents'

/** @param owner  tenant and user at the time of the call */
export function createSavedPages(storage: DeviceStorage, owner: () => string): SavedPages {
  let turn: Promise<void> = Promise.resolve()
  let cleared = turn
  /** Writes happen in the order of their calls: what the next user saves is not removed with what the last one left. */
  function inTurn(write: () => Promise<void>): Promise<void> {
    turn = turn.then(write)
    return turn
  }
  async function own(key: string, name: string): Promise<Json | undefined> {
    await cleared
    const saved = await storage.get(key)
    return isObject(saved) && saved.owner === owner() ? saved[name] : undefined
  }
  return {
    async read(path) {
      const document = await own(PAGE + path, 'document')
      if (document !== undefined) return document
      const earlier = await own(COMPLETE, EARLIER)
      return isObject(earlier) && Object.hasOwn(earlier, path) ? earlier[path] : undefined
    },
    save(path, document) {
      const entry = { owner: owner(), document }
      return inTurn(() => storage.set(PAGE + path, entry))
    },
    async completeAs() {
      const etag = await own(COMPLETE, 'etag')
      return typeof etag === 'string' ? etag : undefined
    },
    complete(etag) {
      const entry = { owner: owner(), etag }
      return inTurn(async () => {
        if (storage.lasting()) await storage.set(COMPLETE, entry)
      })
    },
    clear() {
      cleared = inTurn(async () => {
        await storage.remove(COMPLETE) // first: without it, an interrupted removal only means that all are loaded again
        for (const key of await storage.keys(PAGE)) await storage.remove(key)
      })
      return cleared
    },
  }
}
