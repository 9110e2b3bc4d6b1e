import { expect, it } from 'vitest'
import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'
import { type DerivedWords, derivePage } from '../../src/model/derive-pages.ts'
import type { ModuleDescription } from '../../src/model/description.ts'
import { asMerged } from '../../src/model/merge-module.ts'
import { objectsIn, readProduct, sourcesOf } from './product-pages.ts'

const TICKET: ModuleDescription = {
  name: 'ticket',
  label: '工单',
  title: 'title',
  behaviours: ['owned', 'pool', 'recycle'],
  fields: [{ name: 'title', kind: 'text', label: '标题', required: true }],
}
const WORDS = new Proxy({}, { get: (_, name) => String(name) }) as DerivedWords
const derived = (['index', 'pool'] as const).map((page) => ({
  path: `/pages/m/ticket/${page}`,
  document: derivePage(page, asMerged(TICKET, 'tenant'), WORDS, { isOwn: () => true }),
}))

/** A tap on it begins the choice of rows, which takes it away. */
const begins = (widget: Json): boolean =>
  isObject(widget) &&
  isObject(widget.options) &&
  JSON.stringify(widget.options.on ?? null).startsWith('{"click":[{"do":"set","data":"picked","value":[]}')

/** A widget that appears with the choice. */
const comes = ({ options }: JsonObject): boolean =>
  isObject(options) &&
  JSON.stringify(options.visibleOn ?? null).includes('{"!=":[{"var":"data.picked"},null]}')

it('nothing comes to stand where 多选 was: a second tap there does nothing', async () => {
  const { pages } = await readProduct()
  const lists = [...pages, ...derived].flatMap(({ path, document }) => {
    const lines = [...objectsIn(document)].flatMap(({ widgetList }) =>
      Array.isArray(widgetList) && widgetList.some(begins) ? [widgetList.filter(isObject)] : [],
    )
    // Lines end at the right: what is after 多选 stays where it is when 多选 goes. Bars are at the other end of the window.
    const before = lines.map((widgets) => widgets.findIndex(begins))
    const come = [...objectsIn(document)].filter((one) => comes(one) && one.type !== 'action-bar')
    return lines.length === 0 ? [] : [{ path, before, come: come.map(({ options }) => options) }]
  })

  expect(lists.length).toBeGreaterThan(10)
  expect(lists.filter(({ before, come }) => before.some((n) => n > 0) || come.length > 0)).toEqual([])
})

it('whoever gives away a whole list is told how many it holds, in its tab and with its search and filters', async () => {
  const { pages } = await readProduct()
  const lists = [...pages, ...derived]
    .filter(({ document }) => JSON.stringify(document).includes('"name":"allButton"'))
    .map((page) => {
      const found = sourcesOf(page).find(({ uniqueName }) => uniqueName === 'found')
      const many = sourcesOf(page).find(({ requestURL }) => /transfer(\{\{|\/many)/.test(String(requestURL)))
      const filters = (source: JsonObject | undefined) =>
        JSON.stringify([...objectsIn(source?.body)].map((one) => one.filters).filter(Boolean))
      const button = [...objectsIn(page.document)].find(({ name }) => name === 'allButton')
      return {
        path: page.path,
        counts: isObject(found?.body) && found.body.withTotal === true,
        same: filters(found) === filters(many),
        asks: JSON.stringify(button?.on).includes('"dsName":"found"'),
      }
    })

  expect(lists.map(({ path }) => path)).toContain('/pages/customer/my/index')
  expect(lists.length).toBe(4)
  expect(lists.filter(({ counts, same, asks }) => !counts || !same || !asks)).toEqual([])
})
