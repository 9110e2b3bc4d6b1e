import { describe, expect, it } from 'vitest'
import { arrive, box, inSight, logIn, toasted } from '../support/acts.ts'
import { aStage } from '../support/stage.ts'

const LIST = '/pages/customer/my/index'

describe('a session that ends', { timeout: 60_000 }, () => {
  const stage = aStage()

  it.each([
    [401, '', '登录已过期，请重新登录'],
    [402, '企业已到期，请联系管理员', '企业已到期，请联系管理员'],
    [403, '', '登录已过期，请重新登录'],
  ])('%i: message, one second, login, and back to where one was', async (code, message, shown) => {
    const phone = await stage.phone(LIST)
    await logIn(phone)
    await arrive(phone, LIST)
    const answer = { meta: { code, success: false, message, error: { type: 'TOKEN_EXPIRED' } }, data: null }
    await phone.page.route('**/mini/customer/list', (route) => route.fulfill({ json: answer }), { times: 1 })

    await box(phone.page, 'keyword').fill('科技')
    await toasted(phone, shown)
    const at = Date.now()
    const before = phone.at()
    await arrive(phone, '/pages/login/login')
    const waited = Date.now() - at

    expect(before).toMatch(new RegExp(`^${LIST}`))
    expect(waited).toBeGreaterThan(700)
    expect(waited).toBeLessThan(2_000)
    await phone.picture(`session-${code}`)
    await logIn(phone)
    await arrive(phone, LIST)
    await inSight(phone.page).locator('[data-widget="list"]').waitFor()
  })

  it('revoked on the server ends on this phone too', async () => {
    const phone = await stage.phone(LIST)
    await logIn(phone)
    await arrive(phone, LIST)
    await phone.page.evaluate(() => localStorage.setItem('token', 'not.a.token'))

    await box(phone.page, 'keyword').fill('科技')

    await toasted(phone, /登录/)
    await arrive(phone, '/pages/login/login')
  })
})
