import { isObject, type Json } from '../../../runtime/core/json.ts'
import { type Shrink, storePicture } from '../offline/waiting-files.ts'
import type { SHARED_CACHE } from '../shell-worker/shared.ts'

/** The value of the worker's constant. Importing it at run time would create a chunk that both share, which the worker cannot load. */
const CACHE: typeof SHARED_CACHE = 'shared'

/** Maximum age of shared pictures: older ones may be of another person. */
const MAX_AGE_MS = 3_600_000

interface SharedPhotos {
  readonly list: readonly Json[]
  /** The number of pictures that the device cannot read. */
  readonly unread: number
}

/**
 * The pictures another app shared, in the form of pictures that wait for their upload: they are sent together with their record, also later if there
 * is no network now. Each is returned once.
 */
export async function takeSharedPhotos(now: number, shrink?: Shrink): Promise<SharedPhotos> {
  const cache = await caches.open(CACHE)
  const list: Json[] = []
  let unread = 0
  for (const at of await cache.keys()) {
    const cached = await cache.match(at)
    if (cached === undefined || now - Number(cached.headers.get('X-Shared-At')) > MAX_AGE_MS) continue
    const handle = await cached.blob()
    const name = decodeURIComponent(cached.headers.get('X-Name') ?? '')
    const file = { name, size: handle.size, type: handle.type, handle }
    const outcome = await storePicture({ url: '', file }, shrink)
    if (outcome?.ok && isObject(outcome.value.data)) list.push(outcome.value.data)
    else unread += 1
  }
  await caches.delete(CACHE)
  return { list, unread }
}
