import { expect, it } from 'vitest'
import { packed, unpacked } from '../../../src/workbench/play/link.ts'

it('a page in a link is decoded unchanged, and the link needs no escaping', async () => {
  const text = '{\r\n\t"title": "来访登记 😀 + / = &"\r\n}\n'.repeat(40)
  const code = (await packed(text)) ?? ''

  expect(code).toMatch(/^[\w-]+$/)
  expect(code.length).toBeLessThan(400)
  expect(await unpacked(code)).toBe(text)
})

it('a link that is truncated, written by hand, or decompresses without end opens nothing', async () => {
  const code = (await packed('{"widgetList": [], "formConfig": {}}'.repeat(20))) ?? ''
  const bomb = (await packed(' '.repeat(3_000_000))) ?? ''

  expect(bomb).not.toBe('')
  for (const bad of [code.slice(0, -8), 'äöü', '%%%', 'AAAA', bomb]) expect(await unpacked(bad)).toBeNull()
})

it('a page that does not fit into a link is recognised', async () => {
  let seed = 7
  const letter = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return String.fromCharCode(33 + ((seed >>> 16) % 90))
  }
  const noise = Array.from({ length: 60_000 }, letter).join('')

  expect(await packed(noise)).toBeNull()
})
