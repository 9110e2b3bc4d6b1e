import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { aDocument, aSubForm, aWidget } from '../../support/a-page.ts'
import { seriousFaults } from '../../support/axe.ts'
import { type OpenStage, openStage, type StagePhone } from '../stage/open-stage.ts'
import { standingOut } from './looks.ts'

let stage: OpenStage
let phone: StagePhone
beforeAll(async () => {
  stage = await openStage()
  phone = await stage.phone()
})
afterAll(() => stage.close())

const lines = (options: JsonObject = {}) =>
  aDocument([
    aSubForm(
      'lines',
      [
        aWidget('input', 'product', { label: '产品', required: true, columnWidth: '140px' }),
        aWidget('number', 'qty', { label: '数量', defaultValue: 1 }),
        aWidget('number', 'price', { label: '单价', unit: '元' }),
        aWidget('number', 'amount', {
          label: '金额',
          unit: '元',
          valueOn: { '*': [{ var: 'row.qty' }, { var: 'row.price' }] },
        }),
      ],
      { label: '产品明细', ...options },
    ),
  ])
const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ product: `产品${i + 1}`, qty: i + 1, price: 10 }))
const products = () =>
  phone.page.evaluate(() =>
    (window.stage.engine().values().lines as { product: string | null }[]).map(({ product }) => product),
  )
const button = (name: string) => phone.page.getByRole('button', { name, exact: true })

describe('a sub-form on a phone', () => {
  it('adds at the end, inserts after a row and before the first', async () => {
    await phone.show(lines(), { values: { lines: rows(2) } })

    await button('在第1行后插入').click()
    await button('新增').click()
    await button('在最前插入一行').click()

    expect(await products()).toEqual([null, '产品1', null, '产品2', null])
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await phone.picture('sub-form')
    expect(phone.complaints()).toEqual([])
  })

  it('deletes the right row, after confirmation', async () => {
    await phone.show(lines(), { values: { lines: rows(3) } })
    await phone.asked()

    await button('删除第2行').click()

    await expect.poll(products).toEqual(['产品1', '产品3'])
    expect(await phone.asked()).toEqual([['modal', '是否要删除这一行？']])
  })

  it('shows a message at the field of its own row, even of a row that was never on the screen', async () => {
    const wrong = rows(40).map((row, i) => (i === 35 ? { ...row, product: '' } : row))
    await phone.show(lines(), { values: { lines: wrong } })

    const faults = await phone.page.evaluate(() => window.stage.engine().validate())
    await phone.page.evaluate(() => window.stage.reveal('lines.35.product'))

    expect(faults.map(({ address }) => address)).toEqual(['lines.35.product'])
    const field = phone.page.locator('[data-field="lines.35.product"]')
    await expect.poll(() => field.getByRole('alert').innerText()).not.toBe('')
    await expect.poll(() => field.evaluate((at) => at.contains(document.activeElement))).toBe(true)
  })

  it('folds its buttons as configured, and has none in read mode', async () => {
    await phone.show(lines({ insertDisabled: true }), { values: { lines: rows(2) } })
    const insert = [await button('新增').isDisabled(), await button('在第1行后插入').isDisabled()]
    const deletion = await button('删除第1行').isDisabled()

    await phone.show(lines({ disabled: true }), { values: { lines: rows(2) } })
    const disabled = [
      await button('新增').isDisabled(),
      await button('删除第1行').isDisabled(),
      await phone.page.locator('[data-field="lines.0.product"] input').isDisabled(),
    ]

    await phone.show(lines({ fixedRows: true }), { values: { lines: rows(2) } })
    const fixed = [await button('新增').count(), await button('删除第1行').count()]

    expect([insert, deletion, disabled]).toEqual([[true, true], false, [true, true, true]])
    expect(fixed).toEqual([0, 0])
  })

  it('is a table in read mode', async () => {
    await phone.show(lines(), { values: { lines: rows(60) }, readMode: true })

    const heads = await phone.page.getByRole('columnheader').allInnerTexts()
    const first = await phone.page.getByRole('row').nth(1).getByRole('cell').allInnerTexts()

    expect(heads).toEqual(['序号', '产品', '数量', '单价', '金额'])
    expect(first.map((text) => text.trim())).toEqual(['1', '产品1', '1', '10', '10'])
    expect(await phone.page.getByRole('row').count()).toBeLessThan(40)
    await phone.picture('sub-form-read')
    expect(phone.complaints()).toEqual([])
  })
})

