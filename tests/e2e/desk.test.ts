import { expect, it } from 'vitest'
import { arrive, box, inSight, logIn } from '../support/acts.ts'
import type { Phone } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

const DESK = { width: 1440, height: 900 }
const LIST = '/pages/customer/my/index'

const stage = aStage()

async function atDesk(): Promise<Phone> {
  const desk = await stage.phone('/pages/login/login')
  await desk.page.setViewportSize(DESK)
  await box(desk.page, 'password').waitFor()
  await logIn(desk)
  await arrive(desk, '/')
  return desk
}

it('at a desk the menus stand at the left, in a window of a phone below', async () => {
  const desk = await atDesk()
  const menus = desk.page.getByRole('navigation', { name: '菜单', exact: true })
  await menus.getByRole('button', { name: '客户管理' }).click()
  await arrive(desk, LIST)
  await inSight(desk.page).locator('[data-widget="list"]').first().waitFor()

  expect(await menus.locator('[aria-current="page"]').innerText()).toBe('客户管理')
  expect(await desk.page.locator('.tab-bar').count()).toBe(0)

  await desk.page.setViewportSize({ width: 390, height: 844 })
  await desk.page.getByRole('navigation', { name: '底部导航' }).waitFor()
  expect(await menus.count()).toBe(0)
})
