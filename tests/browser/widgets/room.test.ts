import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { aDocument, aSubForm, aWidget } from '../../support/a-page.ts'
import type { Phone } from '../../support/phone.ts'
import { type OpenStage, openStage, type StagePhone } from '../stage/open-stage.ts'
import { standingOut } from './looks.ts'

let stage: OpenStage
let phone: StagePhone
let large: StagePhone
beforeAll(async () => {
  stage = await openStage()
  phone = await stage.phone()
  large = await stage.phone({ width: 390, height: 844, text: 2 })
})
afterAll(() => stage.close())

const MOST = '¥9,999,999,999.99'
const LIST = '/mini/contract/list'
const box = async (it: Locator) => {
  const found = await it.boundingBox()
  if (found === null) throw new Error('not visible')
  return found
}
/** The number of lines of a text. */
const linesOf = (text: Locator) =>
  text.evaluate((it) => {
    const range = document.createRange()
    range.selectNodeContents(it)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  })
const line = (name: string, options: JsonObject, widgetList: readonly JsonObject[]) =>
  aWidget('line', name, options, { category: 'container', widgetList: widgetList as readonly Json[] })
const at = ({ page }: Phone, key: string) => page.locator(`[data-key="${key}"]`)

describe('a table of a list', () => {
  const long = '上海市华丰医疗器械有限公司数据看板与移动办公一体化项目'
  const row = (id: string, amount: number): JsonObject => ({
    id,
    name: long,
    customer: long,
    amount,
    count: 1_234_567,
    owner: '李明轩',
  })
  const columns: Json = [
    { name: 'name', label: '合同', text: '{{ row.name }}', primary: true, width: 260 },
    { name: 'customer', label: '客户', text: '{{ row.customer }}', width: 190 },
    { name: 'amount', label: '金额', text: '{{ row.amount | money }}', width: 110, align: 'end' },
    { name: 'count', label: '数量', text: '{{ row.count | number:0 }}', width: 64, align: 'end' },
    { name: 'owner', label: '负责人', text: '{{ row.owner }}', width: 100 },
    { name: 'type', label: '类型', text: '直销合同', width: 120 },
    { name: 'status', label: '状态', text: '审批中', width: 100 },
    { name: 'product', label: '产品', text: '{{ row.name }}', width: 360 },
  ]
  const document = aDocument(
    [
      aWidget(
        'list',
        'rows',
        { label: '', dsName: 'rows', columns },
        {
          category: 'container',
          widgetList: [aWidget('static-text', 'title', { textContent: '{{ row.name }}' })],
        },
      ),
    ],
    {
      dataSources: [
        {
          uniqueName: 'rows',
          requestURL: LIST,
          requestMethod: 'post',
          paging: { items: 'list', cursor: 'cursor', next: 'nextCursor' },
        },
      ],
    },
  )

  it.each([1440, 1100])(
    'shows numbers whole at %d px, below their heads, and texts give way',
    async (width) => {
      await phone.page.setViewportSize({ width, height: 900 })
      const list = [row('a', 12), row('b', 9_999_999_999.99), row('c', 81_200)]
      await phone.show(document, { answers: { [LIST]: [{ list, nextCursor: null }] } })
      const amounts = phone.page.locator('.vf-record:not(.vf-record-heads) > .vf-record-end')
      await phone.page.getByText(MOST, { exact: true }).waitFor()

      const cut = await amounts.evaluateAll((cells) =>
        cells.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.textContent),
      )
      expect(await amounts.count()).toBeGreaterThan(2)
      expect(cut).toEqual([])
      const ends = await phone.page
        .locator('.vf-record > .vf-record-end:not(.vf-record-end ~ .vf-record-end)')
        .evaluateAll((cells) => cells.map((it) => Math.round(it.getBoundingClientRect().right)))
      expect(new Set(ends).size).toBe(1)
      expect(await standingOut(phone.page)).toEqual([])
      await phone.page.setViewportSize({ width: 390, height: 844 })
    },
  )
})

