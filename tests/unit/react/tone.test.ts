import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isObject, type Json } from '../../../runtime/core/json.ts'
import { colourOf } from '../../../runtime/react/kit/tone.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface Choice {
  readonly value: string
  readonly color?: string
  readonly icon?: string
}

/** The options of a field of a page. */
function offeredBy(page: string, field: string): readonly Choice[] {
  const found: Choice[][] = []
  const walk = (json: Json): void => {
    if (Array.isArray(json)) json.forEach(walk)
    else if (isObject(json)) {
      if (json.name === field && Array.isArray(json.optionItems)) found.push(json.optionItems as never)
      Object.values(json).forEach((one) => {
        walk(one ?? null)
      })
    }
  }
  walk(JSON.parse(read(`schemas/${page}.json`)))
  return found[0] ?? []
}

describe('a colour chosen for a word', () => {
  const first = read('src/server/flows/dict/default-dicts.json').matchAll(/"color": "([^"]+)"/g)
  const used = new Set([...first].map(([, colour]) => colour))

  const offered = JSON.parse(read('schemas/fragments/choice/colours.json')) as readonly Choice[]

  it('is drawn, as a swatch and as a tag', () => {
    const colours = offered.filter(({ value }) => value !== '')
    expect(colours).toHaveLength(7)
    for (const { value, color } of colours) {
      expect(color).toBe(value)
      expect([value, colourOf(value)]).toEqual([value, value])
    }
  })

  it('can be any colour of a new company', () => {
    const values = new Set(offered.map(({ value }) => value))
    expect(used.size).toBeGreaterThan(4)
    expect([...used].filter((colour) => !values.has(String(colour)))).toEqual([])
  })

  it.each(['pages/admin/dict/detail', 'pages/admin/stage/edit', 'fragments/module/choices'])(
    'is offered by %s',
    (page) => {
      expect(offeredBy(page, 'color')).toEqual([{ fragment: 'choice/colours' }])
    },
  )
})

describe('the icon of a menu', () => {
  const icons = offeredBy('pages/admin/menu/edit', 'icon')

  it('is chosen from existing icons', () => {
    const set = read('runtime/react/kit/icon-set.tsx')
    expect(icons.length).toBeGreaterThan(20)
    for (const { value, icon } of icons) {
      expect(icon).toBe(value)
      expect([value, set.includes(value)]).toEqual([value, true])
    }
  })

  it('is offered for every menu of a new company', () => {
    const menus = JSON.parse(read('src/server/flows/dict/default-menus.json')) as { readonly icon: string }[]
    const offered = new Set(icons.map(({ value }) => value))
    expect(menus.map(({ icon }) => icon).filter((icon) => !offered.has(icon))).toEqual([])
  })
})
