import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { aDocument, aSubForm, aWidget } from '../../support/a-page.ts'
import { seriousFaults } from '../../support/axe.ts'
import { type OpenStage, openStage, type StagePhone } from '../stage/open-stage.ts'
import type { StageWorld } from '../stage/ports.ts'
import { smallTargets } from './looks.ts'

let stage: OpenStage
let phone: StagePhone
beforeAll(async () => {
  stage = await openStage()
  phone = await stage.phone()
})
afterAll(() => stage.close())

const value = (name = 'f') => phone.page.evaluate((at) => window.stage.engine().values()[at], name)
const show = (type: string, options: JsonObject, world: StageWorld = {}, config: JsonObject = {}) =>
  phone.show(aDocument([aWidget(type, 'f', { label: '字段', ...options })], config), world)
const box = () => phone.page.getByRole('textbox', { name: '字段' })
/** Drags a finger from the element to a fraction of its width, step by step. */
async function draw(selector: string, from: number, to: number): Promise<void> {
  const area = await phone.page.locator(selector).boundingBox()
  if (area === null) throw new Error(`${selector} is not on the screen`)
  const y = area.y + area.height / 2
  await phone.page.mouse.move(area.x + area.width * from, y)
  await phone.page.mouse.down()
  await phone.page.mouse.move(area.x + area.width * to, y, { steps: 5 })
  await phone.page.mouse.up()
}

describe('a stepper', () => {
  it('changes by its step, without rounding errors, and stops at its bounds', async () => {
    await show('stepper', { min: 0, max: 0.3, step: 0.1 }, { values: { f: 0.1 } })
    const more = phone.page.getByRole('button', { name: '字段 增加' })

    await more.click()
    expect(await value()).toBe(0.2)
    await more.click()
    expect(await value()).toBe(0.3)
    expect(await more.isDisabled()).toBe(true)
    expect(await box().inputValue()).toBe('0.3')
    expect(await smallTargets(phone.page, '.vf-stepper')).toEqual([])
  })

  it('returns to its bounds on blur, and to the minimum from an invalid text', async () => {
    await show('stepper', { min: 2, max: 10 }, { values: { f: 5 } })

    await box().fill('99')
    await box().blur()
    expect(await value()).toBe(10)
    await box().fill('很多')
    await box().blur()
    expect(await value()).toBe(2)
    await box().fill('')
    await box().blur()
    expect(await value()).toBe(2)
  })

  it('is 0 for an invalid text if the document sets no minimum', async () => {
    await show('stepper', {}, { values: { f: 5 } })
    await box().fill('')
    await box().blur()
    expect(await value()).toBe(0)
  })

  it('accepts a typed number with a decimal point, and the arrow keys', async () => {
    await show('stepper', { step: 0.5 }, { values: { f: 1 } })
    await box().fill('')
    await box().pressSequentially('2.')
    expect(await box().inputValue()).toBe('2.')
    await box().pressSequentially('5')
    await box().blur()
    expect(await value()).toBe(2.5)

    await box().press('ArrowUp')

    expect(await value()).toBe(3)
  })

  it('has its bounds in order and a step of 1 if the document has neither', async () => {
    await show('stepper', { min: 5, max: 1, step: 0 }, { values: { f: 4 } })
    await box().press('ArrowUp')
    expect(await value()).toBe(5)
    await box().press('ArrowUp')
    expect(await value()).toBe(5)
    await phone.page.getByRole('button', { name: '减少' }).click()
    expect(await value()).toBe(4)
  })
})

describe('a number', () => {
  it('is the minimum if it is invalid, and empty if it is cleared', async () => {
    await show('number', { min: 3 }, { values: { f: 7 } })
    await box().fill('abc')
    await box().blur()
    expect(await value()).toBe(3)
    await box().fill('')
    await box().blur()
    expect(await value()).toBeNull()
  })
})

