import { describe, expect, it } from 'vitest'
import {
  anotherTab,
  arrive,
  box,
  button,
  goTo,
  inSight,
  logIn,
  lyingOnDevice,
  open,
  toasted,
} from '../support/acts.ts'
import type { Phone } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

const ADD = '/pages/customer/my/add'
const LIST = '/pages/customer/my/index'
const ENDS = [
  [401, '', '登录已过期，请重新登录'],
  [402, '企业已到期，请联系管理员', '企业已到期，请联系管理员'],
  [403, '', '登录已过期，请重新登录'],
] as const

const stage = aStage()

describe('login', () => {
  it('leads from any page to login and back to it', async () => {
    const phone = await stage.phone('/pages/my/index')
    await arrive(phone, '/pages/login/login')
    await phone.picture('login')

    await logIn(phone)
    await toasted(phone, '登录成功')
    await arrive(phone, '/pages/my/index')

    await inSight(phone.page).getByText('李明轩').first().waitFor()
    await phone.picture('me')
  })

  it('shows home with its bottom bar: home first, me last, the chosen pages in between', async () => {
    const phone = await stage.phone()
    await logIn(phone)
    await arrive(phone, '/')

    const tabs = phone.page.getByRole('navigation', { name: '底部导航' }).getByRole('button')

    await expect
      .poll(() => tabs.locator('> span:last-child').allTextContents())
      .toEqual(['首页', '客户管理', '商机', '待办', '我的'])
    await phone.picture('home')
  })

  it('reports a wrong password without naming the wrong part, and keeps the input', async () => {
    const phone = await stage.phone()

    // Intermediate states on a slow machine are not the result.
    const answer = phone.page.locator('.toast').filter({ hasNotText: '正在' })

    await logIn(phone, 'manager', 'Wrong@2026')
    const wrongPassword = await answer.textContent()
    await phone.page.locator('.toast').waitFor({ state: 'detached' })
    await logIn(phone, 'nobody', 'Wrong@2026')
    const wrongAccount = await answer.textContent()

    expect(wrongPassword).toBe(wrongAccount)
    expect(await box(phone.page, 'account').inputValue()).toBe('nobody')
    expect(phone.at()).toBe('/pages/login/login')
    await phone.page.locator('.toast').waitFor({ state: 'detached' })
    await inSight(phone.page)
      .getByText(wrongPassword ?? '')
      .waitFor()
    await phone.picture('login-wrong')
  })

  it('requires a captcha after the third wrong password', async () => {
    const phone = await stage.phone()

    for (let attempt = 0; attempt < 3; attempt += 1) {
      await logIn(phone, 'finance', 'Wrong@2026')
      await phone.page.locator('.toast').waitFor()
      await phone.page.locator('.toast').waitFor({ state: 'detached' })
    }

    await box(phone.page, 'captcha').waitFor()
    await phone.picture('login-captcha')
  })

  it('names the missing fields of an empty form and sends nothing', async () => {
    const phone = await stage.phone()
    const sent: string[] = []
    phone.page.on('request', (request) => {
      if (request.url().includes('/mini/')) sent.push(request.url())
    })

    const places = () =>
      inSight(phone.page)
        .locator('input, button')
        .evaluateAll((all) => all.map((it) => Math.round(it.getBoundingClientRect().top)))
    await button(phone.page, '登录').waitFor()
    const before = await places()
    await button(phone.page, '登录').click()

    await inSight(phone.page).getByText('请输入账号').waitFor()
    await inSight(phone.page).getByText('请先阅读并同意条款').waitFor()
    expect(await places()).toEqual(before)
    expect(sent).toEqual([])
  })

  it('ignores a crafted link out of the app after login', async () => {
    const phone = await stage.phone('/pages/login/login?redirect=https%3A%2F%2Fevil.example%2F')

    await logIn(phone)
    await arrive(phone, '/')

    expect(phone.page.url().startsWith(stage.product().url)).toBe(true)
  })
})

