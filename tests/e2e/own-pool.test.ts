import { describe, expect, it } from 'vitest'
import { arrive, ask, box, button, choose, field, inSight, logIn, open, toasted } from '../support/acts.ts'
import { long } from '../support/long.ts'
import type { Phone } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

const CUSTOMER = '公海客户有限公司'
const TITLE = '三楼打印机卡纸'
const LIST = '/pages/m/ticket/index'

describe('a module with a pool and collaborators, in the app', { timeout: 180_000 }, () => {
  const stage = aStage()

  it('is created; a ticket is claimed, shared, seen by a colleague and returned', long, async () => {
    const [admin, demo, zengke] = await Promise.all([stage.phone(), stage.phone(), stage.phone()])
    await Promise.all([logIn(admin, 'admin'), logIn(demo), logIn(zengke, 'zengke')])
    for (const phone of [admin, demo, zengke]) await arrive(phone, '/')
    await makeModule(admin)
    await open(admin, '/')
    await ask(demo, '/mini/customer/create', {
      name: CUSTOMER,
      mobile: '13800050015',
      clientToken: crypto.randomUUID(),
    })

    await addTicket(demo)
    await giveBack(demo)
    await open(zengke, LIST)
    await card(zengke).waitFor({ state: 'detached' })
    await claimFromPool(demo)
    await share(demo)
    await open(zengke, '/')
    await open(zengke, LIST)
    await inSight(zengke.page)
      .getByRole('tab', { name: /我协作的/ })
      .click()
    await card(zengke).click()
    await arrive(zengke, '/pages/m/ticket/detail')
    await button(zengke.page, '编辑').waitFor({ state: 'detached' })
    await zengke.picture('own-pool-shared')
    await giveBack(demo)
    await open(zengke, '/')
    await open(zengke, LIST)
    await inSight(zengke.page).getByText('还没有记录', { exact: false }).first().waitFor()
    await open(zengke, '/pages/m/ticket/pool')
    await card(zengke).waitFor()
    await zengke.picture('own-pool-pool')
    await giveBackSeveral(demo)
    await letGoBack(admin)
  })
})

const card = ({ page }: Phone) => inSight(page).locator('.vf-card').filter({ hasText: TITLE })

/** From its template: records wait in a pool, colleagues share them, and salespeople may use it. */
async function makeModule(admin: Phone): Promise<void> {
  const { page } = admin
  await open(admin, '/pages/admin/module/add')
  await field(page, 'rows.0.kind').filter({ hasText: '单行文本' }).waitFor()
  await field(page, 'template').getByRole('radio', { name: '售后工单' }).check()
  await field(page, 'behaviours').getByRole('checkbox', { name: '放进公海等人领取', checked: true }).waitFor()
  await field(page, 'behaviours').getByRole('checkbox', { name: '加协作人', checked: true }).waitFor()
  await choose(admin, 'roles', '销售')
  await field(page, 'scope').getByRole('radio', { name: '自己的' }).check()
  await admin.picture('own-pool-module')
  await button(page, '保存').click()
  await toasted(admin, '模块已建好')
  await arrive(admin, '/pages/admin/module/fields')
}

async function addTicket(demo: Phone): Promise<void> {
  const { page } = demo
  await open(demo, '/')
  await open(demo, LIST)
  await inSight(page).locator('.vf-empty').getByRole('button', { name: '新建售后工单' }).waitFor()
  await demo.picture('own-pool-empty')
  await inSight(page).locator('.vf-empty').getByRole('button', { name: '新建售后工单' }).click()
  await arrive(demo, '/pages/m/ticket/add')
  await box(page, 'title').fill(TITLE)
  const picker = page.getByRole('dialog')
  await field(page, 'customer_id').locator('.vf-picker-face').click()
  await picker.getByRole('searchbox').fill(CUSTOMER)
  await picker.getByRole('option').filter({ hasText: CUSTOMER }).click()
  await field(page, 'customer_id').filter({ hasText: CUSTOMER }).waitFor()
  await button(page, '保存').click()
  await arrive(demo, LIST)
}

