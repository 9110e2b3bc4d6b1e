import { describe, expect, it } from 'vitest'
import { applyEdit } from '../../../../runtime/core/edit/apply-edit.ts'
import type { Edit, Spot } from '../../../../runtime/core/edit/edit.ts'
import { applyPatch } from '../../../../runtime/core/edit/patch.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'

const input = (name: string, more: JsonObject = {}): JsonObject => ({
  type: 'input',
  options: { name, ...more },
})
const group = (name: string, ...widgetList: JsonObject[]): JsonObject => ({
  type: 'cell-group',
  options: { name },
  widgetList,
})
const EMPTY: JsonObject = { type: 'cell-group', id: 'e', options: { name: 'empty' } }
const DOCUMENT = {
  widgetList: [input('a', { label: '甲' }), group('g', input('b'), input('c')), EMPTY],
  formConfig: { page: { title: '页' }, count: 1 },
}
const spot = (into: string, index: number, slot: Spot['slot'] = 'widgetList'): Spot => ({ into, slot, index })

/** The result, of which both the inverse and the patches must hold. */
function done(edit: Edit, document: Json = DOCUMENT) {
  const applied = applyEdit(document, edit)
  if (applied === null) return null
  expect(JSON.stringify(applyEdit(applied.document, applied.inverse)?.document)).toBe(
    JSON.stringify(document),
  )
  expect(JSON.stringify(applied.patches.reduce(applyPatch, document))).toBe(JSON.stringify(applied.document))
  const { patches, inverse, key } = applied
  return { patches, inverse, key }
}
const document = (edit: Edit, document: Json = DOCUMENT): Json => applyEdit(document, edit)?.document ?? null

describe('setting a value', () => {
  const at = ['widgetList', 0]

  it('changes an item', () => {
    expect(done({ do: 'set', id: '/a', path: ['options', 'label'], value: '乙' })).toEqual({
      patches: [{ do: 'put', path: [...at, 'options', 'label'], value: '乙' }],
      inverse: { do: 'set', id: '/a', path: ['options', 'label'], value: '甲' },
      key: '/a',
    })
    expect(done({ do: 'set', id: '/a', path: ['options', 'name'], value: 'z' })).toMatchObject({
      inverse: { id: '/z' },
      key: '/z',
    })
  })

  it('changes the page', () => {
    const path = ['formConfig', 'page', 'title']
    expect(done({ do: 'set', path, value: '题' })).toEqual({
      patches: [{ do: 'put', path, value: '题' }],
      inverse: { do: 'set', path, value: '页' },
      key: '',
    })
  })

  it('creates the missing objects on its path', () => {
    expect(done({ do: 'set', id: '/a', path: ['options', 'on', 'change', 'x'], value: [] })).toStrictEqual({
      patches: [{ do: 'put', path: [...at, 'options', 'on'], value: { change: { x: [] } } }],
      inverse: { do: 'set', id: '/a', path: ['options', 'on'] },
      key: '/a',
    })
    expect(done({ do: 'set', path: ['new', 'deep', 'x'], value: 1 })?.patches).toEqual([
      { do: 'put', path: ['new'], value: { deep: { x: 1 } } },
    ])
  })

  it('puts a new key at the given index', () => {
    expect(done({ do: 'set', id: '/a', path: ['options', 'hint'], value: '!', place: 0 })?.patches).toEqual([
      { do: 'put', path: [...at, 'options', 'hint'], value: '!', place: 0 },
    ])
  })

  it('without a value removes the key; the inverse restores it at its index', () => {
    expect(done({ do: 'set', id: '/a', path: ['options', 'label'] })).toEqual({
      patches: [{ do: 'drop', path: [...at, 'options', 'label'] }],
      inverse: { do: 'set', id: '/a', path: ['options', 'label'], value: '甲', place: 1 },
      key: '/a',
    })
    expect(done({ do: 'set', id: '/a', path: ['options', 'name'] })).toMatchObject({
      inverse: { id: '/input', place: 0 },
      key: '/input',
    })
    const deep = { a: { b: { c: 1, d: 2 } } }
    expect(done({ do: 'set', path: ['a', 'b', 'c'] }, deep)?.inverse).toMatchObject({ value: 1, place: 0 })
    const nothing: Edit = { do: 'set', id: '/a', path: ['options', 'hint'] }
    expect(done(nothing)).toEqual({ patches: [], inverse: { do: 'all', edits: [] }, key: '/a' })
    expect(document(nothing)).toBe(DOCUMENT)
  })

  it('replaces a whole item, or the whole document', () => {
    const other = { type: 'number', options: { name: 'a' } }
    expect(done({ do: 'set', id: '/a', path: [], value: other })).toEqual({
      patches: [
        { do: 'put', path: [...at, 'type'], value: 'number' },
        { do: 'drop', path: [...at, 'options', 'label'] },
      ],
      inverse: { do: 'set', id: '/a', path: [], value: DOCUMENT.widgetList[0] },
      key: '/a',
    })
    expect(done({ do: 'set', path: [], value: [1] })).toEqual({
      patches: [{ do: 'put', path: [], value: [1] }],
      inverse: { do: 'set', path: [], value: DOCUMENT },
      key: '',
    })
  })

  it.each<Edit>([
    { do: 'set', id: '/none', path: ['type'], value: 'x' },
    { do: 'set', id: '/none', path: ['type'] },
    { do: 'set', id: '/a', path: [] },
    { do: 'set', path: [] },
    { do: 'set', id: '/a', path: [], value: 'text' },
    { do: 'set', id: '/a', path: [], value: [] },
    { do: 'set', path: ['formConfig', 'count', 'x'], value: 1 },
    { do: 'set', path: ['widgetList', 'x'], value: 1 },
    { do: 'set', path: ['widgetList', '0'] },
  ])('is rejected: %j', (edit) => {
    expect(applyEdit(DOCUMENT, edit)).toBeNull()
  })
})

