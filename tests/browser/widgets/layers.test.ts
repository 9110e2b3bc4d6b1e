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

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const text = aWidget('input', 'inside', { label: '备注' })
const aPopup = (options: JsonObject): JsonObject =>
  aWidget(
    'popup',
    'p',
    { label: '', ...options },
    { category: 'container', widgetList: [text] as readonly Json[] },
  )
const opener = aWidget('button', 'b', { label: '打开', on: { click: [{ do: 'openSheet', name: 'p' }] } })
const open = async (options: JsonObject, config: JsonObject = {}) => {
  await phone.show(aDocument([opener, aPopup(options)], config))
  await phone.page.getByRole('button', { name: '打开' }).click()
  await layer().waitFor()
  await phone.page.waitForTimeout(350)
}
const layer = () => phone.page.locator('.vf-layer')
const gone = () => layer().waitFor({ state: 'detached' })
const isOpen = () => phone.page.evaluate(() => window.stage.engine().node('p').options.open)
const mask = () => phone.page.locator('.vf-layer-mask').click({ position: { x: 5, y: 5 }, force: true })

describe('a popup', () => {
  it.each([['center'], ['top'], ['bottom'], ['left'], ['right']])(
    'comes from %s, holds its widgets, and disappears 300 ms after a tap on the mask',
    async (type) => {
      await open({ type, label: '筛选' })
      expect(await phone.page.getByLabel('备注').isVisible()).toBe(true)
      await phone.picture(`widgets-popup-${type}`)
      expect(await seriousFaults(phone.page)).toEqual([])

      if (type === 'top') await phone.page.keyboard.press('Escape')
      else
        await phone.page
          .locator('.vf-layer-mask')
          .click({ position: type === 'left' ? { x: 380, y: 400 } : { x: 5, y: 5 } })

      expect(await isOpen()).toBe(false)
      expect(await layer().count()).toBe(1)
      await gone()
    },
  )

  it('opens for a field with a fault, which receives the focus at once', async () => {
    await open({ type: 'bottom', label: '筛选' })

    const tookMs = await phone.page.evaluate(async () => {
      const begun = performance.now()
      await window.stage.reveal('inside')
      return performance.now() - begun
    })

    expect(await phone.page.getByLabel('备注').evaluate((box) => box === document.activeElement)).toBe(true)
    expect(tookMs).toBeLessThan(300)
    await mask()
    await gone()
  })

  it('has z-index 3000, or that of the form', async () => {
    await open({})
    expect(await layer().evaluate((one) => (one as HTMLElement).style.zIndex)).toBe('3000')
    await open({}, { popupZIndex: 3500 })
    expect(await layer().evaluate((one) => (one as HTMLElement).style.zIndex)).toBe('3500')
  })

  it('traps the focus, returns it, and stops the page below from scrolling', async () => {
    await open({ label: '筛选' })
    expect(await phone.page.evaluate(() => document.body.style.overflow)).toBe('hidden')
    for (let i = 0; i < 4; i += 1) {
      await phone.page.keyboard.press('Tab')
      expect(await phone.page.evaluate(() => document.activeElement?.closest('.vf-layer') !== null)).toBe(
        true,
      )
    }

    await phone.page.keyboard.press('Escape')

    await gone()
    expect(await phone.page.evaluate(() => document.activeElement?.textContent)).toBe('打开')
    expect(await phone.page.evaluate(() => document.body.style.overflow)).toBe('')
  })

  it('reports a tap on the mask, and stays if the page forbids closing', async () => {
    await open({ maskClick: false, on: { maskClick: [{ do: 'toast', text: 'beside' }] } })
    await mask()
    expect(await phone.asked()).toContainEqual(['toast', 'beside'])
    expect(await isOpen()).toBe(true)
  })

  it("has the page's style", async () => {
    await open({
      backgroundColor: 'rgb(250, 240, 230)',
      borderRadius: '20px',
      maskColor: 'rgb(0, 0, 255)',
      animation: false,
    })
    const panel = phone.page.locator('.vf-layer-panel')
    expect(
      await panel.evaluate((one) => [
        getComputedStyle(one).backgroundColor,
        getComputedStyle(one).borderRadius,
      ]),
    ).toEqual(['rgb(250, 240, 230)', '20px'])
    expect(
      await phone.page.locator('.vf-layer-mask').evaluate((one) => getComputedStyle(one).backgroundColor),
    ).toBe('rgb(0, 0, 255)')
  })
})