describe('numbers', () => {
  it('in a row of a sub-form are shown whole on a narrow phone', async () => {
    await phone.page.setViewportSize({ width: 320, height: 640 })
    const shown = { precision: 2, grouped: true, labelAlign: 'top' }
    await phone.show(
      aDocument([
        aSubForm(
          'lines',
          [
            aWidget('number', 'price', { label: '售价', ...shown }),
            aWidget('number', 'discount', { label: '折扣', ...shown }),
            aWidget('number', 'quantity', { label: '数量', precision: 0, labelAlign: 'top' }),
            aWidget('number', 'sum', {
              label: '小计',
              ...shown,
              readonly: true,
              valueOn: { '*': [{ var: 'row.quantity' }, { var: 'row.price' }] },
            }),
          ],
          { rowColumns: 2 },
        ),
      ]),
      {
        values: {
          lines: [
            { price: 999_999_999.99, discount: 100, quantity: 9 },
            { price: 599, discount: 100, quantity: 3 },
          ],
        },
      },
    )
    const boxes = phone.page.locator('.vf-rows input')
    await expect.poll(() => boxes.nth(3).inputValue()).toBe('8,999,999,999.91')

    const cut = await boxes.evaluateAll((all) =>
      all.filter((it) => it.scrollWidth > it.clientWidth).map((it) => (it as HTMLInputElement).value),
    )
    expect(cut).toEqual([])
    expect(await standingOut(phone.page)).toEqual([])
    // Short ones still share a line.
    expect((await box(boxes.nth(6))).y).toBe((await box(boxes.nth(7))).y)
    await phone.page.setViewportSize({ width: 390, height: 844 })
  })

  it('with text of double size are not broken beside another text', async () => {
    await large.show(
      aDocument([
        line('worth', { gap: 8, grow: 'amount' }, [
          aWidget('static-text', 'amount', { textContent: MOST, fontSize: '17px', weight: 'medium' }),
          aWidget('static-text', 'rate', { textContent: '赢率 10%', fontSize: '14px' }),
        ]),
      ]),
    )

    expect(await linesOf(at(large, 'amount').locator('.vf-text'))).toBe(1)
    expect(await linesOf(at(large, 'rate').locator('.vf-text'))).toBe(1)
    expect(await standingOut(large.page)).toEqual([])
  })

  it('with text of double size are not broken on a board', async () => {
    const card = aWidget('static-text', 'card', { textContent: '{{ row.amount | money }}', fontSize: '17px' })
    await large.show(
      aDocument([
        aWidget('board', 'columns', { bind: 'data.board' }, { category: 'container', widgetList: [card] }),
      ]),
      {
        data: {
          board: [
            { key: 'first', name: '初步接洽', list: [{ id: 'a', amount: 9_999_999_999.99 }] },
            { key: 'second', name: '方案报价', list: [] },
          ],
        },
      },
    )
    const amount = large.page.getByText(MOST, { exact: true })

    expect(await linesOf(amount)).toBe(1)
    // The edge of the next column is visible.
    expect((await box(large.page.locator('.vf-board-column').nth(1))).x).toBeLessThan(390)
  })
})

describe('months under bars', () => {
  /** What is written under the bars of a number of months, line by line. */
  const under = async (count: number): Promise<readonly string[]> => {
    const labels = Array.from(
      { length: count },
      (_, at) => `${2026 + Math.floor((10 + at) / 12)}年${((10 + at) % 12) + 1}月`,
    )
    await phone.show(
      aDocument([
        aWidget('chart', 'months', {
          label: '按月',
          kind: 'bar',
          labels,
          series: [{ name: '金额', bind: 'data.sums' }],
        }),
      ]),
      { data: { sums: labels.map((_, at) => at + 1) } },
    )
    const picture = phone.page.locator('.vf-chart > img')
    await picture.waitFor()
    const source = decodeURIComponent((await picture.getAttribute('src')) ?? '')
    return [...source.matchAll(/<text[^>]*>([\d年月]+[年月])<\/text>/g)].map(([, text = '']) => text)
  }

  it('are all named if their years fit, each with its year above', async () => {
    const said = await under(6)
    expect(said.filter((one) => /^\d+月$/.test(one))).toEqual(['11月', '12月', '1月', '2月', '3月', '4月'])
    expect(said.filter((one) => /^\d+年$/.test(one))).toHaveLength(6)
  })

  it('are left out in turn if there are too many', async () => {
    const said = await under(12)
    expect(said.length).toBeGreaterThan(1)
    expect(said.length).toBeLessThan(12)
    expect(said.every((one) => /^\d{4}年\d+月$/.test(one))).toBe(true)
  })
})

describe('with text of double size', () => {
  it('the labels of a chart’s axis are apart, from zero to the top', async () => {
    await large.show(
      aDocument([
        aWidget('chart', 'trend', {
          label: '趋势',
          kind: 'line',
          labels: ['11-01', '11-09', '11-23'],
          series: [
            { name: '合同金额', bind: 'data.signed' },
            { name: '回款金额', bind: 'data.paid' },
          ],
        }),
      ]),
      { data: { signed: [0, 130_000, 172_100], paid: [0, 0, 203_000] } },
    )
    const picture = large.page.locator('.vf-chart > img')
    await picture.waitFor()
    const source = decodeURIComponent((await picture.getAttribute('src')) ?? '')
    const labels = [...source.matchAll(/<text[^>]*translate\([\d.]+ ([\d.]+)\)[^>]*>([\d.万]+)<\/text>/g)]
      .map(([, y, text]) => ({ y: Number(y), text }))
      .sort((a, b) => b.y - a.y)
    const gaps = labels.slice(1).map(({ y }, i) => (labels[i]?.y ?? 0) - y)

    expect(labels[0]?.text).toBe('0')
    expect(labels.length).toBeGreaterThan(2)
    // Letters are 24 px high.
    expect(Math.min(...gaps)).toBeGreaterThan(30)
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(2)
  })

  it('a long button that is alone in its bar wraps', async () => {
    const button = aWidget('button', 'near', { label: '附近客户（距离最近）', icon: 'LocationOutline' })
    await large.show(
      aDocument([aWidget('action-bar', 'bar', {}, { category: 'container', widgetList: [button] })]),
    )

    const { x, width } = await box(large.page.getByRole('button', { name: '附近客户' }))
    expect(x + width).toBeLessThanOrEqual(390 - 16)
  })

  it('chips are apart from each other and from what is above them', async () => {
    const names = ['直销合同', '代理合同', '服务合同', '框架合同', '续签合同', '补充协议']
    const optionItems: Json = names.map((label) => ({ label, value: label }))
    await large.show(
      aDocument([
        aWidget('radio', 'kind', { label: '合同类型', labelAlign: 'top', buttonStyle: true, optionItems }),
      ]),
    )
    const chips = await large.page
      .locator('.vf-choice-chip > span')
      .evaluateAll((all) =>
        all.map((it) => it.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]),
      )
    const rows = [...new Map(chips.map(([top = 0, bottom = 0]) => [top, bottom]))]
    const gaps = rows.slice(1).map(([top], i) => top - (rows[i]?.[1] ?? 0))
    const label = await box(large.page.locator('.vf-label'))

    expect(rows.length).toBeGreaterThan(1)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(8)
    expect((rows[0]?.[0] ?? 0) - label.y - label.height).toBeGreaterThanOrEqual(4)
  })
})

