import { describe, expect, it } from 'vitest'
import { arrive, box, button, field, inSight, logIn, toasted } from '../support/acts.ts'
import type { Phone } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

/** A button or an entry of the sheet on top. */
const onTop = (phone: Phone, name: string) => phone.page.getByRole('button', { name, exact: true }).last()

describe('a day of sales work', { timeout: 120_000 }, () => {
  const stage = aStage()

  it('takes a lead in, converts it, moves the opportunity on, logs, releases; a colleague claims it', async () => {
    const company = `北辰测试${Date.now() % 100_000}`
    const phone = await stage.phone('/pages/customer/my/add?module=lead')
    const { page } = phone
    await logIn(phone)

    await arrive(phone, '/pages/customer/my/add')
    await box(page, 'name').fill(company)
    await box(page, 'contact_name').fill('周到')
    await box(page, 'mobile').fill('13900005678')
    await field(page, 'source').getByRole('combobox').click()
    await page.getByRole('dialog').getByRole('option').first().click()
    await button(page, '保存').click()
    await arrive(phone, '/pages/customer/leads/detail')

    await phone.picture('day-lead')
    await button(page, '转化').click()
    await page.locator('[data-field="withDeal"] [role="switch"]').click()
    await page.locator('[data-field="dealAmount"] input').fill('88000')
    await page.locator('[data-field="dealDate"]').getByRole('button', { name: '30天后' }).click()
    await phone.picture('day-convert')
    await onTop(phone, '确认转化').click()
    await toasted(phone, '转化成功')
    await arrive(phone, '/pages/customer/my/detail')
    const customer = phone.at()

    await inSight(page).getByRole('tab', { name: /商机/ }).click()
    await inSight(page).locator('[data-widget="list"] .vf-card').first().click()
    await arrive(phone, '/pages/bussiness/detail')
    for (const name of ['需求确认', '方案报价']) {
      await inSight(page).locator('[data-widget="stage-bar"] button').first().click()
      await page.locator('[data-field="toStage"]').getByRole('radio', { name }).check()
      await onTop(phone, '确认变更').click()
      await toasted(phone, '阶段已变更')
      await page.locator('.vf-layer').waitFor({ state: 'detached' })
    }
    await phone.picture('day-stage')

    await button(page, '写跟进').last().click()
    await arrive(phone, '/pages/customer/my/follow/add')
    await field(page, 'method').getByRole('radio', { name: '电话' }).check()
    await box(page, 'content').fill('方案已发，客户内部评审')
    await button(page, '保存').click()
    await toasted(phone, '跟进已保存')

    await page.evaluate((at) => window.location.assign(`#${at}`), customer)
    await arrive(phone, '/pages/customer/my/detail')
    await inSight(page).getByText('负责人 李明轩').waitFor()
    await inSight(page).getByText('更多', { exact: true }).click()
    await page.getByText('放入公海', { exact: true }).last().click()
    await page.locator('[data-field="releaseReason"]').getByRole('radio', { name: '联系不上' }).check()
    await phone.picture('day-release')
    await onTop(phone, '确认退回').click()
    await toasted(phone, '已退回')
    await phone.close()

    const other = await stage.phone('/pages/customer/pool/index')
    await logIn(other, 'zhaolei')
    await arrive(other, '/pages/customer/pool/index')
    await box(other.page, 'keyword').fill(company)
    const card = inSight(other.page).locator('.vf-card').filter({ hasText: company })
    await card.getByRole('button', { name: '领取' }).click()
    await toasted(other, '领取成功')
    await other.page.evaluate((at) => window.location.assign(`#${at}`), customer)
    await arrive(other, '/pages/customer/my/detail')
    await inSight(other.page).getByText('负责人 赵磊').waitFor()
    await inSight(other.page).getByText('方案已发，客户内部评审').waitFor()
    await other.picture('day-claimed')
    expect(await inSight(other.page).getByText(company).count()).toBeGreaterThan(0)
  })
})