describe('a number box that changed what was typed', () => {
  const notes = () => phone.page.getByRole('alert').allTextContents()
  const leave = async (text: string) => {
    await box().fill(text)
    await box().blur()
  }

  it.each([['number'], ['stepper']])('(%s) says so until the next keystroke', async (type) => {
    await show(type, { min: 0, max: 100, precision: 2, hint: '可以填小数' }, { values: { f: 7 } })
    await leave('-3')
    expect(await notes()).toEqual(['已改为 0（最小 0）'])
    const described = (await box().getAttribute('aria-describedby')) ?? ''
    const words = await phone.page.evaluate(
      (ids) => ids.split(' ').map((id) => document.getElementById(id)?.textContent),
      described,
    )
    expect(words).toEqual(['可以填小数', '已改为 0（最小 0）'])
    await phone.picture(`widgets-${type}-note`)

    await box().fill('5')
    expect(await notes()).toEqual([])
    await leave('500')
    expect(await notes()).toEqual(['已改为 100（最大 100）'])
    await leave('1.239')
    expect(await notes()).toEqual(['已四舍五入为 1.24'])
    await leave('很多')
    expect(await notes()).toEqual(['包含非数字字符'])
    await leave('6')
    expect(await notes()).toEqual([])
  })

  it('says it of a cell in a row, and no longer when the field has another value', async () => {
    const rows = aSubForm('s', [aWidget('number', 'n', { label: '数量', min: 0 })])
    await phone.show(aDocument([rows]), { values: { s: [{ n: 1 }] } })
    const cell = phone.page.getByLabel('数量')
    await cell.fill('-1')
    await cell.blur()
    expect(await notes()).toEqual(['已改为 0（最小 0）'])

    await phone.page.evaluate(() => window.stage.engine().setValues({ s: [{ n: 3 }] }))
    await expect.poll(notes).toEqual([])
  })
})

describe('a number with controls', () => {
  it.each([['right'], ['']])(
    'changes by its buttons at %j, by its step and within its bounds',
    async (controlsPosition) => {
      await show('number', { controlsPosition, step: 0.5, max: 2, unit: '万元' }, { values: { f: 1 } })
      await phone.page.getByRole('button', { name: '字段 增加' }).click()
      expect(await value()).toBe(1.5)
      await phone.page.getByRole('button', { name: '字段 增加' }).click()
      await phone.page.getByRole('button', { name: '字段 增加' }).click()
      expect(await value()).toBe(2)
      await phone.page.getByRole('button', { name: '字段 减少' }).click()
      expect(await value()).toBe(1.5)
      await phone.picture(`widgets-number-${controlsPosition || 'both'}`)
      expect(await smallTargets(phone.page, '.vf-field')).toEqual([])
    },
  )

  it('ends typing by a button with the page’s text', async () => {
    await show('number', { closeButtonText: '完成', max: 10 })
    const done = phone.page.getByRole('button', { name: '完成' })
    expect(await done.isVisible()).toBe(false)
    await box().fill('99')
    await done.click()
    expect(await value()).toBe(10)
    expect(await box().evaluate((input) => input === document.activeElement)).toBe(false)
  })
})

