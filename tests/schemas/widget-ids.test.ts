import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { itemsOf } from '../../runtime/core/edit/entries.ts'
import { mergePages } from '../../runtime/core/edit/merge-pages.ts'
import { applyPatch } from '../../runtime/core/edit/patch.ts'
import type { Json } from '../../runtime/core/json.ts'
import { idsOf, pageTexts, widgetsOf, withIds } from '../../src/tools/widget-ids.ts'

const texts = await pageTexts(join(import.meta.dirname, '../../schemas'))

/** The same page with one option of a widget set. */
const set = (page: Json, path: readonly (string | number)[], option: string, to: string): Json =>
  applyPatch(page, { do: 'put', path: [...path, 'options', option], value: to })

describe('ids of the product’s widgets', () => {
  it.each([...texts])('exist for every widget of %s', (_, text) => {
    const without = widgetsOf(JSON.parse(text)).filter(({ written: { id } }) => typeof id !== 'string')

    expect(without.map(({ path }) => path.join('/'))).toEqual([])
  })

  it('are unique in all pages and fragments together', () => {
    const all = [...texts.values()].flatMap(idsOf)

    expect(all.length).toBeGreaterThan(3_000)
    expect(all.filter((id, at) => all.indexOf(id) !== at)).toEqual([])
  })

  it('never change: a widget with an id keeps it, and another receives one at its place in the text', () => {
    const taken = new Set(['input00001'])
    const text =
      '{ "widgetList": [\n  {\n    "type": "input",\n    "options": { "name": "a" }\n  },\n  { "type": "line", "id": "mine", "widgetList": [{ "type": "cell", "options": {} }] }\n] }\n'

    const given = withIds('pages/a.json', text, taken)
    const [input, cell] = [...taken].slice(1)

    expect(given).toBe(
      `{ "widgetList": [\n  {\n    "type": "input",\n    "id": "${input}",\n    "options": { "name": "a" }\n  },\n  { "type": "line", "id": "mine", "widgetList": [{ "type": "cell", "id": "${cell}", "options": {} }] }\n] }\n`,
    )
    expect([input, cell]).toEqual([
      expect.stringMatching(/^input\d{5}$/),
      expect.stringMatching(/^cell\d{5}$/),
    ])
    expect(withIds('pages/a.json', given, taken)).toBe(given)
  })

  it('keep a tenant’s change of a widget that the product’s next version renames', () => {
    const page = JSON.parse(texts.get('pages/customer/my/detail.json') ?? '')
    const lost = [...itemsOf(page).values()].flatMap(({ at, written: { type, options } }) => {
      if (typeof type !== 'string' || options === undefined) return []
      const path = at
        .slice(1)
        .split('/')
        .map((step) => (/^\d+$/.test(step) ? Number(step) : step))
      const ours = set(page, path, 'customClass', 'of-the-tenant')
      const next = set(page, path, 'name', 'renamed')
      const { document, conflicts } = mergePages(page, ours, next)
      const kept = JSON.stringify(document)
      return kept.includes('"renamed"') && kept.includes('of-the-tenant') && conflicts.length === 0
        ? []
        : [at]
    })

    expect(lost).toEqual([])
  })
})
