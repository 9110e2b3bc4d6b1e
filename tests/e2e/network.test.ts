import { describe, expect, it } from 'vitest'
import { arrive, box, button, field, inSight, logIn, toasted } from '../support/acts.ts'
import { LOST_NETWORK } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

const ADD = '/pages/customer/my/add'

describe('a lost network', { timeout: 90_000 }, () => {
  const stage = aStage()

  it('in the middle of a change keeps what is typed, and the retry saves it once', async () => {
    const phone = await stage.phone('/pages/customer/my/index?tab=mine')
    const { page } = phone
    await logIn(phone)
    await inSight(page).locator('.vf-card:has([data-widget])').first().click()
    await arrive(phone, '/pages/customer/my/detail')
    const id = new URLSearchParams(phone.at().split('?')[1]).get('id')
    await page.goto(`${stage.product().url}/#${ADD}?module=customer&id=${id}`)
    await expect.poll(() => box(page, 'name').inputValue()).not.toBe('')
    phone.allow(LOST_NETWORK)

    await phone.context.setOffline(true)
    await box(page, 'name').fill('断网测试客户')
    await button(page, '保存').click()
    await page.getByRole('dialog').waitFor()
    await phone.picture('network-lost')
    await phone.context.setOffline(false)
    await page.getByRole('dialog').getByRole('button', { name: /重试/ }).click()

    await toasted(phone, '客户已保存')
    await arrive(phone, '/pages/customer/my/detail')
    await inSight(page).getByText('断网测试客户').first().waitFor()
  })

  it('and a closed tab: the next visit finds what was typed, and can throw it away', async () => {
    const phone = await stage.phone(ADD)
    const { page } = phone
    await logIn(phone)
    await arrive(phone, ADD)
    await box(page, 'name').fill('草稿里的客户')
    await page.waitForTimeout(500)

    await page.reload()
    await inSight(page).getByText('已恢复上次未提交的内容').waitFor()
    await phone.picture('draft-restored')
    const restored = await box(page, 'name').inputValue()
    await button(page, '清空').click()
    await expect.poll(() => box(page, 'name').inputValue()).toBe('')
    await page.reload()
    await box(page, 'name').waitFor()

    expect(restored).toBe('草稿里的客户')
    expect(await box(page, 'name').inputValue()).toBe('')
    expect(await field(page, 'name').count()).toBe(1)
  })
})