describe('two tabs of one browser', () => {
  it('follow each other: a sign-in beside a form takes over there too, and hides its input', async () => {
    const first = await stage.phone(ADD)
    await logIn(first)
    await arrive(first, ADD)
    await box(first.page, 'name').fill('李明轩的客户')
    await first.page.waitForTimeout(500) // stored: signing out asks what should happen to it
    const saved: string[] = []
    first.page.on('request', (request) => {
      if (request.url().includes('/mini/customer/save')) saved.push(request.url())
    })

    const second = await anotherTab(first, '/pages/my/index')
    await button(second.page, '退出登录').click()
    await second.page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
    const question = second.page.getByRole('dialog').filter({ hasText: '还有 1 份没有提交的内容' })
    await question.getByRole('button', { name: '保留' }).click()
    await arrive(second, '/pages/login/login')
    const lying = await lyingOnDevice(second.page)
    expect(lying).toContain('sealed1:')
    expect(lying).not.toContain('李明轩的客户')
    expect(lying).not.toContain('draft_key')
    await arrive(first, '/pages/login/login')
    await logIn(second, 'director')
    await arrive(second, '/')

    await arrive(first, '/')
    expect(first.at()).toBe(second.at())
    await goTo(first, ADD)
    await box(first.page, 'name').waitFor()
    expect(await box(first.page, 'name').inputValue()).toBe('')
    expect(saved).toEqual([])
  })
})

describe('a session that ends', () => {
  it('by 401, 402 or 403 shows a message, after one second login, and then returns to the page', async () => {
    const phone = await stage.phone(LIST)
    await logIn(phone)
    for (const [code, message, shown] of ENDS) {
      await arrive(phone, LIST)
      await inSight(phone.page).locator('[data-widget="list"]').waitFor()
      const answer = { meta: { code, success: false, message, error: { type: 'TOKEN_EXPIRED' } }, data: null }
      await phone.page.route('**/mini/customer/list', (route) => route.fulfill({ json: answer }), {
        times: 1,
      })

      const times = await watchRedirect(phone)
      await box(phone.page, 'keyword').fill('科技')
      await toasted(phone, shown)
      expect(phone.at()).toMatch(new RegExp(`^${LIST}`))
      await arrive(phone, '/pages/login/login')
      const { toast, login } = await times.jsonValue()

      expect(login - toast).toBeGreaterThan(990)
      expect(login - toast).toBeLessThan(2_000)
      await phone.picture(`session-${code}`)
      await logIn(phone)
    }
    await arrive(phone, LIST)
    await inSight(phone.page).locator('[data-widget="list"]').waitFor()
  })

  it('that ended leads the same person back, and another person home, also after a reload', async () => {
    const phone = await stage.phone(LIST)
    await logIn(phone)
    await arrive(phone, LIST)
    for (const reloads of [false, true]) {
      await phone.page.evaluate(() => localStorage.setItem('token', 'not.a.token'))
      await box(phone.page, 'keyword').fill(reloads ? '科' : '技')
      await arrive(phone, '/pages/login/login')
      if (reloads) await phone.page.reload()
      await logIn(phone, reloads ? 'manager' : 'demo')
      await arrive(phone, reloads ? '/' : LIST)
    }
    await open(phone, LIST)
    await arrive(phone, LIST)
  })

  it('is closed on this phone too if the server revokes it', async () => {
    const phone = await stage.phone(LIST)
    await logIn(phone)
    await arrive(phone, LIST)
    await phone.page.evaluate(() => localStorage.setItem('token', 'not.a.token'))

    await box(phone.page, 'keyword').fill('科技')

    await toasted(phone, /登录/)
    await arrive(phone, '/pages/login/login')
  })
})

/** When the next toast and login appear, by the page's own clock: this process may look late. */
function watchRedirect({ page }: Phone) {
  return page.evaluateHandle(() => {
    const times = { toast: 0, login: 0 }
    const observer = new MutationObserver(() => {
      if (document.querySelector('.toast') === null) return
      times.toast = performance.now()
      observer.disconnect()
    })
    observer.observe(document, { subtree: true, childList: true })
    const look = () => {
      if (!location.hash.startsWith('#/pages/login/login')) return
      times.login = performance.now()
      removeEventListener('vform:location', look)
    }
    addEventListener('vform:location', look)
    return times
  })
}