it('the label of a switch takes one line where it has room', async () => {
  await phone.show(
    aDocument([
      aWidget('switch', 'mine', { label: '只看我负责的' }),
      aWidget('switch', 'second', { label: '发布页面和字段要另一个人批准' }),
      aWidget('switch', 'off', { label: '停用' }),
      aWidget('input', 'name', { label: '名称' }),
    ]),
  )

  for (const key of ['mine', 'second'])
    expect(await linesOf(at(phone, key).locator('.vf-label')), key).toBe(1)
  // A short label does not move its switch.
  const start = async (it: Locator) => (await box(it)).x
  expect(await start(at(phone, 'off').getByRole('switch'))).toBe(
    await start(at(phone, 'name').locator('input')),
  )
})

describe('a button of its own width', () => {
  const button = (name: string, displayStyle: string) =>
    aWidget('button', name, { label: `按钮${name}`, displayStyle })

  it.each([
    ['a page', (widgets: readonly JsonObject[]) => widgets],
    [
      'a group',
      (widgets: readonly JsonObject[]) => [
        aWidget('cell-group', 'g', {}, { category: 'container', widgetList: widgets as readonly Json[] }),
      ],
    ],
  ])('is beside its neighbour in %s, others are below each other', async (_, around) => {
    const widgets = [
      button('a', 'inline-block'),
      button('b', 'inline-block'),
      aWidget('input', 'i', { label: '字段' }),
      button('c', 'block'),
      button('d', 'block'),
    ]
    await phone.show(aDocument(around(widgets)))
    const of = (name: string) => box(phone.page.getByRole('button', { name: `按钮${name}` }))
    const [a, b, c, d] = await Promise.all(['a', 'b', 'c', 'd'].map(of))

    expect(b?.y).toBe(a?.y)
    expect((b?.x ?? 0) - (a?.x ?? 0) - (a?.width ?? 0)).toBeGreaterThanOrEqual(12)
    expect(d?.y).toBeGreaterThan((c?.y ?? 0) + (c?.height ?? 0))
    expect(c?.width).toBe(358)
  })
})

describe('a control in a narrow column', () => {
  const values = { stepper: 12, slider: 40, range: ['2026-11-10', '2026-11-20'] }
  const show = (span: number) => {
    const fields = [
      aWidget('stepper', 'stepper', { label: '数量' }),
      aWidget('slider', 'slider', { label: '进度' }),
      aWidget('date-range', 'range', { label: '日期' }),
    ]
    const cols = fields.map((field, i) => aWidget('grid-col', `c${i}`, { span }, { widgetList: [field] }))
    const grid = aWidget(
      'grid',
      'grid',
      { gutter: 12 },
      { category: 'container', cols: cols as readonly Json[] },
    )
    return phone.show(aDocument([grid]), { values })
  }
  const of = (selector: string) => box(phone.page.locator(selector).first())

  it.each([6, 8])('of %d of 24 has its buttons and numbers in a line of their own', async (span) => {
    await show(span)

    expect((await of('.vf-stepper input')).width).toBeGreaterThan(60)
    expect((await of('.vf-slider')).width).toBeGreaterThan(50)
    expect((await of('.vf-range-face .vf-picker-text')).width).toBeGreaterThan(54)
    expect((await of('.vf-stepper button')).y).toBeGreaterThan((await of('.vf-stepper input')).y)
  })

  it('of 12 of 24 is in one line', async () => {
    await show(12)

    expect((await of('.vf-stepper button')).y).toBeCloseTo((await of('.vf-stepper input')).y, -1)
    expect((await of('.vf-stepper')).height).toBe(52)
    expect((await of('.vf-slider-line')).height).toBe(52)
    expect((await of('.vf-range-face')).height).toBe(52)
  })
})
