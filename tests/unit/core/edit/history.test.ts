import { describe, expect, it } from 'vitest'
import type { Edit } from '../../../../runtime/core/edit/edit.ts'
import {
  type Editing,
  openText,
  perform,
  readJson,
  redo,
  retype,
  select,
  undo,
} from '../../../../runtime/core/edit/history.ts'

const TEXT = '{"widgetList":[{"type":"input","options":{"name":"a","label":"x"}}],"formConfig":{}}'
/** A function, so that each test opens it itself. */
const opened = (): Editing => select(openText(TEXT) as Editing, '/a')
const label = (value: string, id = '/a'): Edit => ({ do: 'set', id, path: ['options', 'label'], value })
const says = (value: string): string => TEXT.replace('"x"', `"${value}"`)
const title: Edit = { do: 'set', path: ['formConfig', 'title'], value: 't' }

describe('opening a text', () => {
  it('parses JSON, with or without a byte order mark', () => {
    expect(openText(TEXT)).toEqual({
      text: TEXT,
      document: JSON.parse(TEXT),
      selected: null,
      done: [],
      undone: [],
    })
    expect(readJson('\uFEFF[1]')).toEqual([1])
    expect(openText('null')?.document).toBeNull()
    expect(openText('{')).toBeNull()
    expect(readJson('x\uFEFF')).toBeUndefined()
  })
})

describe('performing an edit', () => {
  it('changes text and document, selects the edited item, and adds one step', () => {
    const now = perform(opened(), label('y'))

    expect(now).toMatchObject({
      text: says('y'),
      document: JSON.parse(says('y')),
      selected: '/a',
      undone: [],
    })
    expect(now.done).toEqual([
      {
        edit: label('y'),
        inverse: label('x'),
        text: [{ offset: 61, length: 3, content: '"y"' }],
        textBack: [{ offset: 61, length: 3, content: '"x"' }],
        selectedBefore: '/a',
        selected: '/a',
      },
    ])
    expect(perform(opened(), label('y'), 'typing').done[0]?.group).toBe('typing')
  })

  it('of the page itself selects nothing', () => {
    expect(perform(opened(), title)).toMatchObject({
      selected: null,
      done: [{ selectedBefore: '/a', selected: null }],
    })
  })

  it('that is rejected changes nothing', () => {
    const undone = undo(perform(opened(), label('y')))
    expect(perform(undone, label('z', '/none'))).toBe(undone)
    const typed = perform(opened(), label('y'), 'typing')
    expect(perform(typed, label('z', '/none'), 'typing')).toBe(typed)
  })

  it('that changes nothing adds no step, but clears the redo steps', () => {
    const once = perform(opened(), label('y'))
    const same = perform(undo(perform(once, label('z'))), label('y'))

    expect(same).toEqual({ ...once, undone: [] })
  })
})

describe('edits of one group', () => {
  const typing = () => ['y', 'yy', 'yyy'].reduce((now, one) => perform(now, label(one), 'typing'), opened())

  it('form one step', () => {
    expect(typing().text).toBe(says('yyy'))
    expect(typing().done).toHaveLength(1)
    expect(undo(typing())).toMatchObject({ text: TEXT, selected: '/a', done: [] })
  })

  it('leave no step if they end where they began', () => {
    expect(perform(typing(), label('x'), 'typing')).toEqual(opened())
  })

  it('are separate from edits of other groups, and from edits without a group', () => {
    expect(perform(typing(), label('z'), 'other').done).toHaveLength(2)
    expect(perform(typing(), label('z')).done).toHaveLength(2)
    expect(perform(perform(opened(), label('y')), label('z')).done).toHaveLength(2)
    expect(perform(perform(opened(), label('y')), label('z'), 'typing').done).toHaveLength(2)
  })

  it('are separate after an undo', () => {
    const back = undo(perform(typing(), title))
    expect(perform(back, label('z'), 'typing').done).toHaveLength(2)
  })
})

describe('typing in the text', () => {
  it('updates the page if the text is JSON', () => {
    const now = retype(opened(), says('y')) as Editing

    expect(now).toMatchObject({ text: says('y'), document: JSON.parse(says('y')), selected: '/a' })
    expect(now.done).toEqual([
      {
        edit: { do: 'set', path: [], value: now.document },
        inverse: { do: 'set', path: [], value: opened().document },
        text: [{ offset: 62, length: 1, content: 'y' }],
        textBack: [{ offset: 62, length: 1, content: 'x' }],
        selectedBefore: '/a',
        selected: '/a',
      },
    ])
    expect(undo(now)).toMatchObject({ text: TEXT, document: opened().document, done: [] })
    expect(redo(undo(now))).toEqual(now)
    expect(retype(opened(), '{')).toBeNull()
    const same = opened()
    expect(retype(same, TEXT)).toBe(same)
  })

  it('forms one step per group', () => {
    const once = retype(opened(), says('y'), 'text') as Editing
    const twice = retype(once, says('yy'), 'text') as Editing

    expect(once.done[0]?.group).toBe('text')
    expect(twice.done).toHaveLength(1)
    expect(undo(twice).text).toBe(TEXT)
    expect(retype(once, says('z'), 'other')?.done).toHaveLength(2)
    expect(retype(once, says('z'))?.done).toHaveLength(2)
    expect(retype(retype(opened(), says('y')) as Editing, says('z'))?.done).toHaveLength(2)
    const back = undo(perform(once, title))
    expect(retype(back, says('z'), 'text')).toMatchObject({ done: [{}, {}], undone: [] })
  })
})

describe('undo and redo', () => {
  const both = () =>
    perform(perform(opened(), label('y')), {
      do: 'insert',
      spot: { into: '', slot: 'widgetList', index: 0 },
      item: { type: 'x' },
    })

  it('walk through the steps in order, with the selection of each', () => {
    expect(both().selected).toBe('/x')
    const one = undo(both())
    expect(one).toMatchObject({ text: says('y'), selected: '/a', done: [{}], undone: [{}] })
    const none = undo(one)
    expect(none).toMatchObject({ text: TEXT, selected: '/a', done: [], undone: [{}, {}] })
    expect(redo(none)).toEqual(one)
    expect(redo(redo(none))).toEqual(both())
    expect(redo(redo(select(none, null)))).toEqual(both())
  })

  it('stop at the first and at the last step', () => {
    const [none, all] = [opened(), both()]
    expect(undo(none)).toBe(none)
    expect(redo(all)).toBe(all)
  })

  it('leave a document unchanged to which a step cannot be applied', () => {
    const [step] = undo(both()).undone
    const strange = {
      ...opened(),
      done: [{ ...step, inverse: label('z', '/none') }],
      undone: [{ ...step, edit: label('z', '/none') }],
    } as Editing

    expect(redo(strange)).toBe(strange)
    expect(undo(strange).document).toBe(strange.document)
  })
})