describe('inserting an item', () => {
  it.each([
    [1, 1],
    [-5, 0],
    [99, 3],
  ])('at index %i inserts it at %i', (index, found) => {
    expect(done({ do: 'insert', spot: spot('', index), item: input('x') })).toEqual({
      patches: [{ do: 'insert', list: ['widgetList'], index: found, value: input('x') }],
      inverse: { do: 'remove', id: '/x' },
      key: '/x',
    })
  })

  it('into a container; a neighbour of the same name is numbered after it', () => {
    expect(done({ do: 'insert', spot: spot('/g', 1), item: input('x') })?.key).toBe('/g/x')
    expect(done({ do: 'insert', spot: spot('/g', 2), item: input('b') })?.key).toBe('/g/b@2')
    expect(done({ do: 'insert', spot: spot('/g', 0), item: input('b') })?.key).toBe('/g/b')
  })

  it('into a container without a list creates the list', () => {
    expect(done({ do: 'insert', spot: spot('#e', 7, 'cols'), item: input('x') })).toEqual({
      patches: [{ do: 'put', path: ['widgetList', 2, 'cols'], value: [input('x')] }],
      inverse: { do: 'set', id: '#e', path: ['cols'] },
      key: '#e/x',
    })
    expect(done({ do: 'insert', spot: spot('', 7), item: input('x') }, { formConfig: {} })).toMatchObject({
      inverse: { do: 'set', path: ['widgetList'] },
      key: '/x',
    })
  })

  it('is rejected where no items can be', () => {
    expect(applyEdit(DOCUMENT, { do: 'insert', spot: spot('/none', 0), item: input('x') })).toBeNull()
    expect(applyEdit(null, { do: 'insert', spot: spot('', 0), item: input('x') })).toBeNull()
    expect(applyEdit({ cols: [] }, { do: 'insert', spot: spot('', 0, 'cols'), item: input('x') })).toBeNull()
    expect(applyEdit({}, { do: 'insert', spot: spot('', 0, 'cols'), item: input('x') })).toBeNull()
  })
})

describe('removing an item', () => {
  it('names its container, and undo restores it at its index', () => {
    expect(done({ do: 'remove', id: '/g/c' })).toEqual({
      patches: [{ do: 'take', list: ['widgetList', 1, 'widgetList'], index: 1 }],
      inverse: { do: 'insert', spot: spot('/g', 1), item: input('c') },
      key: '/g',
    })
    expect(done({ do: 'remove', id: '/a' })?.key).toBe('')
    expect(applyEdit(DOCUMENT, { do: 'remove', id: '/none' })).toBeNull()
  })
})

