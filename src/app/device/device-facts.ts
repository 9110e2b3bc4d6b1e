import type { TypedStorage } from '../storage/typed-storage.ts'

const DEVICE_ID = '__DC_STAT_UUID'
const MOBILE = /Android|iPhone|SymbianOS|Windows Phone|iPad|iPod/

/** True for a desktop browser (SHELL 2.2, 6). */
export function isPc(userAgent: string): boolean {
  return !MOBILE.test(userAgent)
}

/** True if the browser's data saver is on; not every browser reports it. */
export function savesData(browser: object): boolean {
  const { connection } = browser as { readonly connection?: { readonly saveData?: boolean } }
  return connection?.saveData === true
}

/**
 * The id of this device, created once: milliseconds followed by a random number below 10 000 000 (SHELL 2.2).
 *
 * @param stores  where it is stored: local storage, else session storage
 */
export function readDeviceId(
  stores: readonly TypedStorage[],
  now: () => number,
  random: () => number,
): string {
  const stored = stores.map((store) => store.get(DEVICE_ID)).find((id) => typeof id === 'string' && id !== '')
  const id = typeof stored === 'string' ? stored : `${now()}${Math.floor(random() * 1e7)}`
  for (const store of stores) {
    store.set(DEVICE_ID, id)
    if (store.get(DEVICE_ID) === id) break
  }
  return id
}
