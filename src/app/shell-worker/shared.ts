/** Target of other apps' shares (the manifest's `share_target`), answered by the worker alone. */
export const SHARE_PATH = '/share'
/** Cache of shared pictures, until a page takes them. */
export const SHARED_CACHE = 'shared'
/** The maximum number of pictures that a card takes. */
const MAX_SHARED = 3

const sharedAt = (index: number): string => `./shared-photo/${index}`

/** Stores the shared pictures and redirects into the app, which reads the rest from its url. Also redirects if the pictures cannot be stored. */
export async function takeShare(request: Request, now: number): Promise<Response> {
  const form = await request.formData().catch(() => new FormData())
  const photos = form
    .getAll('photos')
    .filter((one): one is File => typeof one !== 'string' && one.type.startsWith('image/'))
    .slice(0, MAX_SHARED)
  const areStored = await storePhotos(photos, now).then(
    () => true,
    () => false,
  )
  const query = new URLSearchParams()
  for (const part of ['title', 'text', 'url']) {
    const value = form.get(part)
    if (typeof value === 'string' && value !== '') query.set(part, value)
  }
  if (areStored && photos.length > 0) query.set('photos', String(photos.length))
  return new Response(null, { status: 303, headers: { Location: `./?${query}` } })
}

async function storePhotos(photos: readonly File[], now: number): Promise<void> {
  await caches.delete(SHARED_CACHE)
  const cache = await caches.open(SHARED_CACHE)
  for (const [index, photo] of photos.entries()) {
    const headers = {
      'Content-Type': photo.type,
      'X-Name': encodeURIComponent(photo.name),
      'X-Shared-At': String(now),
    }
    await cache.put(sharedAt(index), new Response(photo, { headers }))
  }
}