describe('a text', () => {
  it.each([
    [true, '  a b ', 'a b'],
    ['left', '  a ', 'a '],
    ['end', ' a ', ' a'],
    ['all', ' a b ', 'ab'],
    [false, ' a ', ' a '],
  ])('trimmed by %j turns %j into %j', async (trim, typed, kept) => {
    await show('input', { trim })
    await box().pressSequentially(typed)
    await box().blur()
    expect(await value()).toBe(kept)
  })

  it('can show and hide a password', async () => {
    await show('input', { type: 'password' }, { values: { f: 'Crm@2026' } })
    const input = phone.page.getByLabel('字段', { exact: true })
    expect(await input.getAttribute('type')).toBe('password')
    await phone.page.getByRole('button', { name: '显示密码' }).click()
    expect(await input.getAttribute('type')).toBe('text')
    await phone.page.getByRole('button', { name: '隐藏密码' }).click()
    expect(await input.getAttribute('type')).toBe('password')
  })

  it('accepts ten thousand characters by default, and up to the maximum of the page', async () => {
    await show('input', {})
    expect(await box().getAttribute('maxlength')).toBe('10000')
    await show('input', { maxLength: 5, showWordLimit: true })
    await box().pressSequentially('1234567')
    expect(await value()).toBe('12345')
    expect(await phone.page.getByText('5/5').isVisible()).toBe(true)
  })

  it.each([['input'], ['textarea']])(
    '(%s) tells what it had no room for, until the next keystroke',
    async (type) => {
      const notes = () => phone.page.getByRole('alert').allTextContents()
      const field = aWidget(type, 'f', { label: '字段', maxLength: 5, showWordLimit: true })
      const other = aWidget('input', 'g', { label: '原文' })
      await phone.show(aDocument([field, other]), { values: { g: '1234567' } })
      await phone.page.getByRole('textbox', { name: '原文' }).press('Control+A')
      await phone.page.keyboard.press('Control+C')

      await box().press('Control+V')
      expect([await value(), await notes()]).toEqual(['12345', ['最多 5 字，末尾 2 字没有粘贴']])
      expect(await seriousFaults(phone.page)).toEqual([])
      await phone.picture(`widgets-${type}-pasted`)
      await box().blur()
      expect(await notes()).toHaveLength(1)

      await box().press('End')
      await phone.page.keyboard.press('Backspace')
      expect(await notes()).toEqual([])
      await box().press('Control+V')
      expect(await notes()).toEqual(['最多 5 字，末尾 6 字没有粘贴'])
    },
  )

  it('is cleared by a button that the keyboard reaches, and keeps the focus', async () => {
    await show('input', { on: { clear: [{ do: 'toast', text: 'cleared' }] } }, { values: { f: 'x' } })
    await box().focus()
    await phone.page.keyboard.press('Tab')
    await phone.page.keyboard.press('Enter')
    expect(await value()).toBeNull()
    expect(await phone.asked()).toContainEqual(['toast', 'cleared'])
    expect(await box().evaluate((input) => input === document.activeElement)).toBe(true)
  })

  it('has a button after it, a hint at its label, a colon and an alignment', async () => {
    const on = { appendButtonClick: [{ do: 'toast', text: 'looked up' }] }
    await show(
      'input',
      {
        on,
        appendButton: true,
        appendButtonLabel: '查询',
        labelTooltip: '工商登记的全称',
        labelAlign: 'right',
        inputAlign: 'right',
      },
      {},
      { colon: true, labelWidth: 100 },
    )
    await phone.page.getByRole('button', { name: '查询' }).click()
    await phone.page.getByRole('button', { name: '字段说明' }).click()

    expect(await phone.asked()).toContainEqual(['toast', 'looked up'])
    expect(await phone.page.getByText('工商登记的全称').isVisible()).toBe(true)
    const label = phone.page.locator('.vf-label')
    expect(await label.textContent()).toBe('字段：')
    expect(
      await label.evaluate((one) => [getComputedStyle(one).textAlign, (one as HTMLElement).offsetWidth]),
    ).toEqual(['right', 100])
    expect(await box().evaluate((one) => getComputedStyle(one).textAlign)).toBe('right')
    await phone.picture('widgets-input')
    expect(await smallTargets(phone.page, '.vf-field')).toEqual([])
  })
})

describe('the alignment of the form', () => {
  it('applies to every field without its own', async () => {
    const items = { optionItems: [{ label: '甲', value: 'a' }], defaultValue: 'a' }
    await phone.show(
      aDocument(
        [
          aWidget('input', 'a', { defaultValue: '甲' }),
          aWidget('input', 'b', { defaultValue: '甲', inputAlign: 'left' }),
          aWidget('textarea', 'c', { defaultValue: '甲' }),
          aWidget('number', 'd', { defaultValue: 1 }),
          aWidget('select', 'e', items),
          aWidget('date', 'f', { defaultValue: '2026-02-17' }),
          aWidget('input', 'g', { defaultValue: '甲', readMode: true }),
        ],
        { inputAlign: 'right' },
      ),
    )
    const aligned = await phone.page
      .locator('.vf-control :is(input, textarea, .vf-picker-text, .vf-read)')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).textAlign.replace('start', 'left')))
    expect(aligned).toEqual(['right', 'left', 'right', 'right', 'right', 'right', 'right'])
  })
})

