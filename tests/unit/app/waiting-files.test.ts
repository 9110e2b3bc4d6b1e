import { describe, expect, it } from 'vitest'
import { failure } from '../../../runtime/core/errors.ts'
import type { FileHandle, HttpResponse, Outcome } from '../../../runtime/core/ports.ts'
import { hasWaiting, sendWaiting, storePicture } from '../../../src/app/offline/waiting-files.ts'

const SMALL = 'data:image/jpeg;base64,QUJD'
const picked = (name: string, type: string) => ({
  url: '/engine/web/file/upload',
  file: { name, size: 9, type, handle: new Blob(['x'], { type }) },
})

describe('a picture taken offline', () => {
  it('waits in the form in a smaller size; other files, and pictures that stay too large, do not', async () => {
    const kept = await storePicture(picked('门头.PNG', 'image/png'), async () => SMALL)

    expect(kept).toMatchObject({
      ok: true,
      value: { data: { name: '门头.jpg', size: 3, ext: 'jpg', url: SMALL } },
    })
    expect(await storePicture(picked('合同.pdf', 'application/pdf'), async () => SMALL)).toBeUndefined()
    for (const odd of [null, 'data:text/html;base64,QUJD', `${SMALL}${'A'.repeat(1_500_001)}`])
      expect(await storePicture(picked('大.jpg', 'image/jpeg'), async () => odd)).toBeUndefined()
    const broken = () => Promise.reject(new Error('no picture'))
    expect(await storePicture(picked('坏.jpg', 'image/jpeg'), broken)).toBeUndefined()
  })

  it('is uploaded from any position in a body, and no other value is', async () => {
    const sent: FileHandle[] = []
    const upload = async ({ file }: { readonly file: FileHandle }): Promise<Outcome<HttpResponse>> => {
      sent.push(file)
      return { ok: true, value: { status: 200, headers: {}, data: { data: { id: `f${sent.length}` } } } }
    }
    const body = {
      content: SMALL,
      images: [
        { name: '甲.jpg', url: SMALL },
        { name: '乙.jpg', url: '/engine/web/file/1' },
      ],
      ext: { shot: { name: '丙.jpg', url: SMALL } },
    }

    expect([hasWaiting(body), hasWaiting({ content: SMALL }), hasWaiting(undefined)]).toEqual([
      true,
      false,
      false,
    ])
    expect(await sendWaiting(body, { upload })).toEqual({
      ok: true,
      value: { content: SMALL, images: [{ id: 'f1' }, body.images[1]], ext: { shot: { id: 'f2' } } },
    })
    expect(sent.map(({ name, size, type }) => [name, size, type])).toEqual([
      ['甲.jpg', 3, 'image/jpeg'],
      ['丙.jpg', 3, 'image/jpeg'],
    ])
    const away: Outcome<HttpResponse> = { ok: false, error: failure('NETWORK') }
    expect(await sendWaiting(body, { upload: async () => away })).toEqual(away)
  })
})
