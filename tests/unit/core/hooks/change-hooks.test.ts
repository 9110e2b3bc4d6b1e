import { describe, expect, it } from 'vitest'
import { changeHooks } from '../../../../runtime/core/hooks/change-hooks.ts'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { createModel } from '../../../../runtime/core/model/model.ts'
import { aPage, aSubForm, aWidget } from '../../../support/a-page.ts'

describe('changeHooks', () => {
  it('returns the field hook first, then the form hook', () => {
    const model = aModel([aWidget('input', 'a', { onChange: ';' })], { onFormDataChange: ';' })

    expect(changeHooks(model, { key: 'a', value: 'n', before: 'o' })).toEqual([
      { hook: 'onChange', key: 'a', args: ['n', 'o', null, null] },
      { hook: 'onFormDataChange', key: '', args: ['a', 'n', 'o', null, '', -1] },
    ])
  })

  it('names the sub-form and the row of a row field', () => {
    const model = aModel([aSubForm('s', [aWidget('input', 'x', { onChange: ';' })])], {
      onFormDataChange: ';',
    })
    const id = model.rowIds('s')[0] ?? ''

    expect(changeHooks(model, { key: `x@row${id}`, value: 1, before: null })).toEqual([
      { hook: 'onChange', key: `x@row${id}`, args: [1, null, null, id] },
      { hook: 'onFormDataChange', key: '', args: ['x', 1, null, null, 's', 0] },
    ])
  })

  it('omits hooks without code, including blank ones', () => {
    const model = aModel([aWidget('input', 'a', { onChange: ' \n ' })])

    expect(changeHooks(model, { key: 'a', value: 1, before: 0 })).toEqual([])
  })
})

const aModel = (widgets: readonly JsonObject[], config: JsonObject = {}) =>
  createModel({ page: aPage(widgets, config), text: (code) => code, now: () => 0, newRowId: () => 'id1' })