describe('moving an item', () => {
  const move = (id: string, into: string, index: number): Edit => ({
    do: 'move',
    id,
    spot: spot(into, index),
  })

  it('works into a container that follows it', () => {
    expect(done(move('/a', '/g', 1))).toEqual({
      patches: [
        { do: 'take', list: ['widgetList'], index: 0 },
        { do: 'insert', list: ['widgetList', 0, 'widgetList'], index: 1, value: DOCUMENT.widgetList[0] },
      ],
      inverse: {
        do: 'all',
        edits: [
          { do: 'remove', id: '/g/a' },
          { do: 'insert', spot: spot('', 0), item: DOCUMENT.widgetList[0] },
        ],
      },
      key: '/g/a',
    })
  })

  it('counts indexes without the moved item', () => {
    expect(document(move('/g/b', '/g', 1))).toEqual({
      ...DOCUMENT,
      widgetList: [DOCUMENT.widgetList[0], group('g', input('c'), input('b')), EMPTY],
    })
    expect(done(move('/g/b', '', 3))?.key).toBe('/b')
    expect(done(move('#e', '/g', 0))?.key).toBe('#e')
    expect(done(move('/a', '#e', 0))?.key).toBe('#e/a')
  })

  it('leaves containers in other lists where they are', () => {
    const two = {
      widgetList: [group('g', input('x'), input('y')), group('h', group('first'), group('second'))],
    }
    expect(document(move('/g/x', '/h/second', 0), two)).toEqual({
      widgetList: [group('g', input('y')), group('h', group('first'), group('second', input('x')))],
    })
    const three = { widgetList: [group('g', group('in', input('x')), group('last')), input('x')] }
    expect(document(move('/x', '/g/last', 0), three)).toEqual({
      widgetList: [group('g', group('in', input('x')), group('last', input('x')))],
    })
    expect(document(move('/g/in', '/g/last', 0), three)).toEqual({
      widgetList: [group('g', group('last', group('in', input('x')))), input('x')],
    })
    expect(document(move('/g/in/x', '/g/last', 0), three)).toEqual({
      widgetList: [group('g', group('in'), group('last', input('x'))), input('x')],
    })
  })

  it('into its own contents is rejected, even if a neighbour has the same contents', () => {
    const two = { widgetList: [group('g', group('x')), group('h', group('y'))] }
    expect(applyEdit(two, move('/g', '/g/x', 0))).toBeNull()
    expect(applyEdit(DOCUMENT, { do: 'move', id: '/a', spot: spot('', 0, 'cols') })).toBeNull()
  })

  it.each<[string, Edit]>([
    ['into itself', move('/g', '/g', 0)],
    ['into its content', move('/g', '/g/b', 0)],
    ['to a container that is missing', move('/a', '/none', 0)],
    ['of a missing item', move('/none', '', 0)],
  ])('is rejected: %s', (_, edit) => {
    expect(applyEdit(DOCUMENT, edit)).toBeNull()
  })
})

describe('several edits as one', () => {
  const label = (id: string, value: string): Edit => ({ do: 'set', id, path: ['options', 'label'], value })

  it('each address items in the result of the previous one', () => {
    const edits: Edit[] = [{ do: 'set', id: '/a', path: ['options', 'name'], value: 'z' }, label('/z', '乙')]
    expect(done({ do: 'all', edits })).toEqual({
      patches: [
        { do: 'put', path: ['widgetList', 0, 'options', 'name'], value: 'z' },
        { do: 'put', path: ['widgetList', 0, 'options', 'label'], value: '乙' },
      ],
      inverse: {
        do: 'all',
        edits: [label('/z', '甲'), { do: 'set', id: '/z', path: ['options', 'name'], value: 'a' }],
      },
      key: '/z',
    })
  })

  it('are rejected together if one is, and an empty list is rejected', () => {
    expect(applyEdit(DOCUMENT, { do: 'all', edits: [label('/a', '乙'), label('/none', '乙')] })).toBeNull()
    expect(done({ do: 'all', edits: [] })).toEqual({
      patches: [],
      inverse: { do: 'all', edits: [] },
      key: null,
    })
    expect(document({ do: 'all', edits: [] })).toBe(DOCUMENT)
  })
})
