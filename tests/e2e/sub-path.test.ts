import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Balancer, startBalancer } from '../../src/tools/load/balancer.ts'
import {
  arrive,
  button,
  field,
  goTo,
  inSight,
  logIn,
  open,
  PNG,
  shellKept,
  toasted,
} from '../support/acts.ts'
import { LOST_NETWORK } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

const stage = aStage({ keepsShell: true })
let proxy: Balancer
beforeAll(async () => {
  proxy = await startBalancer('/crm')
})
afterAll(() => proxy?.close())

it('below a path of another site the app signs in, shows pictures, receives messages, opens links, and works offline', async () => {
  await proxy.add(stage.product().url)
  const phone = await stage.phone('/', proxy.url)
  const { page, context } = phone
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith('http')) asked.push(new URL(request.url()).pathname)
  })
  await logIn(phone)
  await arrive(phone, '/')
  await open(phone, '/pages/my/setting/edit')
  await field(page, 'avatar')
    .locator('input[type=file]')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PNG })
  await field(page, 'avatar').locator('img').waitFor()
  await button(page, '保存').click()
  await toasted(phone, '已保存')
  await goTo(phone, '/pages/my/index')
  const picture = inSight(page).locator('img.vf-avatar')
  await picture.waitFor()
  await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0)

  await page.goto(`${proxy.url}/pages/customer/my/index?tab=mine`)
  await arrive(phone, '/pages/customer/my/index')
  const card = inSight(page).locator('.vf-card:has([data-widget])').first()
  await card.waitFor()
  expect(new URL(page.url()).pathname).toBe('/crm/')

  await shellKept(phone)
  phone.allow(LOST_NETWORK)
  await context.setOffline(true)
  await page.reload()
  await card.waitFor()
  await context.setOffline(false)

  expect(asked.filter((path) => path.endsWith('/stream')).length).toBeGreaterThan(0)
  expect(asked.filter((path) => !path.startsWith('/crm/'))).toEqual([])
})
