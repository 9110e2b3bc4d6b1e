import { describe, expect, it } from 'vitest'
import {
  arrive,
  ask,
  box,
  button,
  field,
  inSight,
  logIn,
  PASSWORD,
  type Row,
  toasted,
} from '../support/acts.ts'
import { long } from '../support/long.ts'
import type { Phone } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

describe('a salesperson’s walk', () => {
  const stage = aStage({ keepsShell: true })

  it('signs in, finds a customer, opens it, logs a follow-up, adds a customer', async () => {
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

  it(
    'spends a day on a desktop without a mouse: finds, follows up, edits, moves a stage, obtains an approval, reads a message',
    long,
    async () => {
      const phone = await stage.phone()
      const { page } = phone
      await page.setViewportSize({ width: 1440, height: 900 })
      await box(page, 'password').waitFor()
      await logInByKeys(phone, 'demo')
      const { keyboard } = page

      const customer = (await ask(phone, '/mini/customer/list', { tab: 'mine', limit: 1 }))
        .list as readonly Row[]
      await openByKeys(phone, String(customer[0]?.name), '/pages/customer/my/detail')
      await reach(phone, /^写跟进$/)
      await keyboard.press('Enter')
      await arrive(phone, '/pages/customer/my/follow/add')
      await reach(phone, /^content /)
      await keyboard.type('只用键盘写的跟进')
      await reach(phone, /^保存$/)
      await keyboard.press('Enter')
      await toasted(phone, '跟进已保存')
      await arrive(phone, '/pages/customer/my/detail')
      await inSight(page).getByText('只用键盘写的跟进').first().waitFor()

      await reach(phone, /^编辑$/)
      await keyboard.press('Enter')
      await arrive(phone, '/pages/customer/my/add')
      await expect.poll(() => box(page, 'name').inputValue()).not.toBe('')
      await reach(phone, /^name /)
      await keyboard.press('End')
      await keyboard.type('（键盘）')
      await reach(phone, /^保存$/)
      await keyboard.press('Enter')
      await toasted(phone, /保存/)
      await arrive(phone, '/pages/customer/my/detail')
      await inSight(page).getByText('（键盘）').first().waitFor()

      const deals = (await ask(phone, '/mini/bussiness/list', { tab: 'open', limit: 50 }))
        .list as readonly Row[]
      const deal = deals.find(({ stage_id }) => stage_id === 'first_contact')
      await openByKeys(phone, String(deal?.name), '/pages/bussiness/detail')
      await reach(phone, /^需求确认$/)
      await keyboard.press('Enter')
      await page.getByRole('dialog', { name: '变更阶段' }).waitFor()
      await reach(phone, /^确认变更$/)
      await keyboard.press('Enter')
      await expect
        .poll(() => inSight(page).locator('[data-widget="stage-bar"] [aria-current]').innerText())
        .toBe('需求确认')

      await keyboard.press('Control+k')
      await keyboard.type('消息')
      await page.getByRole('option', { name: '消息通知', selected: true }).waitFor()
      await keyboard.press('Enter')
      await arrive(phone, '/pages/my/message/index')
      await reach(phone, /审批|跟进|客户|合同|回款|待办|欢迎|公告/, '.vf-card')
      await keyboard.press('Enter')
      await expect.poll(phone.at).not.toMatch(/message\/?$/)

      const approver = await stage.phone()
      await approver.page.setViewportSize({ width: 1440, height: 900 })
      await box(approver.page, 'password').waitFor()
      await logInByKeys(approver, 'manager')
      await reach(approver, /^待我审批/)
      await approver.page.keyboard.press('Enter')
      await arrive(approver, /\/pages\/work\/(approval|todo)/)
      await reach(approver, /合同|回款/, '.vf-card, [role="row"]')
      await approver.page.keyboard.press('Enter')
      await arrive(approver, '/pages/work/approval/detail')
      await reach(approver, /^同意$/)
      await approver.page.keyboard.press('Enter')
      await toasted(approver, /同意|通过/)
    },
  )
})

/** Fills in the login form with the tab key. */
async function logInByKeys(phone: Phone, account: string): Promise<void> {
  const { keyboard } = phone.page
  await reach(phone, /^account /)
  await keyboard.type(account)
  await reach(phone, /^password /)
  await keyboard.type(PASSWORD)
  await reach(phone, /^agree /)
  await keyboard.press('Space')
  await reach(phone, /^登录$/)
  await keyboard.press('Enter')
  await arrive(phone, '/')
  await inSight(phone.page).locator('[data-widget]').first().waitFor()
}

/** Opens a record by Ctrl K. */
async function openByKeys({ page, ...phone }: Phone, name: string, path: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(name)
  await page.getByRole('option', { name: new RegExp(`^${name}`), selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await arrive({ page, ...phone }, path)
  await inSight(page).getByText(name).first().waitFor()
}

const MAX_TABS = 150

/** Presses the tab key until the focused element has this name: a field by its name and label, others by their text. */
async function reach({ page }: Phone, name: RegExp, within = '*'): Promise<void> {
  const met: string[] = []
  for (let i = 0; i < MAX_TABS; i += 1) {
    const focused = await page.evaluate((place) => {
      const element = document.activeElement
      if (!(element instanceof HTMLElement) || !element.matches(place)) return ''
      const field = element.closest<HTMLElement>('[data-field]')?.dataset.field
      const words = element.getAttribute('aria-label') ?? element.innerText
      return element.matches('input, textarea') && field !== undefined ? `${field} ${words}` : words.trim()
    }, within)
    if (name.test(focused)) return
    met.push(focused)
    await page.keyboard.press('Tab')
  }
  throw new Error(`nothing called ${name} was reached: ${[...new Set(met)].join(' | ')}`)
}
