import { expect, it } from 'vitest'
import { isObject } from '../../runtime/core/json.ts'
import { objectsIn, readProduct } from './product-pages.ts'

/** The name of a record, at the top of its page. */
const NAME = /^\{\{ data\.detail\.record\.(name|title) \}\}$/
const HEAD_PX = 20

it('the list of pages tells pages of one title apart, in a table that shows nothing but their names', async () => {
  const { pages } = await readProduct()
  const list = pages.find(({ path }) => path === '/pages/admin/page/index')
  const names = [...objectsIn(list?.document)].filter(({ primary }) => primary === true)

  expect(names.map(({ text }) => text)).toEqual(['{{ row.title }}\n{{ row.path }}'])
})

it('a record’s head shows its complete name, at any size of text', async () => {
  const { pages } = await readProduct()
  const heads = pages.flatMap(({ path, document }) =>
    [...objectsIn(document)]
      .map(({ options }) => options)
      .filter(isObject)
      .filter((one) => NAME.test(String(one.textContent)) && parseInt(String(one.fontSize), 10) >= HEAD_PX)
      .map(({ maxLines = null }) => ({ path, maxLines })),
  )

  expect(heads.length).toBeGreaterThan(8)
  expect(heads.filter(({ maxLines }) => maxLines !== null)).toEqual([])
})
