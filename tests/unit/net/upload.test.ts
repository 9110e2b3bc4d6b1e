import { describe, expect, it } from 'vitest'
import type { HttpResponse, Outcome, UploadRequest } from '../../../runtime/core/ports.ts'
import { createUploader, PARALLEL_UPLOADS } from '../../../runtime/net/upload.ts'

const answer: Outcome<HttpResponse> = { ok: true, value: { status: 200, headers: {}, data: { url: '/f' } } }

describe('uploads', () => {
  it('run at most five at once, the others wait in order', async () => {
    const wire = aWire()
    const { upload } = createUploader(wire.transfer)

    const all = Array.from({ length: 12 }, (_, index) => upload(aFile(`${index}`)))
    const most: number[] = []
    while (wire.open.length > 0) {
      most.push(wire.open.length)
      wire.open.shift()?.finish(answer)
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    await Promise.all(all)

    expect(Math.max(...most)).toBe(PARALLEL_UPLOADS)
    expect(wire.names).toEqual(Array.from({ length: 12 }, (_, index) => `${index}`))
  })

  it('continue after a failed one', async () => {
    const { upload } = createUploader(async (request) =>
      request.file.name === '0' ? { ok: false, error: { code: 'NETWORK', message: 'gone' } } : answer,
    )

    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, index) => upload(aFile(`${index}`))))

    expect(outcomes.map((one) => one.ok)).toEqual([false, ...Array<boolean>(7).fill(true)])
  })

  it('report a progress of at most one below 100 until the server has answered', async () => {
    const seen: number[] = []
    const { upload } = createUploader(async (request) => {
      request.onProgress?.(33.4)
      request.onProgress?.(100)
      return answer
    })

    await upload({ ...aFile('a'), onProgress: (percent) => seen.push(percent) })

    expect(seen).toEqual([33, 99, 100])
  })

  it('never reach 100 when they fail', async () => {
    const seen: number[] = []
    const { upload } = createUploader(async (request) => {
      request.onProgress?.(100)
      return { ok: false, error: { code: 'NETWORK', message: 'gone' } }
    })

    await upload({ ...aFile('a'), onProgress: (percent) => seen.push(percent) })

    expect(seen).toEqual([99])
  })

  it('are not sent if they were aborted in the queue', async () => {
    const wire = aWire()
    const { upload } = createUploader(wire.transfer)
    const controller = new AbortController()
    const running = Array.from({ length: 5 }, (_, index) => upload(aFile(`${index}`)))

    const waiting = upload({ ...aFile('late'), signal: controller.signal })
    controller.abort()
    for (const one of wire.open) one.finish(answer)
    await Promise.all(running)

    expect(await waiting).toMatchObject({ ok: false, error: { code: 'ABORTED', status: 600003 } })
    expect(wire.names).not.toContain('late')
  })
})

function aFile(name: string): UploadRequest {
  return { url: '/upload', file: { name, size: 1, type: 'image/png', handle: null } }
}

function aWire() {
  const open: { finish: (outcome: Outcome<HttpResponse>) => void }[] = []
  const names: string[] = []
  const transfer = (request: UploadRequest) =>
    new Promise<Outcome<HttpResponse>>((finish) => {
      names.push(request.file.name)
      open.push({ finish })
    })
  return { open, names, transfer }
}
