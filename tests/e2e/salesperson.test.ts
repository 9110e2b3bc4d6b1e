import { describe, expect, it } from 'vitest'
import { arrive, box, button, field, inSight, logIn, toasted } from '../support/acts.ts'
import { aStage } from '../support/stage.ts'

describe('a salesperson’s walk', { timeout: 120_000 }, () => {
  const stage = aStage()

  it('logs in, finds a customer, opens it, logs a follow-up, adds a customer', async () => {
    const phone = await stage.phone()
    const { page } = phone
    await logIn(phone)
    await arrive(phone, '/')

    await page.getByRole('navigation', { name: '底部导航' }).getByRole('button', { name: '客户管理' }).click()
    await arrive(phone, '/pages/customer/my/index')
    const [mine] = await Promise.all([
      page.waitForResponse((one) => one.request().postData()?.includes('"tab":"mine"') === true),
      inSight(page).getByText('我负责的').click(),
    ])
    const name: string = (await mine.json()).data.list[0].name
    await inSight(page).getByText(name).first().waitFor()
    await phone.picture('customers')

    const part = name.slice(0, 4)
    await Promise.all([
      page.waitForResponse((one) => one.request().postData()?.includes(`"keyword":"${part}"`) === true),
      box(page, 'keyword').fill(part),
    ])
    await inSight(page).locator('.vf-refreshing').waitFor({ state: 'detached' })
    await inSight(page).getByText(name).first().click()
    await arrive(phone, '/pages/customer/my/detail')
    await inSight(page).getByText(name).first().waitFor()
    await phone.picture('customer')

    await button(page, '写跟进').first().click()
    await arrive(phone, '/pages/customer/my/follow/add')
    await field(page, 'method').getByRole('radio', { name: '电话' }).check()
    await box(page, 'content').fill('电话沟通了报价，客户下周给答复')
    await phone.picture('follow-add')
    await button(page, '保存').click()
    await toasted(phone, '跟进已保存')
    await arrive(phone, '/pages/customer/my/detail')
    await inSight(page).getByText('电话沟通了报价，客户下周给答复').first().waitFor()
    await phone.picture('customer-followed')

    await page.goBack()
    await arrive(phone, '/pages/customer/my/index')
    expect(await box(page, 'keyword').inputValue()).toBe(part)

    await button(page, '新建客户').click()
    await arrive(phone, '/pages/customer/my/add')
    const made = `银河测试客户${Date.now() % 100000}`
    await box(page, 'name').fill(made)
    await box(page, 'mobile').fill('13900001234')
    await phone.picture('customer-add')
    await button(page, '保存').click()
    await toasted(phone, '客户已保存')
    await arrive(phone, '/pages/customer/my/detail')
    await inSight(page).getByText(made).first().waitFor()
    await phone.picture('customer-added')
  })
})
