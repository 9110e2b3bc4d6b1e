import { describe, expect, it } from 'vitest'
import { applyEdit } from '../../../runtime/core/edit/apply-edit.ts'
import type { Edit } from '../../../runtime/core/edit/edit.ts'
import { itemsOf } from '../../../runtime/core/edit/entries.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { recordPlace, recordsIn } from '../../../src/workbench/canvas/records.ts'
import {
  duplicated,
  fromClipboard,
  hidden,
  moved,
  pasted,
  removed,
  toClipboard,
  unwrapped,
  wrapped,
} from '../../../src/workbench/selection.ts'

const field = (name: string): JsonObject => ({ type: 'input', options: { name } })
const group = (name: string, ...widgetList: JsonObject[]): JsonObject => ({
  type: 'cell-group',
  category: 'container',
  options: { name },
  widgetList,
})
const PAGE: Json = {
  widgetList: [field('a'), field('a'), group('g', field('b'), field('c')), field('d')],
  formConfig: {},
}
const done = (edit: Edit | null, document: Json = PAGE): Json => {
  const applied = edit === null ? null : applyEdit(document, edit)
  if (applied === null) throw new Error('it cannot be done')
  expect(applyEdit(applied.document, applied.inverse)?.document).toEqual(document)
  return applied.document
}
const namesOf = (document: Json): string => [...itemsOf(document).values()].map(({ name }) => name).join(' ')

describe('several selected items', () => {
  it('are removed together, including nested ones, and undo restores all', () => {
    expect(namesOf(done(removed(PAGE, ['/a@2', '/a', '/g', '/g/b'])))).toBe('d')
  })

  it('are duplicated after the last of them, under new names', () => {
    expect(namesOf(done(duplicated(PAGE, ['/a', '/d'])))).toBe('a a g b c d a2 d2')
  })

  it('are wrapped in one container at the first index if they are in one list', () => {
    const document = done(wrapped(PAGE, ['/d', '/a'], group('box')))
    expect([...itemsOf(document).keys()]).toEqual(['/box', '/box/a', '/box/d', '/a', '/g', '/g/b', '/g/c'])
    expect(wrapped(PAGE, ['/a', '/g/b'], group('box'))).toBeNull()
  })

  it('move to one place together, even if the path of the target changes without them', () => {
    const twins: Json = { widgetList: [field('a'), group('a', field('b')), field('c')], formConfig: {} }
    const into = { into: '/a@2', slot: 'widgetList', index: 1 } as const
    expect([...itemsOf(done(moved(twins, ['/a', '/c'], into), twins)).keys()]).toEqual([
      '/a',
      '/a/b',
      '/a/a',
      '/a/c',
    ])
    const spot = { into: '', slot: 'widgetList', index: 4 } as const
    expect(namesOf(done(moved(PAGE, ['/a', '/g/c'], spot)))).toBe('a g b d a c')
    expect(moved(PAGE, ['/d'], spot)).toBeNull()
  })

  it('are unwrapped in the place of their container', () => {
    expect([...itemsOf(done(unwrapped(PAGE, '/g'))).keys()]).toEqual(['/a', '/a@2', '/b', '/c', '/d'])
    expect(unwrapped(PAGE, '/d')).toBeNull()
  })

  it('are hidden and shown together; one that is hidden already does not invert the others', () => {
    const one = done(hidden(PAGE, ['/a']))
    const both = done(hidden(one, ['/a', '/d']), one)
    const hiddenIn = (document: Json) =>
      [...itemsOf(document).values()].flatMap(({ key, written }) =>
        (written.options as JsonObject).hidden === true ? [key] : [],
      )
    expect(hiddenIn(both)).toEqual(['/a', '/d'])
    expect(hiddenIn(done(hidden(both, ['/a', '/d']), both))).toEqual([])
  })

  it('are copied to another page as text, under names that are free there', () => {
    const text = toClipboard(PAGE, ['/g', '/g/b', '/d'])
    const other: Json = { widgetList: [field('b')], formConfig: {} }

    expect(namesOf(done(pasted(other, fromClipboard(text), '/b'), other))).toBe('b g b2 c d')
    expect(fromClipboard(JSON.stringify(PAGE))).toHaveLength(4)
    for (const text of ['', '客户', '{"a":1}', '[1]', '[]{']) expect(fromClipboard(text)).toEqual([])
  })
})

describe('the records of a page', () => {
  const page = (requestURL: string, value: string): Json => ({
    formConfig: { dataSources: [{ uniqueName: 'd', requestURL, params: [{ name: 'id', value }] }] },
  })

  it('come from the list whose detail it loads by a parameter', () => {
    expect(recordPlace(page('/mini/customer/detail', 'params.key'))).toEqual({
      param: 'key',
      url: '/mini/customer/list',
    })
    expect(recordPlace(page('/mini/customer/detail', 'user.id'))).toBeNull()
    expect(recordPlace(page('/mini/customer/count', 'params.id'))).toBeNull()
    expect(recordPlace(null)).toBeNull()
  })

  it('are labelled by name, number or title', () => {
    const list = [{ id: 'a', name: '银河' }, { id: 2, payment_no: 'HK-1' }, { id: 'c' }, 'x', { name: '无' }]
    expect(recordsIn({ list })).toEqual([
      { id: 'a', title: '银河' },
      { id: '2', title: 'HK-1' },
      { id: 'c', title: 'c' },
    ])
    expect(recordsIn(null)).toEqual([])
  })
})
