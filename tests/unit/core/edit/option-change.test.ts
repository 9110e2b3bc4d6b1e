import { describe, expect, it } from 'vitest'
import { applyEdit } from '../../../../runtime/core/edit/apply-edit.ts'
import type { Edit } from '../../../../runtime/core/edit/edit.ts'
import { optionChange } from '../../../../runtime/core/edit/option-change.ts'
import type { Json } from '../../../../runtime/core/json.ts'

const PAGE: Json = {
  widgetList: [
    { type: 'input', options: { name: 'a', label: '甲' } },
    {
      type: 'cell-group',
      options: { name: 'g' },
      widgetList: [{ type: 'input', options: { name: 'b', label: '乙' } }],
    },
  ],
  formConfig: { page: { title: '页' } },
}
const set = (id: string, path: readonly string[], value: Json): Edit => ({ do: 'set', id, path, value })
const changeOf = (...edits: Edit[]) =>
  optionChange(
    PAGE,
    edits.reduce<Json>((now, edit) => applyEdit(now, edit)?.document ?? now, PAGE),
  )

describe('a change that an open page can show', () => {
  it('is one plain option of one widget, including a new option', () => {
    expect(changeOf(set('/g/b', ['options', 'label'], '丙'))).toEqual({
      at: '/widgetList/1/widgetList/0',
      option: 'label',
      value: '丙',
    })
    expect(changeOf(set('/a', ['options', 'required'], true))).toEqual({
      at: '/widgetList/0',
      option: 'required',
      value: true,
    })
  })

  it('touches nothing that rules, names, placeholders or other widgets depend on', () => {
    for (const edits of [
      [],
      [set('/a', ['options', 'name'], 'c')],
      [set('/a', ['options', 'label'], '{{ data.x }}')],
      [set('/a', ['options', 'visibleOn'], { '==': [1, 1] })],
      [set('/a', ['options', 'label'], '丙'), set('/a', ['options', 'hint'], '丁')],
      [set('/a', ['options', 'label'], '丙'), set('/g/b', ['options', 'label'], '丁')],
      [{ do: 'set', id: '/a', path: ['options', 'label'] }],
      [{ do: 'set', path: ['formConfig', 'page', 'title'], value: '题' }],
      [{ do: 'remove', id: '/a' }],
      [{ do: 'move', id: '/a', spot: { into: '/g', slot: 'widgetList', index: 0 } }],
    ] as Edit[][])
      expect(changeOf(...edits), JSON.stringify(edits)).toBeNull()
    expect(optionChange(PAGE, structuredClone(PAGE))).toBeNull()
  })

  it('has a string, a number or a boolean', () => {
    const to = (value: Json) => changeOf(set('/a', ['options', 'size'], value))
    for (const value of ['x', '', 0, 2, true, false])
      expect(to(value)).toEqual({ at: '/widgetList/0', option: 'size', value })
    for (const value of [null, {}, ['x'], 'a {{b}}', '{{'])
      expect(to(value), JSON.stringify(value)).toBeNull()
  })

  it.each(['name', 'bind', 'dsName', 'defaultValue', 'type', 'keyNameEnabled'])('is not %s', (option) => {
    expect(changeOf(set('/a', ['options', option], 'x'))).toBeNull()
  })

  it('is not deeper in an option, in another kind of part, or in a value that is no page', () => {
    const list = { x: { y: 1 } }
    const choices: Json = [1, { a: 1 }]
    const deep: Json = { options: { list, choices } }
    const of = (options: Json): Json => ({ options })
    for (const [before, after] of [
      [deep, { options: { list: { x: { y: 2 } }, choices } }],
      [deep, { options: { list, choices: [1, { a: 2 }] } }],
      [deep, { options: { list: [1], choices } }],
      [of({}), of([])],
      [of([1]), of({ 0: 1 })],
      [of(null), of({ x: 1 })],
      [of({ x: 1 }), of(null)],
      [of({ x: 1 }), of('text')],
      [[1], [2]],
      [1, 2],
      [null, {}],
      [{}, null],
    ] as [Json, Json][])
      expect(optionChange(before, after), JSON.stringify([before, after])).toBeNull()
    expect(optionChange(of({}), of({ x: 1 }))).toEqual({ at: '', option: 'x', value: 1 })
    expect(optionChange([of({})], [of({ x: 1 })])).toEqual({ at: '/0', option: 'x', value: 1 })
  })
})