describe('stars', () => {
  const stars = () => phone.page.getByRole('slider', { name: '字段' })

  it('are set by a tap, half a star in the left half', async () => {
    await show('rate', { allowHalf: true })
    await draw('.vf-stars', 0.25, 0.25)
    expect(await value()).toBe(1.5)
    await draw('.vf-stars', 0.35, 0.35)
    expect(await value()).toBe(2)
  })

  it('follow a finger and the keys, and are at least one', async () => {
    await show('rate', { showScore: true })
    await draw('.vf-stars', 0.1, 0.75)
    expect(await value()).toBe(4)
    await draw('.vf-stars', 0.5, 0)
    expect(await value()).toBe(1)
    await stars().focus()
    await phone.page.keyboard.press('ArrowRight')
    expect(await value()).toBe(2)
    await phone.page.keyboard.press('End')
    expect(await value()).toBe(5)
    expect(await stars().getAttribute('aria-valuetext')).toBe('5 星，共 5 星')
    expect(await smallTargets(phone.page, '.vf-rate')).toEqual([])
  })

  it.each([['disabled'], ['readonly']])('do not change while %s', async (state) => {
    await show('rate', { [state]: true }, { values: { f: 3 } })
    await draw('.vf-stars', 0.1, 0.9)
    await phone.page.evaluate(() => document.querySelector<HTMLElement>('.vf-stars')?.focus())
    await phone.page.keyboard.press('ArrowRight')
    expect(await value()).toBe(3)
  })
})

describe('a slider', () => {
  const handle = (name: string) => phone.page.getByRole('slider', { name })

  it('snaps to its step on release, and follows the keys', async () => {
    await show('slider', { min: 0, max: 100, step: 10 }, { values: { f: 20 } })
    await draw('.vf-slider', 0.2, 0.57)
    expect(await value()).toBe(60)
    await handle('字段').focus()
    await phone.page.keyboard.press('ArrowLeft')
    expect(await value()).toBe(50)
    await phone.page.keyboard.press('Home')
    expect(await value()).toBe(0)
    expect(await smallTargets(phone.page, '.vf-slider-line')).toEqual([])
  })

  it('goes from 0 to 100 by 1 by default', async () => {
    await show('slider', {}, { values: { f: 41 } })
    await handle('字段').focus()
    await phone.page.keyboard.press('ArrowRight')
    expect(await value()).toBe(42)
    await phone.page.keyboard.press('End')
    expect(await value()).toBe(100)
  })

  it('has two handles from 0 to 1000 by 50 as a range, which swap when they cross', async () => {
    await show('slider', { range: true }, { values: { f: [200, 600] } })
    await draw('.vf-slider', 0.2, 0.82)
    expect(await value()).toEqual([600, 800])
    expect(await phone.page.locator('output').textContent()).toBe('600~800')
    await draw('.vf-slider', 0.8, 0.96)
    expect(await value()).toEqual([600, 1000])
    await handle('字段 开始').focus()
    await phone.page.keyboard.press('ArrowLeft')
    expect(await value()).toEqual([550, 1000])
    await phone.picture('widgets-slider')
    expect(await seriousFaults(phone.page)).toEqual([])
  })

  it.each([
    [{ min: 10, max: 5 }, 7, 8, 10],
    [{ step: 0 }, 7, 8, 100],
  ])('has a scale with %j', async (options, start, next, last) => {
    await show('slider', options, { values: { f: start } })
    await handle('字段').focus()
    await phone.page.keyboard.press('ArrowRight')
    expect(await value()).toBe(next)
    await phone.page.keyboard.press('End')
    expect(await value()).toBe(last)
  })

  it('has its two values in order, also where they were given in another', async () => {
    await show('slider', { range: true }, { values: { f: [900, 100] } })
    expect(await phone.page.locator('output').textContent()).toBe('100~900')
    expect(await value()).toEqual([100, 900])
  })

  it('reports a range outside its scale to the console', async () => {
    phone.allow(/请在0-1000范围中设置/)
    const said = phone.page.waitForEvent('console', (message) => message.text() === '请在0-1000范围中设置')
    await show('slider', { range: true }, { values: { f: [-50, 600] } })
    expect((await said).type()).toBe('error')
  })

  it('is vertical if it has a height', async () => {
    await show('slider', { height: 160 }, { values: { f: 50 } })
    const track = await phone.page.locator('.vf-slider').boundingBox()
    expect(track?.height).toBe(160)
    await handle('字段').focus()
    await phone.page.keyboard.press('ArrowUp')
    expect(await value()).toBe(51)
  })
})

