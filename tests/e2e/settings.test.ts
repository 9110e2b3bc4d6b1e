import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  arrive,
  ask,
  box,
  button,
  field,
  goTo,
  inSight,
  logIn,
  open,
  PASSWORD,
  PNG,
  toasted,
} from '../support/acts.ts'
import type { Phone } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

const MENU = '/pages/my/setting/menu'
const ADD = '/pages/customer/my/add'
describe('my settings', () => {
  const stage = aStage()

  it('switch the tenant with a new token, and give each tenant its own draft', async () => {
    const phone = await anotherDevice()
    await open(phone, ADD)
    await box(phone.page, 'name').fill('星海的草稿')
    await phone.page.waitForTimeout(500)
    const token = await phone.page.evaluate(() => localStorage.getItem('token'))

    await switchTo(phone, '云帆贸易')
    const moved = await phone.page.evaluate(() => localStorage.getItem('token'))
    await inSight(phone.page).getByText('云帆贸易').first().waitFor()
    await open(phone, ADD)
    const elsewhere = await box(phone.page, 'name').inputValue()
    await switchTo(phone, '星海科技')
    await open(phone, ADD)

    expect(moved).not.toBe(token)
    expect(elsewhere).toBe('')
    await expect.poll(() => box(phone.page, 'name').inputValue()).toBe('星海的草稿')
  })

  it('are in the chosen language; a page without a translation stays in one language', async () => {
    const phone = await stage.signedIn('demo', '/pages/my/setting/language')
    await inSight(phone.page).getByText('还没有译文的页面').waitFor()
    await phone.picture('language')

    await inSight(phone.page).getByText('Français', { exact: true }).click()
    await inSight(phone.page).getByText('Les pages sans traduction').waitFor()
    const current = inSight(phone.page).locator('.vf-card').filter({ hasText: '✓' })
    await expect.poll(() => current.allInnerTexts()).toEqual([expect.stringContaining('Français')])
    await phone.picture('language-fr')
    await expect.poll(() => phone.page.locator('html').getAttribute('lang')).toBe('fr')
    await inSight(phone.page).getByText('English', { exact: true }).click()
    await inSight(phone.page).getByText('Pages without a translation').waitFor()
    expect(await chineseIn(phone.page, '')).toEqual(['简体中文', '繁體中文'])
    for (const path of ['/', '/pages/my/index', '/pages/my/setting/index', '/pages/my/setting/edit']) {
      await open(phone, path)
      expect([path, ...(await chineseIn(phone.page, PAGES_OWN))]).toEqual([path])
    }

    await goTo(phone, '/pages/customer/my/index')
    await inSight(phone.page).locator('.vf-card:has([data-widget])').first().waitFor()
    const list = await inSight(phone.page).locator('[data-widget="list"]').innerText()
    await phone.picture('language-en-list')
    expect(list).toMatch(/天前|小时前|刚刚|昨天|分钟前/)
    expect(list).not.toMatch(/days ago|hours ago|just now/)
    expect(await phone.page.getByRole('navigation', { name: 'Bottom navigation' }).count()).toBe(1)
  })

  it('are in that language for errors, at sign-out and at login as well', async () => {
    const phone = await anotherDevice()
    await open(phone, '/pages/my/setting/language')
    await inSight(phone.page).getByText('English', { exact: true }).click()
    await open(phone, ADD)
    await box(phone.page, 'name').fill('Half a customer')
    await phone.page.waitForTimeout(500)
    await phone.page.reload()
    await phone.page.locator('.draft-notice').waitFor()
    expect(await chineseIn(phone.page, PAGES_OWN)).toEqual([])
    await goTo(phone, '/pages/nowhere')
    await phone.page.locator('section.page:visible .page-closed').waitFor()
    expect(await chineseIn(phone.page, '.tab-bar-item')).toEqual([])
    await open(phone, '/pages/my/index')
    await button(phone.page, '退出登录').click()
    await phone.page.getByRole('dialog').getByRole('button', { name: '确定' }).click() // in the same language as the page's question
    const left = phone.page.getByRole('dialog').filter({ hasText: '1' })
    await left.waitFor()
    const leaving = await chineseIn(phone.page, PAGES_OWN)
    await phone.picture('language-en-leave')
    await left.getByRole('button').last().click()
    await arrive(phone, '/pages/login/login')
    await box(phone.page, 'account').waitFor()

    expect(leaving).toEqual([])
    expect(await chineseIn(phone.page, PAGES_OWN)).toEqual([])
  })

  it('accept a picture and a name, which are visible at once', async () => {
    const phone = await stage.signedIn('demo', '/pages/my/setting/edit')
    await expect.poll(() => box(phone.page, 'name').inputValue()).toBe('李明轩')
    await field(phone.page, 'avatar')
      .locator('input[type=file]')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PNG })
    await field(phone.page, 'avatar').locator('img').waitFor()

    await box(phone.page, 'name').fill('李明轩二')
    await button(phone.page, '保存').click()
    await toasted(phone, '已保存')
    await goTo(phone, '/pages/my/index')

    await inSight(phone.page).getByText('李明轩二').waitFor()
    await inSight(phone.page).locator('img.vf-avatar').waitFor()
  })

  it('store every part of the profile: the signature is shown, the number signs in', async () => {
    const phone = await stage.signedIn('demo', '/pages/my/setting/edit')
    await expect.poll(() => box(phone.page, 'mobile').inputValue()).not.toBe('')
    const said = {
      mobile: '13900007788',
      email: 'ming@xinghai.example',
      wechat: 'ming_7788',
      signature: '有问必答',
    }
    for (const [name, value] of Object.entries(said)) await box(phone.page, name).fill(value)
    await field(phone.page, 'gender').getByRole('radio', { name: '女' }).check()
    await button(phone.page, '保存').click()
    await toasted(phone, '已保存')
    await goTo(phone, '/pages/my/index')
    await inSight(phone.page).getByText('有问必答').waitFor()

    const again = await stage.phone()
    await logIn(again, said.mobile)
    await arrive(again, '/')
    await open(again, '/pages/my/setting/edit')
    await expect.poll(() => box(again.page, 'mobile').inputValue()).toBe(said.mobile)
    for (const [name, value] of Object.entries(said))
      expect(await box(again.page, name).inputValue()).toBe(value)
    expect(await field(again.page, 'gender').getByRole('radio', { name: '女' }).isChecked()).toBe(true)
  })

  it('select the messages, and the quiet hours', async () => {
    const phone = await stage.signedIn()
    const colleague = await stage.signedIn('manager', '/pages/my/about')
    /** Whether the person is notified of a to-do that the colleague transfers. */
    const isTold = async (title: string): Promise<boolean> => {
      const made = await ask(colleague, '/mini/todo/create', {
        clientToken: crypto.randomUUID(),
        title,
        due_at: '2030-01-05 15:00:00',
      })
      const { id } = made.record as { id: string }
      await ask(colleague, '/mini/todo/transfer', {
        clientToken: crypto.randomUUID(),
        id,
        toUserId: 'u-demo',
      })
      const { list } = await ask(phone, '/mini/message/list', {})
      return JSON.stringify(list).includes(title)
    }
    const switchEvent = async () => {
      const line = inSight(phone.page).getByText('待办转交给我')
      await expect
        .poll(async () => {
          if ((await line.count()) === 0) await phone.page.mouse.wheel(0, 300) // only visible rows are rendered
          return line.count()
        })
        .toBe(1)
      await line.click()
    }
    await open(phone, '/pages/my/message/setting')
    await expect.poll(() => field(phone.page, 'quiet').getByRole('switch').isChecked()).toBe(true)
    await field(phone.page, 'quiet').getByRole('switch').click()
    await toasted(phone, '已保存')
    expect(await isTold('转交之一')).toBe(true)

    await switchEvent()
    await toasted(phone, '已关闭')
    expect(await isTold('转交之二')).toBe(false)
    await switchEvent()
    await toasted(phone, '已开启')
    expect(await isTold('转交之三')).toBe(true)

    await field(phone.page, 'quiet').getByRole('switch').click()
    for (const [name, key] of [
      ['quietFrom', 'Home'],
      ['quietTo', 'End'],
    ] as const) {
      await field(phone.page, name).locator('.vf-picker-face').click()
      for (const wheel of ['时', '分']) await phone.page.getByRole('spinbutton', { name: wheel }).press(key)
      const saved = phone.page.waitForResponse(/\/mini\/message\/setting$/)
      await phone.page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
      await saved
    }
    await expect.poll(() => field(phone.page, 'quietTo').locator('.vf-picker-face').innerText()).toBe('23:59')
    expect(await isTold('转交之四')).toBe(false)
  })

  it('sign another device out', async () => {
    const other = await anotherDevice()
    const phone = await stage.signedIn('demo', '/pages/my/setting/index')
    await expect.poll(() => button(phone.page, '下线').count()).toBeGreaterThan(0)
    while ((await button(phone.page, '下线').count()) > 0) {
      const left = await button(phone.page, '下线').count()
      await button(phone.page, '下线').first().click()
      await phone.page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
      await expect.poll(() => button(phone.page, '下线').count()).toBe(left - 1)
    }
    await goTo(other, '/pages/customer/my/index')

    await arrive(other, '/pages/login/login')
    await goTo(phone, '/pages/customer/my/index')
    await inSight(phone.page).locator('.vf-card:has([data-widget])').first().waitFor()
  })

  it('sort the menus by finger and by keyboard, and the bottom bar follows at once', async () => {
    const phone = await stage.signedIn('demo', MENU)
    const bar = slot(phone.page, '底部导航栏')
    await expect.poll(() => titles(bar)).toEqual(['首页', '客户管理', '商机', '待办', '我的'])

    await bar.getByRole('button', { name: '拖动客户管理' }).scrollIntoViewIfNeeded()
    await drag(phone.page, bar.getByRole('button', { name: '拖动客户管理' }), 48)
    await expect.poll(() => titles(bar)).toEqual(['首页', '商机', '客户管理', '待办', '我的'])
    await bar.getByRole('button', { name: '拖动待办' }).focus()
    await phone.page.keyboard.press('Space')
    await phone.page.waitForTimeout(250)
    await phone.page.keyboard.press('ArrowUp')
    await phone.page.waitForTimeout(250)
    await phone.page.keyboard.press('Space')
    await expect.poll(() => titles(bar)).toEqual(['首页', '商机', '待办', '客户管理', '我的'])
    await bar.getByRole('button', { name: '移除商机' }).click()
    await button(phone.page, '保存').click()
    await toasted(phone, '菜单已更新')

    await expect
      .poll(() => phone.page.locator('.tab-bar-item > span:last-child').allInnerTexts())
      .toEqual(['首页', '待办', '客户管理', '我的'])
  })

  it('keep each menu within the limits of its slot', async () => {
    const phone = await stage.signedIn('demo', MENU)
    const shortcut = slot(phone.page, '快捷入口')
    await expect.poll(() => titles(shortcut)).toHaveLength(3)

    await shortcut.getByRole('button', { name: '移除新建合同' }).click()
    await shortcut.getByRole('button', { name: '移除新建回款' }).click()

    await toasted(phone, '至少保留 2 项')
    expect(await titles(shortcut)).toEqual(['新建客户', '新建回款'])
    for (const name of ['新建合同', '写跟进'])
      await shortcut.getByRole('button', { name: `添加${name}` }).click()
    expect(await shortcut.getByRole('button', { name: '添加新建线索' }).isDisabled()).toBe(true)
    const common = slot(phone.page, '常用功能')
    const [first = ''] = await titles(common)
    await common.getByRole('button', { name: `移除${first}` }).click()
    const wanted = [await titles(shortcut), await titles(common)]
    await button(phone.page, '保存').click()
    await toasted(phone, '菜单已更新')

    await goTo(phone, '/')
    await arrive(phone, '/')
    const entries = (name: string) =>
      inSight(phone.page).locator(`[data-widget="menu-grid"]`).filter({ hasText: name })
    const [quick = [], often = []] = wanted
    await expect
      .poll(() =>
        entries(quick[0] ?? '')
          .first()
          .innerText(),
      )
      .toBe(quick.join('\n'))
    await expect
      .poll(() =>
        entries(often[0] ?? '')
          .last()
          .innerText(),
      )
      .toBe(often.join('\n'))
  })

  it('change the password: weak ones are refused in place, and the other phone is signed out', async () => {
    const other = await anotherDevice()
    const phone = await stage.signedIn('demo', '/pages/my/setting/password')
    await box(phone.page, 'oldPassword').fill('wrong')
    await box(phone.page, 'newPassword').fill('12345678')
    await box(phone.page, 'confirmPassword').fill('12345678')
    await button(phone.page, '确认修改').click()
    await field(phone.page, 'newPassword').getByText('密码需为 8-20 位').waitFor()
    await box(phone.page, 'newPassword').fill('Star#2026')
    await box(phone.page, 'confirmPassword').fill('Star#2026')
    await button(phone.page, '确认修改').click()
    await field(phone.page, 'oldPassword').getByText('原密码错误').waitFor()

    await box(phone.page, 'oldPassword').fill(PASSWORD)
    await button(phone.page, '确认修改').click()
    await toasted(phone, '密码已修改')
    await open(phone, '/pages/my/setting/index')
    await inSight(phone.page).getByText('本机').waitFor()
    await goTo(other, '/pages/customer/my/index')

    await arrive(other, '/pages/login/login')
    expect(await button(phone.page, '下线').count()).toBe(0)
  })

  /** With a session of its own, as for a test that ends or changes it. */
  async function anotherDevice(): Promise<Phone> {
    const phone = await stage.phone()
    await logIn(phone)
    await arrive(phone, '/')
    return phone
  }
})

