import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  anotherTab,
  arrive,
  ask,
  box,
  button,
  field,
  goTo,
  hears,
  inSight,
  logIn,
  lyingOnDevice,
  type Row,
  shellKept,
  toasted,
} from '../support/acts.ts'
import { long } from '../support/long.ts'
import { LOST_NETWORK, type Phone } from '../support/phone.ts'
import { workUntil } from '../support/rough-day.ts'
import { seeded } from '../support/seeded.ts'
import { aStage } from '../support/stage.ts'
import { startUnrulyProxy } from '../support/unruly-proxy.ts'

const LIST = '/pages/customer/my/index'
const MINE = `${LIST}?tab=mine`
const ADD = '/pages/customer/my/add'
const DETAIL = '/pages/customer/my/detail'
/** Duration of the rough day; 300 s in manual runs (README). */
const SECONDS = Number(process.env.CHAOS_SECONDS ?? 8)
const stage = aStage({ keepsShell: true })

describe('a lost network', () => {
  it('in the middle of a change keeps the change, and sends it once the network is back', async () => {
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
    await arrive(phone, '/pages/customer/my/detail')
    await page.getByText('1 条内容待提交').waitFor()
    await phone.picture('network-lost')
    await phone.context.setOffline(false)

    await page.getByText('1 条内容待提交').waitFor({ state: 'detached' })
    await goTo(phone, `${DETAIL}?id=${id}`)
    await inSight(page).getByText('断网测试客户').first().waitFor()
  })

  it('before the app is fully cached reports that a sheet could not be loaded, opens it later, and sends a decision once', async () => {
    const phone = await stage.phone('/pages/work/approval/index')
    const { page, context } = phone
    await logIn(phone, 'manager')
    await inSight(page).locator('.vf-card:has([data-widget])').first().click()
    await arrive(phone, '/pages/work/approval/detail')
    await button(page, '驳回').waitFor()
    phone.allow(LOST_NETWORK)
    await page.evaluate(() =>
      Object.defineProperty(navigator.serviceWorker, 'controller', { value: null, configurable: true }),
    )
    await context.setOffline(true)

    await button(page, '驳回').click()
    await toasted(phone, '没有打开，请检查网络后再试')
    await context.setOffline(false)
    const colleagues = page.waitForResponse((one) => one.url().includes('/user/options') && one.ok())
    await button(page, '驳回').click()
    await colleagues
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('textbox').fill('价格要再谈')
    await context.setOffline(true)
    const before = (await phone.said()).length
    await sheet.getByRole('button', { name: '确认驳回' }).click()
    await page.getByText('网络没有连上').waitFor()

    expect((await phone.said()).slice(before).filter((words) => words.includes('网络'))).toEqual([])
    await page.getByRole('button', { name: '稍后' }).click()
    await context.setOffline(false)
  })

  it('is told above the bar, the tabs and the choice of a scrolled list, not over them', async () => {
    const phone = await stage.signedIn('demo', LIST)
    const { page } = phone
    const cards = inSight(page).locator('.vf-card:has([data-widget])')
    await cards.nth(3).waitFor()
    const topOf = async (place: Locator) => (await place.boundingBox())?.y
    const bar = inSight(page).locator('.nav-bar')
    const pinned = inSight(page).locator('.vf-sticky').first()
    const choice = page.locator('.vf-pick-head')
    phone.allow(LOST_NETWORK)
    await page.evaluate(() => scrollTo({ top: 400 }))
    await page.context().setOffline(true)
    const notice = page.locator('.offline')
    await notice.waitFor()
    const end = (await notice.boundingBox())?.height ?? 0

    await expect.poll(() => topOf(bar)).toBe(end)
    const { height = 0 } = (await bar.boundingBox()) ?? {}
    await expect.poll(() => topOf(pinned)).toBe(end + height)
    await phone.picture('network-lost-scrolled')
    await button(page, '多选').click()
    await expect.poll(() => topOf(choice)).toBe(end)
    await page.context().setOffline(false)
    await expect.poll(() => topOf(choice)).toBe(0)
    await expect.poll(() => topOf(bar)).toBe(0)
  })

  it('and a closed tab keep the input, which the next visit restores or discards', async () => {
    const phone = await stage.phone(ADD)
    const { page } = phone
    await logIn(phone)
    await arrive(phone, ADD)
    await box(page, 'name').fill('草稿里的客户')

    await page.reload() // at once: before anything waits to be saved
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

  it('a discarded change leaves the record as it is stored', async () => {
    const phone = await stage.signedIn('demo', LIST)
    const { page } = phone
    await inSight(page).locator('[data-widget="list"] .vf-card:has([data-widget])').first().click()
    await arrive(phone, '/pages/customer/my/detail')
    await goTo(phone, phone.at().replace(DETAIL, ADD))
    const name = () => box(page, 'name').inputValue()
    await expect.poll(name).not.toBe('')
    const stored = await name()
    await box(page, 'name').fill('改到一半的名称')
    await page.reload()
    await inSight(page).getByText('已恢复上次未提交的内容').waitFor()
    const restored = await name()

    await button(page, '清空').click()
    await expect.poll(name).toBe(stored)
    await page.reload()
    await expect.poll(name).toBe(stored)

    expect(restored).toBe('改到一半的名称')
  })
})

describe('on a device without storage', () => {
  it('input stays in its form, the user is told to keep the page open, and a retry saves it', async () => {
    const phone = await stage.phone(ADD)
    const { page, context } = phone
    phone.allow(LOST_NETWORK)
    await context.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('', 'InvalidStateError')
      }
      Object.defineProperty(window, 'indexedDB', { value: { open: refuse } })
    })
    await page.reload()
    await logIn(phone)
    await arrive(phone, ADD)

    await box(page, 'name').fill('无痕模式客户')
    await toasted(phone, '本机无法保存内容，提交之前请不要关闭本页')
    await phone.picture('draft-unkept')
    await context.setOffline(true)
    await button(page, '保存').click()
    await page.getByRole('dialog').getByText('本机也无法保存内容').waitFor()
    await page.getByText('当前没有网络，本机也无法保存内容，请不要关闭页面').waitFor()
    await phone.picture('offline-unkept')
    await page.getByRole('dialog').getByRole('button', { name: '稍后' }).click()
    const typed = await box(page, 'name').inputValue()
    await context.setOffline(false)
    await button(page, '保存').click()

    await toasted(phone, '客户已保存')
    expect(typed).toBe('无痕模式客户')
    expect(await rowsOf(phone, '/mini/customer/list', { keyword: '无痕模式客户' })).toHaveLength(1)
  })
})