describe('a switch', () => {
  it('stores its own values and shows its own texts', async () => {
    const options = {
      activeValue: 1,
      inactiveValue: 0,
      activeText: '启用',
      inactiveText: '停用',
      activeColor: 'rgb(0, 128, 0)',
    }
    await show('switch', options, { values: { f: 0 } })
    const knob = phone.page.getByRole('switch', { name: '字段' })
    expect(await phone.page.getByText('停用').isVisible()).toBe(true)

    await knob.click()

    expect(await value()).toBe(1)
    expect(await phone.page.getByText('启用').isVisible()).toBe(true)
    await expect
      .poll(() => knob.evaluate((one) => getComputedStyle(one).backgroundColor))
      .toBe('rgb(0, 128, 0)')
    expect(await smallTargets(phone.page, '.vf-switch-line')).toEqual([])
    await phone.page.keyboard.press('Space')
    expect(await value()).toBe(0)
  })

  it('is read aloud with its texts, or yes and no', async () => {
    await show('switch', {}, { values: { f: true }, readMode: true })
    expect(await phone.page.locator('.vf-read').textContent()).toBe('是')
    await show('switch', { inactiveLabel: '未启用' }, { values: { f: false }, readMode: true })
    expect(await phone.page.locator('.vf-read').textContent()).toBe('未启用')
  })
})

it('nothing was logged to the console', () => {
  expect(phone.complaints()).toEqual([])
})

describe('slots', () => {
  const open = () =>
    show(
      'sortable-slots',
      {
        slots: [{ key: 'bar', title: '导航', min: 1, max: 4 }],
        candidates: { bar: ['客户', '合同', '产品'].map((title, i) => ({ id: i + 1, title })) },
        fixed: [{ slot: 'bar', at: 'first', title: '首页' }],
      },
      { values: { f: { bar: [1, 2, 3] } } },
    )
  const handle = (title: string) => phone.page.getByRole('button', { name: `拖动${title}` })
  const said = () => phone.page.locator('.vf-slot [aria-live="assertive"]').innerText()
  const keys = async (...names: readonly string[]) => {
    for (const name of names) await phone.page.keyboard.press(name)
  }

  it('are sorted by the keyboard, report the change and keep the focus; Escape restores an entry', async () => {
    await open()
    await handle('客户').focus()

    await keys('Space', 'ArrowDown', 'ArrowDown', 'ArrowDown')
    expect(await said()).toBe('客户移到第 3 项，共 3 项')
    await keys('Escape')
    expect([await said(), await value()]).toEqual(['已取消，客户回到原位', { bar: [1, 2, 3] }])
    await keys('Space', 'ArrowDown', 'Space')
    expect([await said(), await value()]).toEqual(['客户放在第 2 项，共 3 项', { bar: [2, 1, 3] }])
    await keys('Enter', 'ArrowUp', 'Enter')
    expect(await value()).toEqual({ bar: [1, 2, 3] })
    expect(await handle('客户').evaluate((it) => it === document.activeElement)).toBe(true)
    await keys('Space', 'ArrowDown', 'Tab')
    expect(await value()).toEqual({ bar: [2, 1, 3] })
    await keys('Space', 'ArrowDown')
    await handle('合同').focus()
    expect([await said(), await value()]).toEqual(['已取消，客户回到原位', { bar: [2, 1, 3] }])
  })

  it('follow the pointer, make room, and stay if it hardly moves or Escape is pressed', async () => {
    await open()
    const at = await handle('产品').boundingBox()
    if (at === null) throw new Error('the handle is not on the screen')
    const [x, y] = [at.x + at.width / 2, at.y + at.height / 2]
    const move = async (by: number) => {
      await phone.page.mouse.move(x, y)
      await phone.page.mouse.down()
      await phone.page.mouse.move(x, y + by, { steps: 4 })
    }
    const topOf = async (title: string) => Math.round((await handle(title).boundingBox())?.y ?? 0)
    const before = await topOf('合同')

    await move(3)
    await phone.page.mouse.up()
    expect([await said(), await value()]).toEqual(['', { bar: [1, 2, 3] }])
    await move(-45)
    expect(await said()).toBe('产品移到第 2 项，共 3 项')
    expect(await topOf('产品')).toBe(Math.round(at.y) - 45)
    await expect.poll(() => topOf('合同')).toBeGreaterThan(before + 40)
    await keys('Escape')
    await phone.page.mouse.up()
    expect([await said(), await value()]).toEqual(['已取消，产品回到原位', { bar: [1, 2, 3] }])
    await move(-500)
    await phone.page.mouse.up()
    expect([await said(), await value()]).toEqual(['产品放在第 1 项，共 3 项', { bar: [3, 1, 2] }])
  })
})
