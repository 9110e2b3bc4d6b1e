import { describe, expect, it } from 'vitest'
import { arrive, box, button, field, inSight, open, toasted } from '../support/acts.ts'
import type { Phone } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

describe('a contract from the first line to the payment', () => {
  const stage = aStage()

  it('is created with two lines by sales, approved from the to-dos, and paid in part with the approval of finance', async () => {
    const name = `年度服务合同${Date.now() % 100_000}`

    const sales = await signedIn('demo', '/pages/customer/my/add?module=contract')
    await box(sales.page, 'name').fill(name)
    await field(sales.page, 'customer_id').getByRole('combobox').click()
    const [rows] = await Promise.all([
      sales.page.waitForResponse(/customer\/options/),
      sales.page.getByRole('dialog').getByRole('searchbox').fill('公司'),
    ])
    const [customer] = (await rows.json()).data.list
    await sales.page
      .getByRole('option', { name: `${customer.label} ${customer.desc}` })
      .first()
      .click()
    await field(sales.page, 'type').getByRole('radio', { name: '直销合同' }).check()
    await field(sales.page, 'sign_date').getByRole('button', { name: '今天' }).click()
    await button(sales.page, '添加产品').click()
    for (const product of ['星云协同办公 标准版', '星云协同办公 专业版'])
      await sales.page.getByText(product, { exact: true }).filter({ visible: true }).last().click()
    await pressed(sales, '完成')
    await box(sales.page, 'lines.0.quantity').fill('10')
    await box(sales.page, 'lines.1.discount').fill('88.5')
    await box(sales.page, 'discount_rate').fill('95')
    await box(sales.page, 'discount_rate').blur()
    // 10 × 299 + 599 × 88.5 % = 2990 + 530.12, of which 95 %.
    await expect.poll(() => box(sales.page, 'total').inputValue()).toBe('3,344.11')
    await button(sales.page, '按比例生成').click()
    await sales.page.getByText('50% / 50%').click()
    await sales.picture('contract-add')
    await button(sales.page, '保存并提交').click()
    await arrive(sales, '/pages/contract/detail')
    const [, made = ''] = sales.at().split('?')
    await inSight(sales.page).getByText('¥3,344.11').first().waitFor()
    await inSight(sales.page).getByText('审批中').first().waitFor()
    await sales.picture('contract-submitted')
    await button(sales.page, '撤回').click()
    await pressed(sales, '确定')
    await toasted(sales, '已撤回')
    await button(sales.page, '提交审批').click()
    await pressed(sales, '确定')
    await toasted(sales, '已提交')
    await inSight(sales.page).getByText('审批', { exact: true }).first().click()
    await button(sales.page, '催办').click()
    await toasted(sales, '已提醒审批人')

    const manager = await signedIn('manager', '/pages/work/todo/index?type=approval')
    const card = inSight(manager.page).locator('.vf-card').filter({ hasText: name })
    await card.getByRole('button', { name: '同意' }).click()
    await onSheet(manager, 'opinion').fill('同意，按计划执行')
    await manager.picture('contract-approve')
    await pressed(manager, '确认同意')
    await toasted(manager, '已同意')
    await card.waitFor({ state: 'detached' })

    // The salesperson's page is updated by itself.
    await inSight(sales.page).getByText('已通过').first().waitFor()
    await button(sales.page, '新建回款').click()
    await arrive(sales, '/pages/contract/payment/add')
    await inSight(sales.page).getByText('¥3,344.11').first().waitFor()
    // The whole outstanding amount, today, over the two instalments: reduced, and with other shares.
    await expect.poll(() => box(sales.page, 'amount').inputValue()).toBe('3,344.11')
    expect(await field(sales.page, 'paid_at').innerText()).toMatch(/\d{4}-\d\d-\d\d/)
    await expect.poll(() => box(sales.page, 'shares.1.amount').inputValue()).toMatch(/^1,672\.0/)
    await box(sales.page, 'amount').fill('1000.55')
    await box(sales.page, 'amount').blur()
    await expect.poll(() => box(sales.page, 'shares.1.amount').inputValue()).toBe('0.00')
    await box(sales.page, 'shares.1.amount').fill('100')
    await box(sales.page, 'shares.1.amount').blur()
    await expect.poll(() => box(sales.page, 'unassigned').inputValue()).toBe('-100.00')
    await field(sales.page, 'method').getByRole('radio', { name: '对公转账' }).check()
    await button(sales.page, '保存并提交').click()
    expect(sales.at()).toContain('/payment/add')
    await box(sales.page, 'shares.0.amount').fill('800')
    await box(sales.page, 'shares.0.amount').blur()
    await expect.poll(() => box(sales.page, 'unassigned').inputValue()).toBe('100.55')
    await sales.picture('payment-spread')
    await button(sales.page, '保存并提交').click()
    await arrive(sales, '/pages/contract/payment/detail')
    await inSight(sales.page).getByText('未分配 ¥100.55，只计入合同').waitFor()
    await sales.picture('payment-submitted')

    // Nobody may approve what they submitted themselves: finance approves.
    const finance = await signedIn('finance', sales.at())
    await button(finance.page, '同意').click()
    await pressed(finance, '确认同意')
    await inSight(finance.page).getByText('已通过').first().waitFor()

    await inSight(sales.page).getByText('已通过').first().waitFor()
    await sales.page.goBack()
    await arrive(sales, '/pages/contract/detail')
    await inSight(sales.page)
      .getByText(/已回款 ¥1,000.55/)
      .first()
      .waitFor()
    await sales.picture('contract-paid')
    await inSight(sales.page).getByText(`客户 ${customer.label}`).click()
    await arrive(sales, '/pages/customer/my/detail')
    await inSight(sales.page).getByText('合同', { exact: true }).first().click()
    const received = inSight(sales.page)
      .locator('[data-widget="descriptions"]')
      .filter({ hasText: '累计回款' })
    await received.getByText(/^¥[\d,]+\.55$/).waitFor()

    // An instalment lists the payments that count towards it.
    await sales.page.goBack()
    await arrive(sales, '/pages/contract/detail')
    await inSight(sales.page).getByText('回款计划', { exact: true }).first().click()
    await inSight(sales.page).getByText('第 1 期').click()
    await sales.page.getByText('查看回款').click()
    await sales.page.getByText('整笔 ¥1,000.55').waitFor()
    await sales.page.getByText('¥800.00', { exact: true }).last().waitFor()
    await sales.picture('plan-shares')
    await sales.page.goBack()

    // A missing value is reported in the sheet, and the next tap works at once.
    await button(finance.page, '冲销').click()
    await onSheet(finance, 'reverseAmount').fill('0.55')
    await pressed(finance, '确认冲销')
    await finance.page.getByText('请填写冲销原因').first().waitFor()
    await onSheet(finance, 'reverseReason').fill('多收了五角五分')
    await pressed(finance, '确认冲销')
    await toasted(finance, '已冲销')
    await sales.page.reload()
    await inSight(sales.page)
      .getByText(/已回款 ¥1,000.00/)
      .first()
      .waitFor()

    await open(sales, `/pages/contract/print?${made}`)
    await button(sales.page, '打印').waitFor()
    await sales.page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await sales.picture('contract-print')
    expect(await button(sales.page, '打印').isVisible()).toBe(false)

    // A printed page has no menus, and no space for them.
    await sales.page.setViewportSize({ width: 1440, height: 900 })
    await sales.page.locator('.side-nav').waitFor({ state: 'attached' })
    expect(await sales.page.locator('.side-nav').isVisible()).toBe(false)
    expect((await inSight(sales.page).boundingBox())?.x).toBe(0)
  })

  /** A field of an opened sheet, which is above the pages. */
  const onSheet = ({ page }: Phone, name: string) =>
    page.locator(`[data-field="${name}"]:visible`).locator('input, textarea').first()
  const pressed = ({ page }: Phone, name: string) => page.getByRole('button', { name, exact: true }).click()

  async function signedIn(account: string, at: string): Promise<Phone> {
    const phone = await stage.signedIn(account, at)
    await arrive(phone, /^\/pages\/(?!login)|^\/$/)
    await phone.page.evaluate((place) => {
      location.hash = place
    }, at)
    await arrive(phone, /^\/pages\/(contract|work)/)
    return phone
  }
})