describe('without a network', () => {
  it('cached pages are readable; writes wait, survive a closed tab, and arrive once and in order', async () => {
    const phone = await stage.phone(MINE)
    const { page, context } = phone
    phone.allow(LOST_NETWORK)
    await logIn(phone)
    await arrive(phone, LIST)
    const card = inSight(page).locator('.vf-card:has([data-widget])').first()
    const name = await card.locator('[data-widget="static-text"]').first().innerText()
    await card.click()
    await arrive(phone, DETAIL)
    await inSight(page).getByText(name).first().waitFor()
    const customer = new URLSearchParams(phone.at().split('?')[1]).get('id') ?? ''
    await shellKept(phone)

    await context.setOffline(true)
    await page.close()
    const tab = await anotherTab(phone, MINE)
    await inSight(tab.page).getByText(name).first().waitFor()
    await tab.page.getByText('离线，显示的是').waitFor()
    await tab.picture('offline-list')
    await inSight(tab.page).getByText(name).first().click()
    await arrive(tab, DETAIL)
    await inSight(tab.page).getByText(name).first().waitFor()
    await writeFollow(tab, { id: customer, name }, '断网时写的第一条')
    await writeFollow(tab, { id: customer, name }, '断网时写的第二条')
    await tab.page.goto(`${stage.product().url}/#/pages/customer/my/add?module=customer`)
    await box(tab.page, 'name').fill('断网新客户')
    await box(tab.page, 'mobile').fill('13900008765')
    await button(tab.page, '保存').click()
    await toasted(tab, '待提交')
    await tab.page.close()

    const last = await anotherTab(phone, '/pages/my/outbox/index')
    await inSight(last.page).getByText('断网时写的第二条').waitFor()
    const waiting = await inSight(last.page).locator('.vf-card [data-widget="static-text"]').allInnerTexts()
    await last.picture('offline-outbox')
    const sent: string[] = []
    last.page.on('request', (request) => {
      if (/\/(follow|customer)\/create$/.test(request.url())) sent.push(request.postData() ?? '')
    })
    const told = toasted(last, '3 条内容已提交') // it is visible for a second and a half
    await context.setOffline(false)
    await told
    await inSight(last.page).getByText('都已提交').waitFor()

    expect(waiting.filter((text) => /跟进|新建/.test(text)).length).toBe(3)
    expect(waiting.filter((text) => text === `跟进 · ${name}`)).toHaveLength(2)
    // A call that the returning network breaks off is sent again, with the same token.
    const writes = sent.filter((body, at) => body !== sent[at - 1])
    expect(writes.map((body) => /第一条|第二条|新客户/.exec(body)?.[0])).toEqual([
      '第一条',
      '第二条',
      '新客户',
    ])
    const follows = await rowsOf(last, '/mini/follow/list', { targetType: 'customer', targetId: customer })
    expect(contents(follows).filter((text) => text.startsWith('断网时'))).toEqual([
      '断网时写的第二条',
      '断网时写的第一条',
    ])
    const customers = await rowsOf(last, '/mini/customer/list', { keyword: '断网新客户' })
    expect(customers).toHaveLength(1)
  })

  it('refused writes are shown with their reason, and can be changed and sent again', async () => {
    const phone = await stage.phone('/pages/customer/my/add?module=customer')
    const { page, context } = phone
    phone.allow(LOST_NETWORK)
    await logIn(phone)
    await box(page, 'name').fill('断网新客户')
    await shellKept(phone)
    await context.setOffline(true)
    await button(page, '保存').click()
    await toasted(phone, '待提交')

    await context.setOffline(false)
    await page.getByRole('button', { name: /未能提交，点此处理/ }).click()
    await inSight(page)
      .getByText(/已存在|重复/)
      .first()
      .waitFor()
    await phone.picture('offline-refused')
    await button(page, '修改').click()
    await expect.poll(() => box(page, 'name').inputValue()).toBe('断网新客户')
    await box(page, 'name').fill('断网改名客户')
    await button(page, '保存').click()
    await toasted(phone, '客户已保存')

    expect(await rowsOf(phone, '/mini/customer/list', { keyword: '断网改名客户' })).toHaveLength(1)
    await expect.poll(() => page.getByText('未能提交').count()).toBe(0)
  })
})

