import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDocument, aSubForm, aWidget } from '../../support/a-page.ts'
import { type OpenStage, openStage, type StagePhone } from '../stage/open-stage.ts'

let stage: OpenStage
let phone: StagePhone
beforeAll(async () => {
  stage = await openStage()
  phone = await stage.phone()
})
afterAll(() => stage.close())

const fields = (count: number) =>
  Array.from({ length: count }, (_, i) => aWidget('input', `f${i}`, { label: `字段${i}` }))
const value = (name: string) => phone.page.evaluate((at) => window.stage.engine().values()[at], name)

describe('typing', () => {
  it('draws one field of 200, once per keystroke', async () => {
    await phone.show(
      aDocument([
        aWidget('cell-group', 'g', {}, { category: 'container', widgetList: fields(20) }),
        ...fields(200).slice(20),
      ]),
    )
    await phone.page.getByLabel('字段3', { exact: true }).focus()
    await phone.draws()

    await phone.page.keyboard.type('abcde')

    expect(await phone.draws()).toEqual({ f3: 5 })
    expect(await value('f3')).toBe('abcde')
  })

  it.each([
    ['a password', { type: 'password' }, 'FORM'],
    ['a name that the browser completes', { autocomplete: 'name' }, 'FORM'],
    ['nothing that the browser keeps', {}, 'DIV'],
    ['a name that it must not complete', { autocomplete: 'off' }, 'DIV'],
  ])('of a page with %s %o happens in a %s', async (_what, options, element) => {
    await phone.show(aDocument([...fields(2), aWidget('input', 'own', { label: '自己', ...options })]))

    expect(await phone.page.locator('.vf-page').evaluate((page) => page.tagName)).toBe(element)
  })

  it('draws the dependent fields and no others', async () => {
    const shown = aWidget('input', 'other', { label: '其他', visibleOn: { '!!': [{ var: 'f0' }] } })
    await phone.show(aDocument([...fields(10), shown]))
    await phone.page.getByLabel('字段0').focus()
    await phone.draws()

    await phone.page.keyboard.type('ab')

    expect(await phone.draws()).toEqual({ f0: 2, other: 1 })
  })

  it('accepts the text of an input method only when it is committed', async () => {
    await phone.show(aDocument(fields(1)))
    await phone.page.getByLabel('字段0').focus()
    const session = await phone.context.newCDPSession(phone.page)

    await session.send('Input.imeSetComposition', { text: 'xinghai', selectionStart: 7, selectionEnd: 7 })
    expect(await phone.page.getByLabel('字段0').inputValue()).toBe('xinghai')
    expect(await value('f0')).toBeNull()
    await session.send('Input.insertText', { text: '星海' })

    expect(await phone.page.getByLabel('字段0').inputValue()).toBe('星海')
    expect(await value('f0')).toBe('星海')
  })

  it('keeps the caret in the middle of a text', async () => {
    await phone.show(aDocument(fields(1)), { values: { f0: '杭州公司' } })
    const box = phone.page.getByLabel('字段0')
    await box.evaluate((input: HTMLInputElement) => {
      input.focus()
      input.setSelectionRange(2, 2)
    })

    await phone.page.keyboard.type('星海')

    expect(await box.inputValue()).toBe('杭州星海公司')
  })

  it('keeps valid characters in a text box for numbers, and no letters', async () => {
    await phone.show(aDocument([aWidget('input', 'n', { label: '电话', type: 'number' })]))
    const box = phone.page.getByLabel('电话')

    await box.pressSequentially('0a57x1.2e')
    await box.blur()

    expect(await box.inputValue()).toBe('0571.2')
    expect(await value('n')).toBe('0571.2')
  })

  it('drops trailing blanks on blur, even if the text is otherwise unchanged', async () => {
    await phone.show(aDocument([aWidget('input', 't', { label: '名称', trim: true })]), {
      values: { t: '星海' },
    })
    const box = phone.page.getByLabel('名称')

    await box.press('End')
    await box.pressSequentially('  ')
    await box.blur()

    expect(await box.inputValue()).toBe('星海')
    expect(await value('t')).toBe('星海')
  })

  it('parses a number while it is typed, and limits it to its bounds on blur', async () => {
    await phone.show(aDocument([aWidget('number', 'n', { label: '数量', max: 100, precision: 1 })]))
    const box = phone.page.getByLabel('数量')

    await box.pressSequentially('12.')
    expect(await box.inputValue()).toBe('12.')
    expect(await value('n')).toBe(12)
    await box.pressSequentially('34')
    await box.blur()
    expect(await value('n')).toBe(12.3)
    await box.fill('500')
    await box.blur()

    expect(await value('n')).toBe(100)
    expect(await box.inputValue()).toBe('100')
  })

  it('formats an amount with separators without focus, and as typed with focus', async () => {
    const change = [{ do: 'set', field: 'm', value: 'changed' }]
    const amount = aWidget('number', 'n', { label: '金额', grouped: true, precision: 2, on: { change } })
    await phone.show(aDocument([amount, aWidget('input', 'm')]), { values: { n: 1234567.5 } })
    const box = phone.page.getByLabel('金额')
    expect(await box.inputValue()).toBe('1,234,567.50')

    await phone.page.keyboard.press('Tab')
    expect(await box.inputValue()).toBe('1234567.5')
    expect(await box.evaluate((it: HTMLInputElement) => [it.selectionStart, it.selectionEnd])).toEqual([0, 9])
    await box.blur()
    expect(await box.inputValue()).toBe('1,234,567.50')
    expect(await value('m')).toBe(null)
    await box.fill('9,876.5')
    await box.blur()
    expect(await value('m')).toBe('changed')

    expect(await value('n')).toBe(9876.5)
    expect(await box.inputValue()).toBe('9,876.50')
  })
})

