import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { box, hears, inSight } from '../support/acts.ts'
import { seriousFaults } from '../support/axe.ts'
import { long } from '../support/long.ts'
import type { Phone, PhoneLook } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

const FORM = '/pages/customer/my/add'
const LOOKS: readonly (readonly [name: string, look: PhoneLook, options?: typeof long])[] = [
  ['a desk', { width: 1440, height: 900, text: 1, touch: false }],
  ['a small desk', { width: 1280, height: 800, text: 1, touch: false }, long],
  ['a phone', { width: 390, height: 844, text: 1 }],
  ['a phone with text of twice the size', { width: 390, height: 844, text: 2 }, long],
]

describe('every pane of the workbench', { timeout: 120_000 }, () => {
  const stage = aStage()

  for (const [name, look, more = {}] of LOOKS)
    it(`has on ${name} no serious axe findings, and does not exceed the screen`, more, async () => {
      const phone = await stage.signedIn('admin', `/pages/admin/page/design?path=${FORM}`, look)
      const bench = phone.page.locator('.wb')
      await bench.locator('.wb-paper').getByText('客户名称').first().waitFor()
      const found = look.width < 600 ? await onPhone(phone, bench) : await atDesk(phone, bench)

      expect(found).toEqual([])
    })
})

describe('a quick fix on a phone', { timeout: 120_000 }, () => {
  const stage = aStage()

  it('finds a widget, changes it by its properties and in the code, publishes and reverts, with a finger alone', async () => {
    const seller = await stage.signedIn('demo', FORM)
    await box(seller.page, 'name').fill('银河')
    const phone = await stage.signedIn('admin', `/pages/admin/page/design?path=${FORM}`)
    const { page } = phone
    const bench = page.locator('.wb')
    const pane = (name: string) =>
      bench.getByRole('navigation', { name: '面板' }).getByRole('button', { name, exact: true }).tap()
    await pane('结构')
    await bench.getByRole('treeitem', { name: '联系人' }).tap()
    await pane('属性')
    await bench.getByRole('textbox', { name: '标签', exact: true }).fill('对接人')
    await pane('代码')
    const code = bench.getByLabel('代码', { exact: true })
    await code.locator('.cm-line').filter({ hasText: '"placeholder": "姓名"' }).tap()
    await page.keyboard.press('End')
    for (let i = 0; i < '名",'.length; i += 1) await page.keyboard.press('Backspace')
    await page.keyboard.insertText('氏",')
    await pane('画布')
    await bench.locator('.wb-paper').getByPlaceholder('姓氏').waitFor()
    await bench.getByRole('button', { name: '发布', exact: true }).tap()
    const asked = bench.getByRole('dialog', { name: '发布这一页' })
    await asked.getByText('对接人：占位提示 “姓名” → “姓氏”').waitFor()
    await asked.getByRole('button', { name: '发布', exact: true }).tap()
    await hears(phone, '已发布，版本 1')
    await inSight(seller.page).getByPlaceholder('姓氏').waitFor()
    await inSight(seller.page).getByText('对接人').waitFor()

    await pane('版本')
    await bench.getByRole('button', { name: '回到这一版' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).tap()
    await hears(phone, '已回到产品自带')
    await inSight(seller.page).getByPlaceholder('姓名').waitFor()
    expect(await box(seller.page, 'name').inputValue()).toBe('银河')

    // An unfinished change can be discarded there as well.
    await pane('结构')
    await bench.getByRole('treeitem', { name: '联系人' }).tap()
    await pane('属性')
    await bench.getByRole('textbox', { name: '标签', exact: true }).fill('谁')
    await pane('版本')
    await bench.getByRole('button', { name: '放弃草稿' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).tap()
    await bench.getByRole('button', { name: '放弃草稿' }).waitFor({ state: 'detached' })
    await phone.picture('phone-repair')
  })
})

async function atDesk(phone: Phone, bench: Locator): Promise<readonly string[]> {
  const found: string[] = []
  const look = async (name: string) => found.push(...(await faultsOf(phone, name)))
  for (const name of ['结构', '组件', '数据']) {
    await bench.getByRole('tab', { name, exact: true }).click()
    await look(name)
  }
  await bench.getByRole('tab', { name: '结构', exact: true }).click()
  await bench.getByRole('treeitem', { name: '联系人' }).click()
  for (const name of ['属性', '检查', '运行', '版本']) {
    await bench.getByRole('tab', { name, exact: true }).click()
    if (name === '属性') await openAll(bench)
    await look(name)
  }
  for (const name of ['试用', '代码']) {
    await bench.getByRole('button', { name, exact: true }).click()
    await look(name)
  }
  return found
}

async function onPhone(phone: Phone, bench: Locator): Promise<readonly string[]> {
  const found: string[] = []
  const look = async (name: string) => found.push(...(await faultsOf(phone, name)))
  const foot = bench.getByRole('navigation', { name: '面板' })
  await foot.getByRole('button', { name: '结构', exact: true }).click()
  await bench.getByRole('treeitem', { name: '联系人' }).click()
  for (const name of ['画布', '结构', '组件', '属性', '代码', '检查', '运行', '版本']) {
    await foot.getByRole('button', { name, exact: true }).click()
    if (name === '属性') await openAll(bench)
    await look(name)
  }
  return found
}

/** Expands all option groups of the selected item. */
async function openAll(bench: Locator): Promise<void> {
  const folds = bench.locator('.wb-props details')
  await folds.first().waitFor()
  await folds.evaluateAll((all) => {
    for (const one of all as HTMLDetailsElement[]) one.open = true
  })
  await bench.getByLabel('这个组件的 JSON').first().waitFor()
}

async function faultsOf({ page, picture }: Phone, pane: string): Promise<readonly string[]> {
  await page.waitForTimeout(200)
  const serious = (await seriousFaults(page, { within: ['.wb'] })).map((what) => `${pane}: ${what}`)
  const out = (await beyond(page)).map((what) => `${pane}: stands out: ${what}`)
  if (serious.length + out.length > 0) await picture(`pane-${pane}-${page.viewportSize()?.width}`)
  return [...serious, ...out]
}

/** Controls and texts that are cut off at the side of the screen. */
function beyond(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const wide =
      document.documentElement.scrollWidth > innerWidth
        ? [`the page: ${document.documentElement.scrollWidth}`]
        : []
    const controls = [...document.querySelectorAll('.wb :is(button, input, select, textarea, h1, h2)')]
    const cut = controls.filter((one) => {
      const { left, right, width } = one.getBoundingClientRect()
      const scrolls = (at: Element | null): boolean =>
        at !== null &&
        ((/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) ||
          scrolls(at.parentElement))
      const isSeen = width > 0 && one.checkVisibility() && one.closest('.wb-paper') === null
      return isSeen && (left < -1 || right > innerWidth + 1) && !scrolls(one.parentElement)
    })
    return [
      ...wide,
      ...cut.map((one) => `${one.tagName} ${one.textContent || one.getAttribute('aria-label')}`),
    ]
  })
}
