import { describe, expect, it } from 'vitest'
import { arrive, box, button, inSight, logIn, toasted } from '../support/acts.ts'
import { aStage } from '../support/stage.ts'

describe('login', { timeout: 60_000 }, () => {
  const stage = aStage()

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

  it('shows home with its bar: home first, me last, the chosen between', async () => {
    const phone = await stage.phone()
    await logIn(phone)
    await arrive(phone, '/')

    const tabs = phone.page.getByRole('navigation', { name: '底部导航' }).getByRole('button')

    await expect.poll(() => tabs.allTextContents()).toEqual(['首页', '客户管理', '商机', '待办', '我的'])
    await phone.picture('home')
  })

  it('a wrong password says so without telling which part was wrong, and nothing is lost', async () => {
    const phone = await stage.phone()

    await logIn(phone, 'manager', 'Wrong@2026')
    const wrongPassword = await phone.page.locator('.toast').textContent()
    await phone.page.locator('.toast').waitFor({ state: 'detached' })
    await logIn(phone, 'nobody', 'Wrong@2026')
    const wrongAccount = await phone.page.locator('.toast').textContent()

    expect(wrongPassword).toBe(wrongAccount)
    expect(await box(phone.page, 'account').inputValue()).toBe('nobody')
    expect(phone.at()).toBe('/pages/login/login')
    await phone.picture('login-wrong')
  })

  it('the third wrong password asks for the characters of a picture', async () => {
    const phone = await stage.phone()

    for (let attempt = 0; attempt < 3; attempt += 1) {
      await logIn(phone, 'finance', 'Wrong@2026')
      await phone.page.locator('.toast').waitFor()
      await phone.page.locator('.toast').waitFor({ state: 'detached' })
    }

    await box(phone.page, 'captcha').waitFor()
    await phone.picture('login-captcha')
  })

  it('an empty form names what is missing and sends nothing', async () => {
    const phone = await stage.phone()
    const sent: string[] = []
    phone.page.on('request', (request) => {
      if (request.url().includes('/mini/')) sent.push(request.url())
    })

    await button(phone.page, '登录').click()

    await inSight(phone.page).getByText('请输入账号').waitFor()
    expect(sent).toEqual([])
  })

  it('a crafted link cannot lead out of the app after login', async () => {
    const phone = await stage.phone('/pages/login/login?redirect=https%3A%2F%2Fevil.example%2F')

    await logIn(phone)
    await arrive(phone, '/')

    expect(phone.page.url().startsWith(stage.product().url)).toBe(true)
  })
})