describe('a long form', () => {
  it('mounts fields near the screen and mounts the others on request', async () => {
    await phone.show(aDocument(fields(1000)))
    expect(await phone.page.locator('[data-field]').count()).toBeLessThan(60)

    await phone.page.evaluate(() => window.stage.reveal('f900'))

    const box = phone.page.getByLabel('字段900', { exact: true })
    expect(await box.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await inSight(box)).toBe(true)
  })

  it('keeps the field with the focus while the rest scrolls away', async () => {
    await phone.show(aDocument(fields(1000)))
    await phone.page.getByLabel('字段2', { exact: true }).focus()

    await phone.page.evaluate(() => window.scrollTo(0, 20_000))
    await phone.page.locator('[data-field="f400"]').waitFor()
    await phone.page.keyboard.type('还在')

    expect(await value('f2')).toBe('还在')
  })

  it('scrolls to the first invalid field, in a row of a sub-form and in a closed tab too', async () => {
    const tab = aWidget(
      'tab',
      't',
      {},
      {
        category: 'container',
        tabs: [
          aWidget('tab-pane', 'p1', { label: '一' }, { widgetList: fields(1) }),
          aWidget(
            'tab-pane',
            'p2',
            { label: '二' },
            { widgetList: [aWidget('input', 'deep', { label: '深处' })] },
          ),
        ],
      },
    )
    const rows = Array.from({ length: 100 }, (_, i) => ({ c1: `甲${i}` }))
    await phone.show(aDocument([aSubForm('rows', [aWidget('input', 'c1', { label: '名称' })]), tab]), {
      values: { rows },
    })

    await phone.page.evaluate(() => window.stage.reveal('rows.90.c1'))
    expect(await phone.page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('甲90')
    await phone.page.evaluate(() => window.stage.reveal('deep'))

    expect(await phone.page.getByLabel('深处').evaluate((input) => input === document.activeElement)).toBe(
      true,
    )
  })
})

describe('a sub-form', () => {
  it('adds, inserts and deletes rows, the last one after confirmation', async () => {
    await phone.show(aDocument([aSubForm('rows', [aWidget('input', 'c1', { label: '名称' })])]), {
      values: { rows: [{ c1: '一' }, { c1: '二' }] },
    })

    await phone.page.getByRole('button', { name: '新增' }).click()
    await phone.page.getByRole('button', { name: '在第1行后插入' }).click()
    await phone.page.getByRole('button', { name: '删除第1行' }).click()
    await phone.page.locator('[data-field="rows.3.c1"]').waitFor({ state: 'detached' })

    const kept = await phone.page.evaluate(() => window.stage.engine().values().rows)
    expect(kept).toMatchObject([{ c1: null }, { c1: '二' }, { c1: null }])
    expect(await phone.asked()).toContainEqual(['modal', '是否要删除这一行？'])
  })
})

it('nothing was logged to the console', () => {
  expect(phone.complaints()).toEqual([])
})

function inSight(box: ReturnType<StagePhone['page']['getByLabel']>): Promise<boolean> {
  return box.evaluate((input) => {
    const { top, bottom } = input.getBoundingClientRect()
    return top >= 0 && bottom <= window.innerHeight
  })
}