describe('a user who signs out', () => {
  it('leaves no name and no phone readable on the device, and finds queued writes and drafts again', async () => {
    const phone = await stage.phone(LIST)
    const { page, context } = phone
    phone.allow(LOST_NETWORK)
    phone.allow(/ERR_FAILED/)
    await logIn(phone)
    await arrive(phone, LIST)
    const card = inSight(page).locator('.vf-card:has([data-widget])').first()
    const seen = await card.locator('[data-widget="static-text"]').first().innerText()
    await box(page, 'keyword').fill('守密集团')
    await box(page, 'keyword').press('Enter')
    await page.goto(`${stage.product().url}/#${ADD}`)
    await box(page, 'name').fill('守密科技')
    await box(page, 'mobile').fill('13900004321')
    await context.route('**/mini/customer/create', (route) => route.abort())
    await button(page, '保存').click()
    await toasted(phone, '待提交')
    await page.goto(`${stage.product().url}/#${ADD}`)
    await box(page, 'name').fill('守密半份')
    await page.waitForTimeout(500)

    await page.goto(`${stage.product().url}/#/pages/my/index`)
    await button(page, '退出登录').click()
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
    const unsent = page.getByRole('dialog').filter({ hasText: '还有 1 条内容待提交，退出后要等您' })
    await unsent.getByRole('button', { name: '确定' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '保留' }).click()
    await arrive(phone, '/pages/login/login')
    const lying = await lyingOnDevice(page)

    expect(lying).toContain('own:')
    expect(lying).toContain('waiting')
    expect(lying).toContain('draft:')
    for (const word of ['守密', '4321', seen, '李明轩', 'draft_key']) expect(lying).not.toContain(word)

    await context.unroute('**/mini/customer/create')
    await logIn(phone)
    // It may have disappeared while the test looked at the login.
    await hears(phone, '1 条内容已提交')
    // The login redirects by itself a moment later.
    await expect.poll(phone.at).not.toContain('/pages/login/')
    await page.goto(`${stage.product().url}/#${ADD}`)
    await expect.poll(() => box(page, 'name').inputValue()).toBe('守密半份')
    expect(await rowsOf(phone, '/mini/customer/list', { keyword: '守密科技' })).toHaveLength(1)
  })
})

