import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { takeSharedPhotos } from '../../../src/app/card/shared-photos.ts'
import { SHARE_PATH, takeShare } from '../../../src/app/shell-worker/shared.ts'

const SMALL = 'data:image/jpeg;base64,AAAA'
const NOW = 1_700_000_000_000

beforeEach(() => {
  const stores = new Map<string, Map<string, Response>>()
  vi.stubGlobal('caches', {
    open: async (name: string) => {
      const store = stores.get(name) ?? new Map<string, Response>()
      stores.set(name, store)
      return {
        put: async (at: string, what: Response) => void store.set(at, what),
        match: async (at: string) => store.get(at)?.clone(),
        keys: async () => [...store.keys()],
      }
    },
    delete: async (name: string) => stores.delete(name),
  })
})
afterEach(() => vi.unstubAllGlobals())

function share(parts: Readonly<Record<string, string>>, photos: readonly File[] = []): Promise<Response> {
  const body = new FormData()
  for (const [name, value] of Object.entries(parts)) body.append(name, value)
  for (const photo of photos) body.append('photos', photo)
  return takeShare(new Request(`http://127.0.0.1${SHARE_PATH}`, { method: 'POST', body }), NOW)
}
const aPhoto = (name: string, type = 'image/jpeg') => new File(['picture'], name, { type })
const NOTHING = { list: [], unread: 0 }
const taken = (now = NOW) => takeSharedPhotos(now, async () => SMALL)

it('a shared photo waits on the device for the card page, which receives it once', async () => {
  const answer = await share({ title: '名片' }, [aPhoto('王芳 名片.png', 'image/png')])

  expect(answer.status).toBe(303)
  expect(new URLSearchParams(answer.headers.get('Location')?.slice(3))).toEqual(
    new URLSearchParams({ title: '名片', photos: '1' }),
  )
  const photo = { name: '王芳 名片.jpg', size: 3, ext: 'jpg', url: SMALL }
  expect(await taken()).toEqual({ list: [photo], unread: 0 })
  expect(await taken()).toEqual(NOTHING)
})

it('a shared text arrives without photos, and other files are ignored', async () => {
  const answer = await share({ text: '张三 13800138000' }, [aPhoto('合同.pdf', 'application/pdf')])

  expect(answer.headers.get('Location')).toBe(`./?${new URLSearchParams({ text: '张三 13800138000' })}`)
  expect(await taken()).toEqual(NOTHING)
})

it('a card page accepts three photos, and none that are hours old', async () => {
  await share(
    {},
    ['1.jpg', '2.jpg', '3.jpg', '4.jpg'].map((name) => aPhoto(name)),
  )
  expect((await taken()).list).toHaveLength(3)

  await share({}, [aPhoto('昨天.jpg')])
  expect(await taken(NOW + 2 * 3_600_000)).toEqual(NOTHING)
})

it('a photo that the device cannot read is counted beside the others', async () => {
  await share({}, [aPhoto('好的.jpg'), aPhoto('坏的.heic', 'image/heic')])

  const { list, unread } = await takeSharedPhotos(NOW, async ({ type }) =>
    type === 'image/heic' ? null : SMALL,
  )

  expect([list.length, unread]).toEqual([1, 1])
})

it('a shared text arrives even if its photo cannot be stored', async () => {
  vi.stubGlobal('caches', {
    open: async () => ({ put: () => Promise.reject(new DOMException('full', 'QuotaExceededError')) }),
    delete: async () => false,
  })

  const answer = await share({ text: '张三' }, [aPhoto('名片.jpg')])

  expect([answer.status, answer.headers.get('Location')]).toEqual([
    303,
    `./?${new URLSearchParams({ text: '张三' })}`,
  ])
})