/** Texts of pages, and the names of menus: they may be in Chinese. */
const PAGES_OWN = 'main.page-body, .nav-bar-title, .tab-bar-item:not(:first-child, :last-child)'

/** Chinese that is visible, or read out by a screen reader, outside of `without`. */
function chineseIn(page: Page, without: string): Promise<readonly string[]> {
  return page.evaluate((skipped) => {
    const words = (element: Element): readonly string[] => [
      ...[...element.childNodes].flatMap((node) => (node instanceof Text ? [node.data] : [])),
      ...['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext'].map(
        (name) => element.getAttribute(name) ?? '',
      ),
    ]
    // A reminder that comes due meanwhile is a text of the server.
    const isReminder = (element: Element) =>
      element.closest('.toast')?.textContent?.startsWith('待办：') === true
    return [...document.body.querySelectorAll('*:not(script, style)')]
      .filter((element) => element.checkVisibility() && (skipped === '' || element.closest(skipped) === null))
      .filter((element) => !isReminder(element))
      .flatMap(words)
      .filter((text) => /\p{Script=Han}/u.test(text))
  }, without)
}

async function switchTo(phone: Phone, tenant: string): Promise<void> {
  await open(phone, '/pages/my/setting/tenant')
  await inSight(phone.page).getByText(tenant).click()
  await phone.page.getByRole('button', { name: '确定', exact: true }).click()
  await arrive(phone, '/')
}

const slot = (page: Page, title: string) => inSight(page).locator(`section[aria-label="${title}"]`)
const titles = (box: ReturnType<typeof slot>) => box.locator('.vf-slot-title').allInnerTexts()

async function drag(page: Page, handle: ReturnType<typeof slot>, by: number): Promise<void> {
  const at = await handle.boundingBox()
  if (at === null) throw new Error('the handle is not on the screen')
  const [x, y] = [at.x + at.width / 2, at.y + at.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (const part of [0.2, 0.5, 0.8, 1]) await page.mouse.move(x, y + by * part)
  await page.waitForTimeout(250)
  await page.mouse.up()
}
