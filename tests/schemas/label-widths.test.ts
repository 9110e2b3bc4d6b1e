import { expect, it } from 'vitest'
import { pageAt, readProduct } from './product-pages.ts'

const product = await readProduct()

/** Width of a Chinese character of a label, in px. */
const CHARACTER = 15

it('labels of the rules of a pool are one width, which holds each of them on one line', () => {
  const page = pageAt(product, '/pages/admin/pool/edit')
  const beside = [...page.nodes.values()].filter(
    (node) =>
      node.field &&
      node.type !== 'sub-form' &&
      node.option('labelAlign') !== 'top' &&
      node.option('hidden') !== true,
  )
  const usual = Number(page.config.labelWidth ?? 80)
  const words = beside.map((node) => String(node.option('label'))).filter((label) => !label.includes('{{'))

  expect(beside.length).toBeGreaterThan(20)
  expect(new Set(beside.map((node) => node.option('labelWidth') ?? usual))).toEqual(new Set([usual]))
  expect(words.filter((label) => label.length * CHARACTER > usual)).toEqual([])
})