/** From its detail, with a reason. */
async function giveBack(demo: Phone): Promise<void> {
  const { page } = demo
  await open(demo, LIST)
  await card(demo).click()
  await arrive(demo, '/pages/m/ticket/detail')
  await button(page, '更多').click()
  await page.getByRole('button', { name: '放入公海' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.locator('[data-field="releaseReason"]').getByRole('radio').first().check()
  await demo.picture('own-pool-release')
  await sheet.getByRole('button', { name: '确认放入公海' }).click()
  await toasted(demo, '已放入公海')
  await arrive(demo, LIST)
}

async function claimFromPool(demo: Phone): Promise<void> {
  const { page } = demo
  await button(page, '公海').click()
  await arrive(demo, '/pages/m/ticket/pool')
  await card(demo).waitFor()
  await demo.picture('own-pool-claim')
  await card(demo).getByRole('button', { name: '领取' }).click()
  await toasted(demo, '领取成功')
  await card(demo).waitFor({ state: 'detached' })
}

/** Half of a desktop window is wide enough for the buttons of a record. */
async function expectOneRow({ page }: Phone): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.locator(`section.page:visible[data-page="${LIST}"]`).waitFor()
  const buttons = page.locator('section.page:visible .vf-bar .vf-button:not(.vf-text)')
  await expect.poll(() => buttons.count()).toBeGreaterThan(2)
  const middles = await buttons.evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect()).map(({ top, height }) => top + height / 2),
  )
  expect(new Set(middles).size).toBe(1)
  await page.setViewportSize({ width: 390, height: 844 })
}

async function share(demo: Phone): Promise<void> {
  const { page } = demo
  const dialog = page.getByRole('dialog')
  await open(demo, LIST)
  await card(demo).click()
  await arrive(demo, '/pages/m/ticket/detail')
  await demo.picture('own-pool-detail')
  await expectOneRow(demo)
  await button(page, '更多').click()
  await page.getByRole('button', { name: '协作人' }).click()
  await dialog.getByRole('button', { name: '添加协作人' }).click()
  await dialog.getByRole('searchbox').fill('曾可')
  await dialog.getByText('曾可', { exact: true }).first().click()
  await dialog.getByRole('button', { name: '添加', exact: true }).click()
  await toasted(demo, '已添加')
  await dialog.getByText('只读').first().waitFor()
}

/** Selected in the list, both at once. */
async function giveBackSeveral(demo: Phone): Promise<void> {
  const { page } = demo
  const found = (await ask(demo, '/mini/customer/list', { keyword: CUSTOMER, limit: 1 })) as {
    readonly list: readonly { readonly id: string }[]
  }
  for (const title of ['四楼门禁', '五楼门禁'])
    await ask(demo, '/mini/m/ticket/create', {
      title,
      customer_id: found.list[0]?.id,
      clientToken: crypto.randomUUID(),
    })
  await open(demo, '/')
  await open(demo, LIST)
  await button(page, '多选').click()
  for (const title of ['四楼门禁', '五楼门禁'])
    await inSight(page).locator('.vf-pick').filter({ hasText: title }).getByRole('checkbox').check()
  await demo.picture('own-pool-several')
  await button(page, '放入公海').click()
  const sheet = page.getByRole('dialog')
  await sheet.locator('[data-field="releaseReason"]').getByRole('radio').first().check()
  await sheet.getByRole('button', { name: '确认放入公海' }).click()
  await toasted(demo, '已放入公海 2 条')
  await inSight(page).getByText('还没有记录', { exact: false }).first().waitFor()
}

/** By the rules of the pool: after days without a follow-up, except finished ones. */
async function letGoBack(admin: Phone): Promise<void> {
  const { page } = admin
  const openRules = async () => {
    await open(admin, '/pages/admin/pool/index')
    await inSight(page).getByText('售后工单公海').first().click()
    await arrive(admin, '/pages/admin/pool/edit')
  }
  await openRules()
  await box(page, 'no_follow_days').fill('10')
  await field(page, 'exempt_statuses').getByRole('checkbox', { name: '已完成' }).check()
  await admin.picture('own-pool-rules')
  await button(page, '保存').click()
  await toasted(admin, '规则已保存')
  await openRules()
  await field(page, 'exempt_statuses').getByRole('checkbox', { name: '已完成', checked: true }).waitFor()
  await expect.poll(() => box(page, 'no_follow_days').inputValue()).toBe('10')
}
