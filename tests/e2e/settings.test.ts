import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { arrive, box, button, field, inSight, logIn, PASSWORD, toasted } from '../support/acts.ts'
import type { Phone } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

const MENU = '/pages/my/setting/menu'
const ADD = '/pages/customer/my/add'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

describe('my settings', { timeout: 60_000 }, () => {
  const stage = aStage()

  it('switch the tenant under a new token, and give each tenant its own draft', async () => {
    const phone = await signedIn()
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

  it('speak the language that is chosen; a page without a translation stays in one language', async () => {
    const phone = await signedIn()
    await open(phone, '/pages/my/setting/language')
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

    await goTo(phone, '/pages/customer/my/index')
    await inSight(phone.page).locator('.vf-card:has([data-widget])').first().waitFor()
    const list = await inSight(phone.page).locator('[data-widget="list"]').innerText()
    await phone.picture('language-en-list')
    expect(list).toMatch(/天前|小时前|刚刚|昨天|分钟前/)
    expect(list).not.toMatch(/days ago|hours ago|just now/)
    expect(await phone.page.getByRole('navigation', { name: 'Bottom navigation' }).count()).toBe(1)
  })

  it('take a picture and a name, which are seen at once', async () => {
    const phone = await signedIn()
    await open(phone, '/pages/my/setting/edit')
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

  it('put the menus in order by finger and by key, and the bar at the bottom follows at once', async () => {
    const phone = await signedIn()
    await open(phone, MENU)
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
      .poll(() => phone.page.locator('.tab-bar-item').allInnerTexts())
      .toEqual(['首页', '待办', '客户管理', '我的'])
  })

  it('keep each menu within the bounds of its slot', async () => {
    const phone = await signedIn()
    await open(phone, MENU)
    const shortcut = slot(phone.page, '快捷入口')
    await expect.poll(() => titles(shortcut)).toHaveLength(3)

    await shortcut.getByRole('button', { name: '移除新建合同' }).click()
    await shortcut.getByRole('button', { name: '移除新建回款' }).click()

    await toasted(phone, '至少保留 2 项')
    expect(await titles(shortcut)).toEqual(['新建客户', '新建回款'])
    for (const name of ['新建合同', '写跟进'])
      await shortcut.getByRole('button', { name: `添加${name}` }).click()
    expect(await shortcut.getByRole('button', { name: '添加新建线索' }).isDisabled()).toBe(true)
  })

  it('change the password: weak ones are refused in place, and the other phone is out', async () => {
    const phone = await signedIn()
    const other = await signedIn()
    await open(phone, '/pages/my/setting/password')
    await box(phone.page, 'oldPassword').fill('wrong')
    await box(phone.page, 'newPassword').fill('12345678')
    await box(phone.page, 'confirmPassword').fill('12345678')
    await button(phone.page, '确认修改').click()
    await field(phone.page, 'newPassword').getByText('密码需为 8-20 位').waitFor()
    await box(phone.page, 'newPassword').fill('Star#2026')
    await box(phone.page, 'confirmPassword').fill('Star#2026')
    await button(phone.page, '确认修改').click()
    await field(phone.page, 'oldPassword').getByText('原密码错误').waitFor()

    // Its stream of news may come back, and be refused, before its next call is.
    other.allow(/401.*\/mini\/message\/stream/)
    await box(phone.page, 'oldPassword').fill(PASSWORD)
    await button(phone.page, '确认修改').click()
    await toasted(phone, '密码已修改')
    await open(phone, '/pages/my/setting/index')
    await inSight(phone.page).getByText('本机').waitFor()
    await goTo(other, '/pages/customer/my/index')

    await arrive(other, '/pages/login/login')
    expect(await button(phone.page, '下线').count()).toBe(0)
  })

  async function signedIn(): Promise<Phone> {
    const phone = await stage.phone()
    await box(phone.page, 'password').waitFor()
    await logIn(phone)
    await arrive(phone, '/')
    await inSight(phone.page).locator('[data-widget="stat-grid"]').first().waitFor()
    return phone
  }
})

function goTo(phone: Phone, path: string): Promise<void> {
  return phone.page.evaluate((to) => {
    location.hash = `#${to}`
  }, path)
}

async function open(phone: Phone, path: string): Promise<void> {
  await goTo(phone, path)
  await arrive(phone, path)
  await phone.page.locator(`section.page[data-page="${path}"]:visible [data-widget]`).first().waitFor()
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
