import { describe, expect, it } from 'vitest'
import { freeName, withFreeNames } from '../../../../runtime/core/edit/free-names.ts'
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

describe('two users who add a widget of the same name', () => {
  const mine = page(
    input('input', {
      requiredOn: { '==': [{ var: 'form.input2' }, '是'] },
      on: { change: [{ do: 'set', field: 'input2', value: '{{ form.input2 }} {{ form.input20 }}' }] },
      onChange: "this.getWidgetRef('input2').setHidden(form.input2 === '')",
    }),
    input('input2', { label: '备注' }),
  )
  const freed = () => withFreeNames(BASE, mine, THEIRS)

  it('both have it in the merged page, and the page opens', () => {
    const { document, conflicts } = mergePages(BASE, freed(), THEIRS)

    expect(conflicts).toEqual([])
    const { widgetList } = document as unknown as { widgetList: readonly ReturnType<typeof input>[] }
    expect(widgetList.map(({ options: { name, label } }) => [name, label]).sort()).toEqual([
      ['input', 'input'],
      ['input2', '来源'],
      ['input3', '备注'],
    ])
    expect(readPage(document, { registry: createRegistry() }).ok).toBe(true)
  })

  it('have their references updated to the new name', () => {
    expect(freed()).toMatchObject({
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

  it('get one widget, under its name, if both added an equal one', () => {
    expect(withFreeNames(BASE, THEIRS, THEIRS)).toBe(THEIRS)
  })

  it('leave the page unchanged if the names do not conflict', () => {
    const other = page(input('input'), input('input9'))
    expect(withFreeNames(BASE, other, THEIRS)).toBe(other)
  })
})

describe('an unused name', () => {
  it('has the first free number, and is then in use', () => {
    const taken = new Set(['input', 'input2', 'x9', 'a1b', 'a12'])
    expect(freeName('a12', taken)).toBe('a2')
    expect(['input', 'input', 'new', 'new', 'x9', 'a1b'].map((name) => freeName(name, taken))).toEqual([
      'input3',
      'input4',
      'new',
      'new2',
      'x2',
      'a1b2',
    ])
  })
})

describe('a replaced name', () => {
  const added = (name: string, more: object = {}) =>
    page(input('input'), input(name, { label: '来源', ...more }))
  const freed = (name: string, more: object) =>
    (
      withFreeNames(BASE, added(name, more), added(name, { label: '他人' })) as unknown as {
        widgetList: { options: object }[]
      }
    ).widgetList[1]?.options

  it('is replaced in references and nowhere else', () => {
    expect(
      freed('n2', {
        label: 'n2',
        rules: ['form.n2 + form.n2', 'xform.n2', 'form.n2x', 'form.n2_', 'form.n2中', 'form.n2.x', 'form-n2'],
        code: "getFieldValue('n2'); setFieldValue(\"n2\", 1); getWidgetRef('n2'); xgetWidgetRef('n2'); other('n2')",
        on: { change: [{ field: ['n2', 'other'], name: 'n2', value: null, at: 2, as: 'n2' }] },
      }),
    ).toEqual({
      name: 'n3',
      label: 'n2',
      rules: ['form.n3 + form.n3', 'xform.n2', 'form.n2x', 'form.n2_', 'form.n2中', 'form.n3.x', 'form-n2'],
      code: "getFieldValue('n3'); setFieldValue(\"n3\", 1); getWidgetRef('n3'); xgetWidgetRef('n2'); other('n2')",
      on: { change: [{ field: ['n3', 'other'], name: 'n3', value: null, at: 2, as: 'n2' }] },
    })
  })

  it('may contain characters with a meaning in patterns', () => {
    expect(freed('a.b', { rule: 'form.a.b form.aXb' })).toEqual({
      name: 'a.b2',
      label: '来源',
      rule: 'form.a.b2 form.aXb',
    })
    expect(freed('a$', { rule: 'form.a$ form.a' })).toEqual({
      name: 'a$2',
      label: '来源',
      rule: 'form.a$2 form.a',
    })
  })

  it('is unused in all three versions', () => {
    const mine = page(input('input'), input('input2', { label: '我' }), input('input3', { label: '我' }))
    const theirs = page(input('input'), input('input2'), input('input3'), input('input4'))
    const { widgetList } = withFreeNames(BASE, mine, theirs) as unknown as {
      widgetList: ReturnType<typeof input>[]
    }

    expect(widgetList.map(({ options }) => options.name)).toEqual(['input', 'input5', 'input6'])
  })

  it('is not replaced for an item that the other side left unchanged', () => {
    const own = (id: string) => page({ ...input('x'), id })
    const mine = own('w')
    expect(withFreeNames(own('v'), mine, own('v'))).toBe(mine)
  })

  it('is not needed for items without a name', () => {
    const nameless = (name: unknown) => page(input('input'), { type: 'divider', options: { name, x: 1 } })
    for (const name of ['', 5, undefined]) {
      const mine = nameless(name)
      expect(
        withFreeNames(BASE, mine, page(input('input'), { type: 'divider', options: { name, x: 2 } })),
      ).toBe(mine)
    }
  })
})
