import { expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import type { HttpRequest, Ports } from '../../../runtime/core/ports.ts'
import { packed } from '../../../src/workbench/play/link.ts'
import { saveTyped, startToPlay } from '../../../src/workbench/play/play.ts'

const PAGE = { widgetList: [], formConfig: {} }

function aDevice(): { readonly ports: Pick<Ports, 'http' | 'storage'>; readonly asked: string[] } {
  const kept = new Map<string, Json>()
  const asked: string[] = []
  return {
    asked,
    ports: {
      http: {
        async send({ url }: HttpRequest) {
          asked.push(url)
          return { ok: true, value: { status: 200, headers: {}, data: PAGE } }
        },
        upload: () => Promise.reject(new Error('nothing is sent')),
      },
      storage: {
        get: async (key) => kept.get(key),
        set: async (key, value) => void kept.set(key, value),
        remove: async (key) => void kept.delete(key),
      },
    } as Pick<Ports, 'http' | 'storage'>,
  }
}

it('a link contains its page: opening it sends no request', async () => {
  const { ports, asked } = aDevice()
  const link = (await packed('{ "a": 1 }')) ?? ''

  expect((await startToPlay({ link, path: '/pages/vform/index' }, ports))?.text).toBe('{ "a": 1 }')
  expect(asked).toEqual([])
  expect(await startToPlay({ link: 'cut', path: '/pages/vform/index' }, ports)).toBeNull()
})

it('input is restored after a reload, beside the original; undone input is forgotten', async () => {
  const { ports } = aDevice()
  const start = { link: '', path: '/pages/vform/index' }
  const first = await startToPlay(start, ports)
  if (first === null) throw new Error('no page')
  await saveTyped({ ...first, text: '{ "half' }, ports)

  expect(await startToPlay(start, ports)).toEqual({ ...first, text: '{ "half' })
  await saveTyped(first, ports)
  expect((await startToPlay(start, ports))?.text).toBe(JSON.stringify(PAGE, null, 2))
})
