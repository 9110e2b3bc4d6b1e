import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { pageMaker } from '../../../../src/server/kernel/pages/made-pages.ts'
import type { JsonFile } from '../../../../src/server/kernel/pages/read-files.ts'

const jsonFile = (file: string, content: JsonObject) =>
  ({ file, content, text: JSON.stringify(content) }) as const
const filesOf = (...all: readonly JsonFile[]) => new Map(all.map((one) => [one.file, one]))

const FOOT = jsonFile('foot', { widgetList: [{ type: 'divider', options: { name: 'end' } }] })
const OTHER_FOOT = jsonFile('foot', { widgetList: [{ type: 'divider', options: { name: 'close' } }] })
const PAGE = jsonFile('p.json', { widgetList: [{ fragment: 'foot' }] })
const OTHER_PAGE = jsonFile('p.json', { widgetList: [] })

it('a page is built again only if its text, its references, its route or the available names have changed', () => {
  const judged: string[] = []
  const check = (document: unknown) => {
    judged.push(JSON.stringify(document))
    return []
  }
  const make = (page = PAGE, foot = FOOT, open = false, dictionaries = ['level']) =>
    pageMaker(filesOf(foot), new Map(), check, { dictionaries: new Set(dictionaries) }).make(
      '/pages/p',
      page,
      open,
    )

  const first = make()
  expect(first.document).toEqual({ widgetList: [{ type: 'divider', options: { name: 'end' } }] })
  expect(make()).toBe(first)
  expect(judged).toHaveLength(1)

  expect(JSON.stringify(make(PAGE, OTHER_FOOT).document)).toContain('close')
  expect(make(OTHER_PAGE, OTHER_FOOT).document).toEqual({ widgetList: [] })
  expect([make(PAGE, FOOT, true).page.needLogin, make().page.needLogin]).toEqual([false, true])
  make(PAGE, FOOT, false, ['level', 'source'])
  expect(judged).toHaveLength(6)
})
