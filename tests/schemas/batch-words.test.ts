import { expect, it } from 'vitest'
import { isObject, type JsonObject } from '../../runtime/core/json.ts'
import { type DerivedWords, derivePage } from '../../src/model/derive-pages.ts'
import { asMerged } from '../../src/model/merge-module.ts'
import { objectsIn, readJson, readProduct, textsIn } from './product-pages.ts'

const { pages } = await readProduct()
const sheetsOf = (name: string) =>
  pages.flatMap(({ document }) =>
    [...objectsIn(document)].filter(({ options }) => isObject(options) && options.name === name),
  )

it('the sheet that gives a record up says it by the word of the button that opened it, such as 放入公海', async () => {
  const sheets = sheetsOf('releaseSheet')
  const labels = (sheet: JsonObject) => [...objectsIn(sheet)].map(({ label }) => label).filter(Boolean)

  expect(sheets.length).toBeGreaterThan(5)
  expect(sheets.flatMap((sheet) => [...textsIn(sheet)].filter((text) => /退回|公海|池/.test(text)))).toEqual(
    [],
  )
  for (const sheet of sheets)
    expect(labels(sheet)).toEqual([
      '{{ data.releaseTitle }}',
      '{{ data.poolWord }}',
      '原因',
      '说明',
      '确认{{ data.releaseTitle }}',
    ])
})

it('the sheet that changes several records says how many', async () => {
  const heads = sheetsOf('patchSheet').map(({ options }) => isObject(options) && options.label)
  const module = asMerged(
    {
      name: 'ticket',
      label: '工单',
      title: 'title',
      behaviours: ['owned'],
      fields: [{ name: 'title', kind: 'text', label: '标题', patch: true }],
    },
    'tenant',
  )
  const texts = await readJson('schemas/text/zh-hans.server.json')
  const words = new Proxy({}, { get: (_, name) => String(name) }) as DerivedWords
  const own = [...objectsIn(derivePage('index', module, words, { isOwn: () => true }))]
    .map(({ options }) => options)
    .filter(isObject)
    .find(({ name }) => name === 'patchSheet')

  expect(new Set(heads)).toEqual(new Set(['批量修改 {{ data.picked | count }} 条']))
  expect(own?.label).toBe('patchHead')
  expect(isObject(texts) && texts['derived.patch-head']).toBe('批量修改 {{ data.picked | count }} 条')
})

it('a question before a deletion says in its title that something is deleted', async () => {
  const asks = pages.flatMap(({ path, document }) =>
    [...objectsIn(document)]
      .filter((one) => one.do === 'confirm' && /^删除|要删除|回收站/.test(String(one.content)))
      .map(({ title }) => ({ path, title })),
  )

  expect(asks.length).toBeGreaterThan(10)
  expect(asks.filter(({ title }) => !/^(确认)?删除/.test(String(title)))).toEqual([])
})
