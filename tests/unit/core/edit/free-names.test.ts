import { describe, expect, it } from 'vitest'
import { withFreeNames } from '../../../../runtime/core/edit/free-names.ts'
import { mergePages } from '../../../../runtime/core/edit/merge-pages.ts'
import { readPage } from '../../../../runtime/core/read-page.ts'
import { createRegistry } from '../../../../runtime/core/widgets/index.ts'

const input = (name: string, more: object = {}) => ({
  type: 'input',
  options: { name, label: name, ...more },
})
const page = (...widgetList: object[]) => ({ widgetList, formConfig: { page: { title: '客户' } } }) as never

const BASE = page(input('input'))
const THEIRS = page(input('input'), input('input2', { label: '来源' }))

describe('two people who add a widget of the same name', () => {
  const mine = page(
    input('input', {
      requiredOn: { '==': [{ var: 'form.input2' }, '是'] },
      on: { change: [{ do: 'set', field: 'input2', value: '{{ form.input2 }} {{ form.input20 }}' }] },
      onChange: "this.getWidgetRef('input2').setHidden(form.input2 === '')",
    }),
    input('input2', { label: '备注' }),
  )
  const freed = withFreeNames(BASE, mine, THEIRS)

  it('both have one in the merged page, and it opens', () => {
    const { document, conflicts } = mergePages(BASE, freed, THEIRS)

    expect(conflicts).toEqual([])
    const { widgetList } = document as unknown as { widgetList: readonly ReturnType<typeof input>[] }
    expect(widgetList.map(({ options: { name, label } }) => [name, label]).sort()).toEqual([
      ['input', 'input'],
      ['input2', '来源'],
      ['input3', '备注'],
    ])
    expect(readPage(document, { registry: createRegistry() }).ok).toBe(true)
  })

  it('references to my name use the new one', () => {
    expect(freed).toMatchObject({
      widgetList: [
        {
          options: {
            requiredOn: { '==': [{ var: 'form.input3' }, '是'] },
            on: { change: [{ do: 'set', field: 'input3', value: '{{ form.input3 }} {{ form.input20 }}' }] },
            onChange: "this.getWidgetRef('input3').setHidden(form.input3 === '')",
          },
        },
        { options: { name: 'input3' } },
      ],
    })
  })

  it('an equal widget that both added is there once, and keeps its name', () => {
    expect(withFreeNames(BASE, THEIRS, THEIRS)).toBe(THEIRS)
  })

  it('without a conflict the page does not change', () => {
    const other = page(input('input'), input('input9'))
    expect(withFreeNames(BASE, other, THEIRS)).toBe(other)
  })
})
