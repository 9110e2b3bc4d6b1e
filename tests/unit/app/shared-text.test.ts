import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parsePlace } from '../../../src/app/navigation/routes.ts'
import { SHARE_PATH } from '../../../src/app/shell-worker/shared.ts'
import { sharedPlace } from '../../../src/app/words/shared-text.ts'

const shared = (parts: Record<string, string>) => {
  const place = sharedPlace(`?${new URLSearchParams(parts)}`, '/pages/customer/card')
  return place === null ? null : parsePlace(place)
}

it('a shared text reaches the card page complete', () => {
  const text = '张三 采购经理\n深圳市 A&B 科技有限公司\n13800138000'

  expect(shared({ text })).toEqual({ path: '/pages/customer/card', query: { text } })
  expect(shared({ title: '某人的名片', url: 'https://a.cn/?x=1' })?.query).toEqual({
    text: '某人的名片\nhttps://a.cn/?x=1',
  })
})

it('shared pictures are announced with or without a text', () => {
  expect(shared({ text: '张三', photos: '2' })?.query).toEqual({ text: '张三', photos: '2' })
  expect(shared({ photos: '1' })?.query).toEqual({ photos: '1' })
  expect(shared({ photos: 'x' })).toBeNull()
})

it('the card page can say that nothing arrived', () => {
  expect(shared({ lost: '1' })).toEqual({ path: '/pages/customer/card', query: { lost: '1' } })
  expect(shared({ lost: 'x' })).toBeNull()
})

it('the app opens as usual without a text, and an endless text is truncated', () => {
  expect(shared({})).toBeNull()
  expect(shared({ text: ' \n ' })).toBeNull()
  expect(shared({ text: 'x'.repeat(5_000) })?.query).toEqual({ text: 'x'.repeat(3_000) })
  expect(shared({ text: `x${'😀'.repeat(2_000)}` })?.query.text).toBe(`x${'😀'.repeat(1_499)}\ufffd`)
})

it('the manifest names the fields that the share target reads', () => {
  const manifest = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../src/app/public/app.webmanifest'), 'utf8'),
  )

  expect(manifest.share_target).toEqual({
    action: `.${SHARE_PATH}`,
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      title: 'title',
      text: 'text',
      url: 'url',
      files: [{ name: 'photos', accept: ['image/jpeg', 'image/png', '.jpg', '.jpeg', '.png'] }],
    },
  })
})