describe('a sub-form whose rows have a head', () => {
  const headed = (options: JsonObject = {}) =>
    aDocument([
      aSubForm(
        'lines',
        [
          aWidget('static-text', 'who', { textContent: '{{ row.product }}' }),
          aWidget('input', 'product', { label: '产品', hidden: true }),
          aWidget('number', 'qty', { label: '数量', labelAlign: 'top' }),
          aWidget('number', 'price', { label: '单价', labelAlign: 'top' }),
          aWidget('input', 'note', { label: '备注', labelAlign: 'top' }),
        ],
        { label: '产品明细', rowHead: 'who', ...options },
      ),
    ])
  const card = () => phone.page.getByRole('group', { name: '第2行' })

  it('numbers the row in the head of a card, with fields side by side if they fit', async () => {
    await phone.show(headed(), { values: { lines: rows(2) } })
    expect(await card().locator('.vf-row-head').innerText()).toMatch(/^#2\s+产品2$/)
    const high = (await card().boundingBox())?.height ?? 0
    await phone.show(headed({ rowColumns: 3 }), { values: { lines: rows(2) } })

    const tops = await card()
      .locator('input')
      .evaluateAll((all) => all.map((it) => Math.round(it.getBoundingClientRect().top)))
    expect(tops).toHaveLength(3)
    expect(new Set(tops).size).toBe(1)
    expect((await card().boundingBox())?.height).toBeLessThan(high / 1.8)
    expect(await standingOut(phone.page)).toEqual([])
  })

  it('has the head as its first column on a desktop, and no column for hidden fields', async () => {
    await phone.page.setViewportSize({ width: 960, height: 900 })
    await phone.show(headed({ rowColumns: 3 }), { values: { lines: rows(2) } })

    const heads = await phone.page.getByRole('columnheader').allTextContents()
    expect(heads).toEqual(['序号', '产品明细', '数量', '单价', '备注', '操作'])
    const cells = phone.page.getByRole('row', { name: '第2行' }).getByRole('cell')
    expect(await cells.nth(1).innerText()).toBe('产品2')
    await phone.page.setViewportSize({ width: 390, height: 844 })
  })

  it('calls the column of the head as the page says', async () => {
    await phone.page.setViewportSize({ width: 960, height: 900 })
    await phone.show(headed({ rowHeadLabel: '产品' }), { values: { lines: rows(1) } })

    expect((await phone.page.getByRole('columnheader').allTextContents())[1]).toBe('产品')
    await phone.page.setViewportSize({ width: 390, height: 844 })
  })

  it('has a head without a number below its column head and on the line of the values', async () => {
    await phone.page.setViewportSize({ width: 960, height: 900 })
    await phone.show(headed({ showRowNumber: false }), { values: { lines: rows(1) } })

    const boxes = await phone.page
      .locator('[role=columnheader]:first-child, [role=cell]:nth-child(-n + 2)')
      .evaluateAll((cells) =>
        cells.map((cell) => {
          const range = document.createRange()
          range.selectNodeContents(cell.querySelector('.vf-text') ?? cell)
          const { left, top, height } = (cell.querySelector('input') ?? range).getBoundingClientRect()
          return { left, middle: top + height / 2 }
        }),
      )
    const [title, head, quantity] = boxes
    if (!title || !head || !quantity) throw new Error('something is not drawn')
    expect(Math.abs(head.left - title.left)).toBeLessThan(1)
    expect(Math.abs(head.middle - quantity.middle)).toBeLessThan(1.5)
    await phone.page.setViewportSize({ width: 390, height: 844 })
  })

  it('has the number of a row on the line of its values', async () => {
    await phone.page.setViewportSize({ width: 960, height: 900 })
    await phone.show(headed({ rowColumns: 3 }), { values: { lines: rows(1) } })

    const [number = 0, , quantity = 0] = await phone.page.getByRole('cell').evaluateAll((cells) =>
      cells.map((cell) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        const { top, height } = (cell.querySelector('input') ?? range).getBoundingClientRect()
        return top + height / 2
      }),
    )
    expect(Math.abs(number - quantity)).toBeLessThan(1.5)
    await phone.page.setViewportSize({ width: 390, height: 844 })
  })
})