describe('a popup with its own contents', () => {
  it('can be a dialog that asks for text', async () => {
    await open({
      type: 'dialog',
      mode: 'input',
      label: '转交说明',
      maxlength: 20,
      on: { confirm: [{ do: 'set', data: 'said', value: 1 }] },
    })
    expect(await phone.page.getByRole('alertdialog').isVisible()).toBe(true)
    await mask()
    expect(await isOpen()).toBe(true)
    await phone.page.keyboard.type('请尽快联系')
    await phone.picture('widgets-dialog')
    expect(await seriousFaults(phone.page)).toEqual([])
    expect(await smallTargets(phone.page, '.vf-dialog')).toEqual([])

    await phone.page.keyboard.press('Enter')

    await gone()
    expect(await phone.page.evaluate(() => window.stage.engine().scope().data.said)).toBe(1)
  })

  it('stays open if the page closes it itself', async () => {
    await open({ type: 'dialog', beforeClose: true, content: '确定提交？' })
    await phone.page.getByRole('button', { name: '确定' }).click()
    expect(await isOpen()).toBe(true)
    await phone.page.getByRole('button', { name: '取消' }).click()
    await gone()
  })

  it('can be a passing message', async () => {
    await phone.show(
      aDocument([opener, aPopup({ type: 'message', content: '已保存', tone: 'success', duration: 600 })]),
    )
    await phone.page.getByRole('button', { name: '打开' }).click()
    await phone.page.getByText('已保存').waitFor()
    await phone.picture('widgets-message')
    expect(await phone.page.evaluate(() => document.activeElement?.textContent)).toBe('打开')
    await gone()
    expect(await isOpen()).toBe(false)
  })

  it('can be a share sheet', async () => {
    await open({ type: 'share', on: { select: [{ do: 'toast', text: 'shared' }] } })
    expect(await phone.page.locator('.vf-share-items span').allTextContents()).toEqual([
      '微信',
      '支付宝',
      'QQ',
      '新浪',
    ])
    await phone.picture('widgets-share')
    await phone.page.getByRole('button', { name: '支付宝' }).click()
    await gone()
    expect(await phone.asked()).toContainEqual(['toast', 'shared'])
  })
})