describe('over a network that loses, delays and cuts connections', () => {
  it(`a day of ${SECONDS} s loses and duplicates no write, and leaves no call pending`, {
    ...long,
    timeout: (SECONDS + 150) * 1_000,
  }, async () => {
    const random = seeded(76)
    let rough = false
    const proxy = await startUnrulyProxy(stage.product().url, () => (rough ? random() : 1))
    const phone = await stage.phone(MINE, proxy.origin)
    phone.allow(/net::ERR_|Failed to load resource/)
    await logIn(phone)
    await arrive(phone, LIST)
    await shellKept(phone)

    rough = true
    const day = await workUntil(Date.now() + SECONDS * 1_000, phone)
    rough = false
    await phone.context.setOffline(true)
    await phone.context.setOffline(false) // as when a train leaves a tunnel: the outbox is sent now
    await expect.poll(() => phone.page.getByText('待提交').count(), { timeout: 70_000 }).toBe(0)

    console.log(
      `${day.customers.length} customers, ${day.follows.length} calls, ${day.reads} lists; ${JSON.stringify(proxy.dealt)}`,
    )
    const found: string[] = []
    for (const keyword of day.customers)
      found.push(
        ...(await rowsOf(phone, '/mini/customer/list', { tab: 'all', keyword })).map((row) =>
          String(row.name),
        ),
      )
    const followed: string[] = []
    for (const customer of new Set(day.follows.map((one) => one.customer)))
      followed.push(
        ...contents(await rowsOf(phone, '/mini/follow/list', { targetType: 'customer', targetId: customer })),
      )
    expect(day.follows.length).toBeGreaterThan(0)
    expect(found.sort()).toEqual([...day.customers].sort())
    expect(followed.filter((text) => text.startsWith('风浪')).sort()).toEqual(
      day.follows.map(({ content }) => content).sort(),
    )
    expect(await phone.page.locator('.loading-mask').count()).toBe(0)
    expect(await phone.page.getByRole('dialog').count()).toBe(0)
    await proxy.close()
  })
})

/** Opens the form as links of the product do, which name the customer: its record may still be loading when the form is saved. */
async function writeFollow(
  tab: Phone,
  customer: { readonly id: string; readonly name: string },
  content: string,
): Promise<void> {
  const target = new URLSearchParams({
    targetType: 'customer',
    targetId: customer.id,
    targetName: customer.name,
  })
  const url = `/pages/customer/my/follow/add?${target}`
  await goTo(tab, url)
  await arrive(tab, '/pages/customer/my/follow/add')
  await field(tab.page, 'content').waitFor()
  await box(tab.page, 'content').fill(content)
  await button(tab.page, '保存').click()
  await toasted(tab, '待提交')
  await arrive(tab, DETAIL)
}

const rowsOf = async (phone: Phone, url: string, body: Row) =>
  (await ask(phone, url, body)).list as readonly Row[]

const contents = (rows: readonly Row[]): readonly string[] => rows.map((row) => String(row.content))
