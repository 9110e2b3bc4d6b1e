import { describe, expect, it } from 'vitest'
import { arrive, box, button, field, inSight, logIn, toasted } from '../support/acts.ts'
import type { Phone } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

describe('fields and modules by screen alone', { timeout: 180_000 }, () => {
  const stage = aStage()

  it('adds a field to customers and fills it in, makes a module and a record of it', async () => {
    const phone = await stage.phone()
    const { page } = phone
    await logIn(phone, 'admin')
    await arrive(phone, '/')
    await open(phone, '/pages/admin/index')
    await inSight(page).getByText('模块与字段').click()
    await arrive(phone, '/pages/admin/module/index')
    await phone.picture('module-index')
    await inSight(page).getByText('客户', { exact: true }).click()
    await arrive(phone, '/pages/admin/module/fields')
    await button(page, '添加字段').click()
    await arrive(phone, '/pages/admin/module/field')
    await box(page, 'label').fill('微信群名称')
    await box(page, 'name').fill('Wechat Group')
    await button(page, '保存').click()
    await inSight(page).locator('[data-field="name"]').getByRole('alert').first().waitFor()
    await box(page, 'name').fill('wechat_group')
    await button(page, '保存').click()
    await toasted(phone, '已保存，立即生效')

    await open(phone, '/pages/customer/my/add')
    await box(page, 'name').fill('自定义字段测试公司')
    await box(page, 'ext_wechat_group').fill('项目群一')
    await phone.picture('module-own-field')
    await button(page, '保存').click()
    await arrive(phone, '/pages/customer/my/detail')
    const id = new URLSearchParams(phone.at().split('?')[1]).get('id')
    await open(phone, `/pages/customer/my/add?id=${id}`)
    await expect.poll(() => box(page, 'ext_wechat_group').inputValue()).toBe('项目群一')

    await open(phone, '/pages/admin/module/add')
    await box(page, 'label').fill('售后工单')
    await box(page, 'name').fill('ticket')
    await button(page, '保存').click()
    await toasted(phone, '模块已建好')
    await arrive(phone, '/pages/admin/module/fields')
    await button(page, '打开列表').click()
    await arrive(phone, '/pages/m/ticket/index')
    await open(phone, '/pages/m/ticket/add')
    await box(page, 'title').fill('屏幕不亮')
    await choose(phone, 'customer_id', '自定义字段测试公司')
    await phone.picture('module-own-record')
    await button(page, '保存').click()
    await arrive(phone, '/pages/m/ticket/index')
    const ticket = inSight(page).locator('.vf-card').filter({ hasText: '屏幕不亮' })
    await ticket.waitFor()
    await phone.picture('module-own-list')
    await ticket.click()
    await arrive(phone, '/pages/m/ticket/detail')
    await inSight(page).getByText('自定义字段测试公司').first().waitFor()
    await phone.picture('module-own-detail')
  })
})

const open = (phone: Phone, path: string) =>
  phone.page.evaluate((hash) => {
    location.hash = hash
  }, path)

async function choose({ page }: Phone, address: string, label: string): Promise<void> {
  await field(page, address).locator('.vf-picker-face').click()
  const picker = page.getByRole('dialog')
  await picker.getByRole('searchbox').fill(label)
  await picker.getByText(label).first().click()
}