describe('a dialog and a drawer that hold widgets', () => {
  const hosting = (type: string, options: JsonObject): JsonObject =>
    aWidget(
      type,
      'p',
      { title: '补充资料', ...options },
      { category: 'container', widgetList: [text] as readonly Json[] },
    )
  const show = async (type: string, options: JsonObject = {}) => {
    await phone.show(aDocument([opener, hosting(type, options)]))
    await phone.page.getByRole('button', { name: '打开' }).click()
    await layer().waitFor()
    await phone.page.waitForTimeout(350)
  }
  const panelBox = async () =>
    (await phone.page.locator('.vf-layer-panel').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

  it.each([
    ['dialog', {}, 'center'],
    ['vf-dialog', { fullscreen: true }, 'center'],
    ['drawer', {}, 'right'],
    ['vf-drawer', { direction: 'ltr', size: 200 }, 'left'],
    ['drawer', { direction: 'ttb' }, 'top'],
    ['drawer', { direction: 'btt', size: '50%' }, 'bottom'],
  ])('opens %s with %j from the %s, and its buttons report', async (type, options, side) => {
    const say = (word: string) => [{ do: 'toast', text: word }]
    await show(type, {
      ...options,
      on: {
        okButtonClick: say('ok'),
        cancelButtonClick: say('cancel'),
        dialogBeforeClose: say('before'),
        close: say('closed'),
      },
    })
    expect(await phone.page.locator(`.vf-layer-${side}`).count()).toBe(1)
    // It slides in.
    const stands = async (): Promise<boolean> => {
      const { x, width } = await panelBox()
      return x >= 0 && x + width <= 390
    }
    await expect.poll(stands).toBe(true)
    expect(await seriousFaults(phone.page)).toEqual([])
    expect(await smallTargets(phone.page, '.vf-layer')).toEqual([])
    await phone.picture(`widgets-${type}-${side}`)
    await phone.page.getByLabel('备注').fill('写下的')

    await phone.page.getByRole('button', { name: '确定' }).click()

    await gone()
    expect((await phone.asked()).map(([, word]) => word)).toEqual(['ok', 'before', 'closed'])
    expect(await phone.page.evaluate(() => window.stage.engine().values().inside)).toBe('写下的')
    await phone.page.getByRole('button', { name: '打开' }).click()
    await phone.page.getByRole('button', { name: '取消' }).click()
    await expect.poll(isOpen).toBe(false)
  })

  it('is open from the start if an older document declares it, without its hidden buttons', async () => {
    await phone.show(
      aDocument([
        hosting('drawer', {
          visible: true,
          okButtonHidden: true,
          cancelButtonHidden: true,
          showClose: false,
          closeOnClickModal: false,
        }),
      ]),
    )
    await layer().waitFor()
    expect(await phone.page.locator('.vf-layer button').count()).toBe(0)
    await mask()
    expect(await isOpen()).not.toBe(false)
    await phone.page.locator('.vf-layer-panel').focus()
    await phone.page.keyboard.press('Escape')
    await gone()
  })

  it('opens when a field in it must be revealed', async () => {
    await phone.show(aDocument([opener, hosting('dialog', {})]))
    await phone.page.evaluate(() => window.stage.reveal('inside'))
    await expect
      .poll(() => phone.page.evaluate(() => document.activeElement?.closest('.vf-layer') !== null))
      .toBe(true)
  })
})

describe('a picker of a field inside a popup', () => {
  const items = {
    optionItems: [
      { label: '甲', value: 'a' },
      { label: '乙', value: 'b' },
    ],
  }
  const picture = { defaultValue: [{ name: 'a.png', url: PIXEL }] }
  const pickers: readonly (readonly [string, JsonObject])[] = [
    ['date', {}],
    ['datetime', {}],
    ['time', {}],
    ['date-range', {}],
    ['time-range', {}],
    ['calendar', {}],
    ['select', items],
    ['cascader', items],
    ['data-picker', items],
    ['picture-upload', picture],
  ]

  it.each(pickers)('lies above the popup: %s', async (type, options) => {
    await phone.show(
      aDocument([
        opener,
        aWidget(
          'popup',
          'p',
          { label: '筛选', type: 'bottom' },
          {
            category: 'container',
            widgetList: [aWidget(type, 'f', { label: '字段', ...options })],
          },
        ),
      ]),
    )
    await phone.page.getByRole('button', { name: '打开' }).click()
    const popup = phone.page.locator('.vf-layer').first()
    await popup.waitFor()
    await phone.page.waitForTimeout(350)
    const field = phone.page.locator('[data-field="f"]')

    await field
      .locator(type === 'picture-upload' ? 'img' : 'button')
      .first()
      .click()
    await phone.page.locator('.vf-layer').nth(1).waitFor()
    await phone.page.waitForTimeout(500)

    const onTop = await popup.evaluate((one) => {
      const at = document.elementFromPoint(195, 820)
      return at !== null && !one.contains(at)
    })
    expect(onTop).toBe(true)
  })

  it('is closed by Escape before the popup is', async () => {
    await phone.show(
      aDocument([
        opener,
        aWidget(
          'popup',
          'p',
          { label: '筛选' },
          { category: 'container', widgetList: [aWidget('date', 'f')] },
        ),
      ]),
    )
    await phone.page.getByRole('button', { name: '打开' }).click()
    await phone.page.locator('[data-field="f"] button').first().click()
    await phone.page.locator('.vf-wheels').waitFor()

    await phone.page.keyboard.press('Escape')

    await phone.page.locator('.vf-wheels').waitFor({ state: 'detached' })
    expect(await isOpen()).toBe(true)
  })
})

describe('the topmost layer', () => {
  it('receives the keys: Tab stays in the wheels, not in the popup below', async () => {
    await phone.show(
      aDocument([
        opener,
        aWidget(
          'popup',
          'p',
          { label: '筛选' },
          { category: 'container', widgetList: [aWidget('date', 'f'), text] },
        ),
      ]),
    )
    await phone.page.getByRole('button', { name: '打开' }).click()
    await phone.page.locator('[data-field="f"] button').first().click()
    await phone.page.locator('.vf-wheels').waitFor()

    for (let i = 0; i < 7; i += 1) {
      expect(
        await phone.page.evaluate(() => document.activeElement?.closest('.vf-sheet-panel') !== null),
      ).toBe(true)
      await phone.page.keyboard.press('Tab')
    }
    await phone.page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await phone.page.keyboard.press('Escape')

    await phone.page.locator('.vf-wheels').waitFor({ state: 'detached' })
    expect(await isOpen()).toBe(true)
    expect(
      await phone.page.evaluate(() => document.activeElement?.closest('[data-field="f"]') !== null),
    ).toBe(true)
  })

  it('returns the focus even if one of its inputs had it from the beginning', async () => {
    await open({ type: 'dialog', mode: 'input', label: '转交说明' })
    expect(await phone.page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    await phone.page.keyboard.press('Escape')

    await gone()
    expect(await phone.page.evaluate(() => document.activeElement?.textContent)).toBe('打开')
  })
})

it('nothing was logged to the console', () => {
  expect(phone.complaints()).toEqual([])
})
