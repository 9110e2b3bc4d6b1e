import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { aDocument, aWidget } from '../../support/a-page.ts'
import { seriousFaults } from '../../support/axe.ts'
import { type OpenStage, openStage, type StagePhone } from '../stage/open-stage.ts'
import { smallTargets } from './looks.ts'

let stage: OpenStage
let phone: StagePhone
beforeAll(async () => {
  stage = await openStage()
  phone = await stage.phone()
})
afterAll(() => stage.close())

const value = (name: string) => phone.page.evaluate((at) => window.stage.engine().values()[at], name)
const day = (text: string) => phone.page.locator(`[data-day="${text}"]`)
const sheet = () => phone.page.getByRole('dialog')
const gone = () => sheet().waitFor({ state: 'detached' })

describe('a calendar', () => {
  const aCalendar = (options = {}) => aDocument([aWidget('calendar', 'd', { label: '回访日', ...options })])
  const open = async (options = {}, at = '2026-02-17') => {
    await phone.show(aCalendar(options), { values: { d: at } })
    await phone.page.getByLabel('回访日').click()
    await sheet().waitFor()
  }

  it('shows six weeks from Sunday on, with the lunar day or the festival under each day', async () => {
    await open()

    expect(await phone.page.locator('.vf-cal-sheet td').count()).toBe(42)
    expect(await phone.page.locator('.vf-cal-sheet th').first().textContent()).toBe('日')
    expect(await day('2026-02-17').textContent()).toBe('17春节')
    expect(await day('2026-02-18').textContent()).toBe('18初二')
    expect(await day('2026-02-14').textContent()).toBe('14廿七')
    await phone.page.waitForTimeout(350)
    await phone.picture('widgets-calendar')
    expect(await seriousFaults(phone.page)).toEqual([])
    expect(await smallTargets(phone.page, '[role="dialog"]')).toEqual([])
  })

  it('chooses by a tap and closes', async () => {
    await open({ on: { confirm: [{ do: 'toast', text: 'ok' }] } })

    await day('2026-02-20').click()

    await gone()
    expect(await value('d')).toBe('2026-02-20')
    expect(await phone.asked()).toContainEqual(['toast', 'ok'])
  })

  it('writes and parses the format of the field', async () => {
    await open({ format: 'yyyy年MM月dd日' }, '2026年02月17日')
    expect(await day('2026-02-17').getAttribute('aria-pressed')).toBe('true')

    await day('2026-02-09').click()

    await gone()
    expect(await value('d')).toBe('2026年02月09日')
  })

  it('offers no day beyond its bounds, and no month without an allowed day', async () => {
    await open({ minDate: '2026-02-10', maxDate: '2026-03-05' })

    expect(await day('2026-02-09').isDisabled()).toBe(true)
    expect(await day('2026-02-10').isDisabled()).toBe(false)
    expect(await phone.page.getByRole('button', { name: '上个月' }).isDisabled()).toBe(true)
    await phone.page.getByRole('button', { name: '下个月' }).click()
    expect(await day('2026-03-05').isDisabled()).toBe(false)
    expect(await day('2026-03-06').isDisabled()).toBe(true)
    expect(await phone.page.getByRole('button', { name: '下个月' }).isDisabled()).toBe(true)
  })

  it('keeps the day when the month changes, limited to the month’s length', async () => {
    await open({ on: { monthSwitch: [{ do: 'set', data: 'switched', value: 1 }] } }, '2026-01-31')

    await phone.page.getByRole('button', { name: '下个月' }).click()

    expect(await day('2026-02-28').getAttribute('tabindex')).toBe('0')
    expect(await phone.page.evaluate(() => window.stage.engine().scope().data.switched)).toBe(1)
  })

  it('loses no keystroke while the focus moves', async () => {
    await open()
    await day('2026-02-17').evaluate((one) => {
      one.focus()
      for (const key of ['ArrowDown', 'ArrowRight', 'PageDown'])
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    })

    await expect
      .poll(() => phone.page.evaluate(() => (document.activeElement as HTMLElement).dataset.day))
      .toBe('2026-03-25')
  })

  it('is navigated by the keyboard, and closed by Escape', async () => {
    await open()
    await day('2026-02-17').focus()

    await phone.page.keyboard.press('ArrowDown')
    await phone.page.keyboard.press('ArrowRight')
    await phone.page.keyboard.press('PageDown')
    await expect
      .poll(() => phone.page.evaluate(() => (document.activeElement as HTMLElement).dataset.day))
      .toBe('2026-03-25')
    await phone.page.keyboard.press('Enter')
    await gone()
    expect(await value('d')).toBe('2026-03-25')

    await phone.page.getByLabel('回访日').click()
    await sheet().waitFor()
    await phone.page.keyboard.press('Escape')
    await gone()
    expect(await phone.page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
  })

  it('omits the lunar day and the festivals on request, and shows marks first', async () => {
    await open({ lunar: false, festivals: false, selected: [{ date: '2026-02-17', info: '放假' }] })

    expect(await day('2026-02-18').textContent()).toBe('18')
    expect(await day('2026-02-17').textContent()).toBe('17放假')
  })

  it('does not open while disabled or read-only', async () => {
    for (const state of [{ disabled: true }, { readonly: true }]) {
      await phone.show(aCalendar(state), { values: { d: '2026-02-17' } })
      expect(await phone.page.getByLabel('回访日').isDisabled()).toBe(true)
    }
  })

  it('can be cleared', async () => {
    await phone.show(aCalendar(), { values: { d: '2026-02-17' } })
    await phone.page.getByRole('button', { name: '清除' }).click()
    expect(await value('d')).toBeNull()
  })
})

describe('a range of days', () => {
  const open = async (values = {}) => {
    await phone.show(aDocument([aWidget('date-range', 'r', { label: '有效期' })]), { values })
    await phone.page.getByLabel('有效期').click()
    await sheet().waitFor()
  }

  it('accepts a start and an end, swaps reversed ends, and fills the days between', async () => {
    await open({ r: ['2026-02-01', '2026-02-02'] })

    await day('2026-02-20').click()
    expect(await phone.page.getByText('请选择结束日期').isVisible()).toBe(true)
    await day('2026-02-10').click()

    expect(await phone.page.locator('.vf-between').count()).toBe(9)
    expect(await phone.page.getByText('共 11 天').isVisible()).toBe(true)
    await phone.picture('widgets-date-range')
    await phone.page.getByRole('button', { name: '确定' }).click()
    await gone()
    expect(await value('r')).toEqual(['2026-02-10', '2026-02-20'])
  })

  it('has its ends in order, also where they were given in another', async () => {
    await phone.show(
      aDocument([
        aWidget('date-range', 'r', { label: '有效期', defaultValue: ['2026-11-20', '2026-11-10'] }),
      ]),
    )
    expect(await phone.page.locator('[data-field="r"]').innerText()).toMatch(/2026-11-10\s*~\s*2026-11-20/)
    expect(await value('r')).toEqual(['2026-11-10', '2026-11-20'])
  })

  it('starts again with the third tap', async () => {
    await open({ r: ['2026-02-03', '2026-02-05'] })

    await day('2026-02-18').click()

    expect(await phone.page.locator('[data-day][aria-pressed="true"]').count()).toBe(1)
    expect(await phone.page.getByRole('button', { name: '确定' }).isDisabled()).toBe(true)
  })

  it('can be closed without a change', async () => {
    await open({ r: ['2026-02-03', '2026-02-05'] })
    await day('2026-02-18').click()
    await phone.page.getByRole('button', { name: '关闭' }).click()
    await gone()
    expect(await value('r')).toEqual(['2026-02-03', '2026-02-05'])
  })
})

describe('wheels', () => {
  it('limit a time to its bounds and omit hidden seconds', async () => {
    await phone.show(
      aDocument([
        aWidget('datetime', 'd', {
          label: '时间',
          format: 'YYYY-MM-DD HH:mm:ss',
          hideSecond: true,
          minDate: '2026-03-01 08:30:00',
        }),
      ]),
      { values: { d: '2026-01-01 10:00:00' } },
    )
    await phone.page.getByLabel('时间').click()
    await phone.page.locator('.vf-wheels').waitFor()
    await phone.page.waitForTimeout(500)
    await phone.picture('widgets-datetime')

    await phone.page.getByText('确定').click()

    await expect.poll(() => value('d')).toBe('2026-03-01 08:30')
  })

  it('are beside a calendar for a date and time in steps of a minute or a quarter of an hour', async () => {
    await phone.show(aDocument([aWidget('datetime', 'd', { label: '时间', format: 'YYYY-MM-DD HH:mm' })]), {
      values: { d: '2026-02-17 10:07' },
    })
    await phone.page.getByLabel('时间').click()
    await day('2026-02-20').click()

    expect(await phone.page.locator('.adm-picker-view-column').count()).toBe(2)
    await phone.page.getByRole('spinbutton', { name: '分' }).press('ArrowDown')
    await phone.page.getByRole('button', { name: '确定' }).click()

    await expect.poll(() => value('d')).toBe('2026-02-20 10:15')
  })

  it('mark the shortcut of the current value until another is chosen', async () => {
    const shortcuts: Json = [
      { label: '明天', days: 1, time: '09:00' },
      { label: '3天后', days: 3, time: '09:00' },
    ]
    await phone.show(aDocument([aWidget('datetime', 'd', { label: '时间', shortcuts })]))
    const pressed = () => phone.page.locator('.vf-chip[aria-pressed="true"]').allTextContents()
    expect(await pressed()).toEqual([])

    await phone.page.getByRole('button', { name: '3天后' }).click()
    await expect.poll(pressed).toEqual(['3天后'])
    await phone.page.getByRole('button', { name: '清除' }).click()
    await expect.poll(pressed).toEqual([])
  })

  const confirm = async () => {
    await phone.page.locator('.vf-wheels').waitFor()
    await phone.page.waitForTimeout(500)
    await phone.page.getByText('确定').click()
  }

  it.each<[string, JsonObject, readonly string[]]>([
    ['time-range', { format: 'HH:mm' }, ['09:00', '09:00']],
    ['time-range', { format: 'HH时mm分' }, ['09时00分', '09时00分']],
    [
      'date-range',
      { format: 'YYYY-MM-DD HH:mm', minDate: '2044-01-02 08:30' },
      ['2044-01-02 08:30', '2044-01-02 08:30'],
    ],
  ])('fill an empty %s with %j: the start first, then its end', async (type, options, pair) => {
    await phone.show(aDocument([aWidget(type, 'r', { label: '营业', ...options })]))

    await phone.page.getByRole('button', { name: /营业 开始/ }).click()
    await confirm()
    await phone.page.getByText('营业 结束').waitFor()
    expect(await value('r')).toBeNull()
    await confirm()

    await expect.poll(() => value('r')).toEqual(pair)
    await phone.page.locator('.vf-wheels').waitFor({ state: 'hidden' })
  })

  it('stop at the last day when the user turns to a shorter month', async () => {
    await phone.show(aDocument([aWidget('date', 'd', { label: '日期' })]), { values: { d: '2026-01-31' } })
    await phone.page.getByLabel('日期').click()
    await phone.page.locator('.vf-wheels').waitFor()
    await phone.page.waitForTimeout(500)

    await phone.page.getByRole('spinbutton', { name: '月' }).press('ArrowDown')
    await phone.page.waitForTimeout(600)
    await phone.picture('widgets-date-february')
    await phone.page.getByText('确定').click()

    await expect.poll(() => value('d')).toBe('2026-02-28')
  })

  it.each([
    ['date', '', '', '2026-03-01'],
    ['date', 'yyyy/MM/dd', 'timestamp', '2026/03/01'],
    ['date', 'YYYY 第 ww 周', null, '2026-03-01'],
    ['datetime', null, 'x', '2026-03-01 00:00'],
    ['time', '', 'x', '09:00'],
  ])('store a %s of format %j and valueFormat %j as %j', async (type, format, valueFormat, stored) => {
    const minDate = format === 'yyyy/MM/dd' ? '2026/03/01' : '2026-03-01'
    const bounds = type === 'time' ? {} : { minDate, maxDate: minDate }
    await phone.show(aDocument([aWidget(type, 'd', { label: '日期', format, valueFormat, ...bounds })]))
    await phone.page.getByLabel('日期').click()
    if (type === 'datetime') await phone.page.getByRole('button', { name: '确定' }).click()
    else await confirm()
    await expect.poll(() => value('d')).toMatch(type === 'datetime' ? /^2026-03-01 \d\d:\d\d$/ : stored)
    expect(await phone.page.locator('[data-field="d"]').innerText()).toContain(await value('d'))
  })

  it('do not change a range if the second end is cancelled', async () => {
    await phone.show(aDocument([aWidget('time-range', 'r', { label: '营业' })]))
    await phone.page.getByRole('button', { name: /营业 开始/ }).click()
    await confirm()
    await phone.page.getByText('营业 结束').waitFor()

    await phone.page.getByText('取消').click()

    await phone.page.locator('.vf-wheels').waitFor({ state: 'hidden' })
    expect(await value('r')).toBeNull()
    expect(await phone.page.getByRole('button', { name: /营业 结束/ }).isDisabled()).toBe(true)
  })

  it.each<[string, [string, string], number]>([
    ['YYYY-MM', ['2026-02', '2026-03'], 2],
    ['YYYY', ['2026', '2027'], 1],
  ])('choose a range of %s by its parts, not by days', async (format, [from, to], wheels) => {
    await phone.show(
      aDocument([aWidget('date-range', 'r', { label: '账期', format, valueFormat: format })]),
      {
        values: { r: [from, from] },
      },
    )
    await phone.page.getByRole('button', { name: /账期 结束/ }).click()
    await phone.page.locator('.vf-wheels').waitFor()
    expect(await phone.page.locator('.adm-picker-view-column').count()).toBe(wheels)
    await phone.page.waitForTimeout(500)
    await phone.page.getByRole('spinbutton', { name: wheels === 2 ? '月' : '年' }).press('ArrowDown')
    await phone.page.waitForTimeout(600)
    await phone.picture(`widgets-range-${format}`)
    await confirm()

    await expect.poll(() => value('r')).toEqual([from, to])
  })

  it.each([
    ['HH时mm分', '08时30分', 2],
    ['HH', '08', 1],
    ['mm:ss', '30:15', 2],
    ['HH:mm:ss', '08:30:15', 3],
  ])('write a time as %s, with a wheel for each of its parts', async (format, at, wheels) => {
    await phone.show(aDocument([aWidget('time', 't', { label: '时间', format })]), { values: { t: at } })
    await phone.page.getByLabel('时间').click()
    await phone.page.locator('.vf-wheels').waitFor()
    expect(await phone.page.locator('.adm-picker-view-column').count()).toBe(wheels)
    await confirm()
    await phone.page.locator('.vf-wheels').waitFor({ state: 'hidden' })
    expect(await value('t')).toBe(at)

    await phone.page.getByRole('button', { name: '清除' }).click()
    await phone.page.getByLabel('时间').click()
    await confirm()
    await expect.poll(() => value('t')).toMatch(new RegExp(`^${format.replace(/HH|mm|ss/g, '\\d\\d')}$`))
  })

  it('show and edit a value stored in another format in that of the field', async () => {
    const formats = { format: 'YYYY年MM月DD日', valueFormat: 'YYYY-MM-DD HH:mm:ss' }
    const page = aDocument([
      aWidget('date', 'd', { label: '日期', ...formats, minDate: '2026年03月01日' }),
      aWidget('date-range', 'r', { label: '有效期', ...formats }),
      aWidget('calendar', 'c', { label: '回访日', ...formats }),
    ])
    const values = {
      d: '2026-02-17 00:00:00',
      r: ['2026-02-17 00:00:00', '2026-02-20 00:00:00'],
      c: '2026-02-17 00:00:00',
    }
    await phone.show(page, { values })
    const face = (name: string) => phone.page.locator(`[data-field="${name}"]`).innerText()
    expect(await face('d')).toContain('2026年02月17日')
    expect(await face('r')).toMatch(/2026年02月17日\s*~\s*2026年02月20日/)
    expect(await face('c')).toContain('2026年02月17日')

    await phone.page.getByLabel('日期', { exact: true }).click()
    await confirm()
    await expect.poll(() => value('d')).toBe('2026-03-01 00:00:00')
    await phone.page.getByLabel('回访日').click()
    await day('2026-02-09').click()
    await expect.poll(() => value('c')).toBe('2026-02-09 00:00:00')
    await gone()

    await phone.show(page, { values, readMode: true })
    expect(await face('r')).toContain('2026年02月17日 ~ 2026年02月20日')
  })

  it('accept two times and sort them', async () => {
    await phone.show(aDocument([aWidget('time-range', 'r', { label: '营业', format: 'HH:mm' })]), {
      values: { r: ['09:00', '18:00'] },
    })
    await phone.page.getByRole('button', { name: /营业 结束/ }).click()
    await phone.page.locator('.vf-wheels').waitFor()
    await phone.page.waitForTimeout(500)
    await phone.page.getByText('确定').click()
    await phone.page.waitForTimeout(400)
    expect(await value('r')).toEqual(['09:00', '18:00'])
  })
})

describe('date pickers on a desktop', () => {
  beforeAll(() => phone.page.setViewportSize({ width: 1440, height: 900 }))
  afterAll(() => phone.page.setViewportSize({ width: 390, height: 844 }))
  const show = (type: string, options: JsonObject, values = {}) =>
    phone.show(aDocument([aWidget(type, 'f', { label: '字段', ...options })]), { values })
  const face = () => phone.page.locator('[data-field="f"] button').first()
  const stored = () => value('f')
  const open = async () => {
    await face().click()
    await sheet().waitFor()
    await phone.page.waitForTimeout(200)
  }
  const boxOf = async (part: string) => {
    const box = await phone.page.locator(part).first().boundingBox()
    return box ?? { x: 0, y: 0, width: 0, height: 0 }
  }

  it.each<[string, JsonObject, Json, number]>([
    ['calendar', {}, '2026-02-17', 301],
    ['date', {}, '2026-02-17', 301],
    ['datetime', {}, '2026-02-17 08:30:00', 301],
    ['date', { format: 'YYYY-MM' }, '2026-02', 301],
    ['time', {}, '08:30', 301],
    ['time-range', {}, ['08:30', '18:00'], 301],
    ['date-range', {}, ['2026-02-17', '2026-03-05'], 653],
  ])('open a %s %j below its field, as wide as it needs', async (type, options, value, width) => {
    await show(type, options, { f: value })
    await open()

    const panel = await boxOf('.vf-layer-panel')
    const field = await face().boundingBox()
    expect(panel.width).toBe(width)
    expect(panel.x).toBe(field?.x)
    expect(panel.y).toBe((field?.y ?? 0) + (field?.height ?? 0) + 4)
    expect(panel.y + panel.height).toBeLessThan(900)
    await phone.picture(`desk-${type}-${String(options.format ?? '')}`)
    expect(await seriousFaults(phone.page)).toEqual([])

    await phone.page.keyboard.press('Escape')
    await gone()
    expect(await stored()).toEqual(value)
    expect(await face().evaluate((one) => one === document.activeElement)).toBe(true)
  })

  it('align with the right side of a field at the right edge, and open above a field at the bottom', async () => {
    await show('date', {}, { f: '2026-02-17' })
    await phone.page.locator('#root').evaluate((root: HTMLElement) => {
      root.style.padding = '700px 0 0 1100px'
    })
    await open()

    const panel = await boxOf('.vf-layer-panel')
    const field = await face().boundingBox()
    expect(panel.x + panel.width).toBeCloseTo((field?.x ?? 0) + (field?.width ?? 0), 0)
    expect(panel.y + panel.height).toBe((field?.y ?? 0) - 4)
    await phone.page.keyboard.press('Escape')
    await phone.page.locator('#root').evaluate((root: HTMLElement) => root.removeAttribute('style'))
  })

  it('choose a day by the keyboard, and close', async () => {
    await show('date', {}, { f: '2026-02-17' })
    await face().focus()
    await phone.page.keyboard.press('Enter')
    await sheet().waitFor()

    await phone.page.keyboard.press('ArrowRight')
    await expect
      .poll(() => phone.page.evaluate(() => (document.activeElement as HTMLElement).dataset.day))
      .toBe('2026-02-18')
    await phone.page.keyboard.press('Enter')

    await gone()
    expect(await value('f')).toBe('2026-02-18')
  })

  it('choose a day and a time, then ask for confirmation', async () => {
    await show(
      'datetime',
      { format: 'YYYY-MM-DD HH:mm', minDate: '2026-02-10 08:30' },
      { f: '2026-02-17 10:00' },
    )
    await open()

    expect(await day('2026-02-09').isDisabled()).toBe(true)
    await day('2026-02-10').click()
    expect(await value('f')).toBe('2026-02-17 10:00')
    await phone.page.getByRole('spinbutton', { name: '时' }).press('Home')
    await phone.page.getByRole('spinbutton', { name: '分' }).press('ArrowDown')
    await phone.page.getByRole('button', { name: '确定' }).click()

    await gone()
    expect(await value('f')).toBe('2026-02-10 08:45')
  })

  it('show two months of a range, scroll from the second, and fill the days up to the mouse', async () => {
    await show('date-range', {}, { f: ['2026-02-17', '2026-02-20'] })
    await open()
    expect(await phone.page.locator('.vf-cal-head b').allTextContents()).toEqual(['2026年2月', '2026年3月'])

    await day('2026-02-24').click()
    await day('2026-03-03').hover()
    expect(await phone.page.locator('.vf-between').count()).toBe(6)
    await day('2026-03-31').focus()
    await phone.page.keyboard.press('ArrowRight')
    await expect
      .poll(() => phone.page.locator('.vf-cal-head b').allTextContents())
      .toEqual(['2026年3月', '2026年4月'])
    await phone.page.keyboard.press('Enter')
    await phone.page.getByRole('button', { name: '确定' }).click()

    await gone()
    expect(await value('f')).toEqual(['2026-02-24', '2026-04-01'])
  })

  it('use the phone’s sheet in a low window', async () => {
    await phone.page.setViewportSize({ width: 844, height: 390 })
    await show('date', {}, { f: '2026-02-17' })
    await open()

    expect((await boxOf('.vf-layer-panel')).width).toBe(844)
    await phone.page.keyboard.press('Escape')
    await phone.page.setViewportSize({ width: 1440, height: 900 })
  })
})

it('nothing was logged to the console', () => {
  expect(phone.complaints()).toEqual([])
})