describe('a sub-form on a desktop', () => {
  const wide = async (document: JsonObject, count: number) => {
    await phone.page.setViewportSize({ width: 960, height: 900 })
    await phone.show(document, { values: { lines: rows(count) } })
  }
  const heads = () => phone.page.getByRole('columnheader').allTextContents()

  it('is a table with a column of buttons, which insert and delete rows', async () => {
    await wide(lines(), 2)
    expect(await heads()).toEqual(['序号', '产品', '数量', '单价', '金额', '操作'])

    await button('在第1行后插入').click()
    await phone.page.getByRole('row', { name: '第2行' }).getByLabel('产品').fill('新产品')
    await button('删除第1行').click()

    await expect.poll(products).toEqual(['新产品', '产品2'])
    await phone.page.evaluate(() => window.stage.engine().validate())
    await phone.picture('sub-form-table')
    expect(await standingOut(phone.page)).toEqual([])
    expect(await seriousFaults(phone.page)).toEqual([])
    await phone.page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(heads).toEqual([])
    expect(await phone.page.getByRole('group', { name: '第2行' }).getByLabel('产品').inputValue()).toBe(
      '产品2',
    )
  })

  it('has a field that comes first on the line of the others', async () => {
    await wide(lines({ showRowNumber: false }), 1)

    const tops = await phone.page
      .getByRole('cell')
      .locator('input')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
    expect(tops.length).toBeGreaterThan(2)
    expect(new Set(tops).size).toBe(1)
  })

  it('has its buttons where the page declares, and none while they are disabled', async () => {
    await wide(lines({ actionColumnPosition: 'left', showRowNumber: false }), 1)
    expect((await heads()).slice(0, 2)).toEqual(['操作', '产品'])
    await wide(lines({ fixedRows: true }), 1)
    expect(await heads()).toEqual(['序号', '产品', '数量', '单价', '金额'])
  })

  it('counts rows that somebody adds, and says nothing of none', async () => {
    const said = () => phone.page.locator('.vf-sub-form').innerText()
    await wide(lines(), 2)
    expect(await said()).toContain('2 项')
    await wide(lines({ showBlankRow: false }), 0)
    expect(await said()).toBe('产品明细\n新增')
    await wide(lines({ fixedRows: true, labelHidden: true }), 2)
    expect(await phone.page.locator('.vf-rows-head').isVisible()).toBe(false)
    await phone.show(lines(), { values: { lines: [] }, readMode: true })
    expect(await said()).toMatch(/^产品明细\s+还没有明细$/)
    await phone.page.setViewportSize({ width: 390, height: 844 })
  })

  it('shows a message at the field of a row that was never on the screen', async () => {
    await wide(lines(), 200)
    await phone.page.evaluate(() =>
      window.stage.engine().change(`product@row${window.stage.engine().node('lines').rows?.[150]?.id}`, ''),
    )
    await phone.page.evaluate(() => window.stage.engine().validate())
    await phone.page.evaluate(() => window.stage.reveal('lines.150.product'))

    await phone.page.getByText('产品必填').waitFor()
    expect(await phone.page.getByRole('row').count()).toBeLessThan(60)
    await phone.page.setViewportSize({ width: 390, height: 844 })
    // The app opens a page at its top: the next page does not keep the scroll position of this one.
    await phone.page.evaluate(() => window.scrollTo(0, 0))
  })
})

describe('a sub-form of 1,000 rows', () => {
  it('mounts only rows near the screen; a keystroke in the last row draws one field, as in the first', async () => {
    await phone.show(lines(), { values: { lines: rows(1000) } })
    expect(await phone.page.locator('.vf-row').count()).toBeLessThan(12)

    for (const at of [0, 999]) {
      await phone.page.evaluate((row) => window.stage.reveal(`lines.${row}.product`), at)
      const box = phone.page.locator(`[data-field="lines.${at}.product"] input`)
      await box.focus()
      // Items around the row are rendered in idle time: on a busy machine, later and in several steps.
      let calm = 0
      const looks = async () => {
        calm = Object.keys(await phone.draws()).length === 0 ? calm + 1 : 0
        return calm
      }
      await expect.poll(looks).toBeGreaterThan(5)

      await phone.page.keyboard.type('abc')

      expect(Object.values(await phone.draws())).toEqual([3])
      expect(await box.inputValue()).toBe(`产品${at + 1}abc`)
    }
  })

  it('inserts a row at the top quickly, and renumbers the others', async () => {
    await phone.show(lines(), { values: { lines: rows(1000) } })

    await button('在第1行后插入').click()

    await expect.poll(async () => (await products()).slice(0, 3)).toEqual(['产品1', null, '产品2'])
    expect(await phone.page.getByText('1001 项').isVisible()).toBe(true)
  })
})
