import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import budgets from '../../src/bench/budgets.json'
import { median } from '../../src/tools/bench/measure.ts'
import { arrive, box, button, field, inSight, logIn, open, toasted } from '../support/acts.ts'
import { loadedCode } from '../support/loaded-code.ts'
import { type Phone, saveData } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

/** Rows that are visible in the window together. */
const FEW = 8

describe('home', () => {
  const stage = aStage()

  it.each([390, 320])('keeps the numbers of a row in one line, and dates whole, at %i px', async (width) => {
    const phone = await signedIn('manager')
    await phone.page.setViewportSize({ width, height: 844 })
    for (const path of ['/', '/pages/stats/report']) {
      await open(phone, path)
      const numbers = inSight(phone.page).locator('.vf-compact .vf-stat:has(> .vf-stat-change)')
      await numbers.nth(7).waitFor()
      const uneven = await numbers.evaluateAll((tiles) => {
        const rows = new Map<number, Set<number>>()
        for (const tile of tiles) {
          const top = Math.round(tile.getBoundingClientRect().top)
          // Numbers of different size share a baseline, not an edge.
          const number = tile.querySelector('.vf-stat-number')?.getBoundingClientRect()
          const middle = Math.round((number?.top ?? 0) + (number?.height ?? 0) / 2)
          rows.set(top, (rows.get(top) ?? new Set()).add(middle))
        }
        return [...rows.values()].filter((places) => Math.max(...places) - Math.min(...places) > 2).length
      })
      expect(uneven).toBe(0)
    }
    const days = inSight(phone.page).locator('[data-key="days"] > .vf-text')
    expect((await days.boundingBox())?.height).toBeLessThan(32)
  })

  it.each(['demo', 'director'])('opens exactly the counted rows for each figure, as %s', async (account) => {
    const phone = await signedIn(account)
    if (account === 'director') await inSight(phone.page).getByRole('tab', { name: '团队' }).click()
    const tiles = inSight(phone.page).locator('[data-key="statistics"] .vf-stat')
    await expect.poll(() => tiles.count()).toBe(8)
    await phone.page.waitForTimeout(1_500)

    for (const at of [0, 1, 4, 5, 6, 7]) {
      const number = Number.parseInt(await tiles.nth(at).locator('.vf-stat-number').innerText(), 10)
      await tiles.nth(at).click()
      await arrive(phone, '/pages/stats/detail')
      const page = inSight(phone.page)
      await page.getByText(String(number), { exact: true }).first().waitFor()
      const rows = page.locator('[data-widget="list"] .vf-card:has([data-widget])')
      if (number <= FEW) await expect.poll(() => rows.count()).toBe(number)
      await phone.page.goBack()
      await arrive(phone, '/')
    }
  })

  it.each(['demo', 'manager'])(
    'shows on its first screen the tasks, the overdue items, the month so far and the links of four figures, as %s',
    async (account) => {
      const phone = await signedIn(account)
      const page = inSight(phone.page)
      const edge = (await phone.page.locator('.tab-bar').boundingBox())?.y ?? 0
      expect(edge).toBeGreaterThan(0)
      const lines = page.locator('[data-key="statistics"] .vf-stat:has(.vf-spark)')
      await expect.poll(() => lines.count()).toBe(4)
      for (const key of ['todo', 'contractRate', 'paymentRate', 'period'])
        expect(await ends(page.locator(`[data-key="${key}"]`)), key).toBeLessThanOrEqual(edge)
      for (const at of [0, 1, 2, 3])
        expect(await ends(lines.nth(at).locator('.vf-spark'))).toBeLessThanOrEqual(edge)
      if (account === 'manager') expect(await ends(button(phone.page, '团队'))).toBeLessThanOrEqual(edge)

      await open(phone, '/pages/customer/my/index')
      const cards = inSight(phone.page).locator('[data-widget="list"] .vf-card:has([data-widget])')
      await expect.poll(() => cards.count()).toBeGreaterThan(6)
      expect(await endOfUsual(6, cards)).toBeLessThanOrEqual(edge)
    },
  )

  it('loads its code, with that of login, in few files and no more than its budget', async () => {
    const phone = await stage.phone('/pages/login/login')
    await logIn(phone, 'director') // a person has at most three devices
    await arrive(phone, '/')
    await inSight(phone.page).locator('[data-key="statistics"] .vf-stat').first().waitFor()

    const sizes = [...(await loadedCode(phone.page)).values()]
    expect(sizes.length).toBeGreaterThan(3)
    expect(sizes.length).toBeLessThanOrEqual(budgets.files.firstHome)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(budgets.gzipKb.firstHome * 1024)
  })

  it('shows the percentage of a target under its amounts if it has no room beside them', async () => {
    const phone = await signedIn('demo')
    const narrow = await phone.another(`${stage.product().url}/#/`, { width: 320, height: 640, text: 1 })
    for (const target of ['contract', 'payment']) {
      const end = (part: string) =>
        inSight(narrow.page)
          .locator(`[data-key="${target}${part}"] .vf-text`)
          .evaluate((it) => Math.round(it.getBoundingClientRect().right))
      expect(await end('Percent'), target).toBe(await end('Done'))
    }
    expect(await headRows(narrow)).toBe(1)
    await narrow.close()
  })

  it('with text of double size shows each figure and its label completely', async () => {
    const phone = await signedIn('manager')
    const large = await phone.another(`${stage.product().url}/#/`, { width: 390, height: 844, text: 2 })
    const { page } = large
    /** Signs that a text has beside each other. */
    const across = (text: Locator) => text.evaluate((it) => Math.round(it.getBoundingClientRect().width / 26))
    const label = inSight(page).locator('[data-key="contractLabel"] .vf-text').first()
    await label.waitFor()
    expect(await across(label)).toBeGreaterThan(1)
    const halved = await inSight(page)
      .locator('[data-key="name"] .vf-text, [data-key="firm"] .vf-text')
      .evaluateAll((all) => all.filter((it) => it.scrollHeight > it.clientHeight + 1).length)
    expect(halved).toBe(0)
    const name = inSight(page).locator('[data-key="name"] .vf-text')
    expect(
      await name.evaluate((it) => it.clientHeight / Number.parseFloat(getComputedStyle(it).lineHeight)),
    ).toBe(1)
    expect(await headRows(large)).toBe(1)
    // In the plan a title has room for a few characters beside an amount.
    const titles = await inSight(page)
      .locator('[data-key^="planTitle"] .vf-text')
      .evaluateAll((all) => all.map((it) => it.getBoundingClientRect().width / 30))
    expect(Math.min(...titles)).toBeGreaterThan(3)

    await open(large, '/pages/stats/team')
    await inSight(page).locator('[data-key="contractValue"]').first().waitFor()
    await large.picture('team-large')
    const targets = inSight(page).locator('.vf-text').getByText('本月合同目标', { exact: true })
    await expect.poll(() => targets.count()).toBeGreaterThan(1)
    for (const target of await targets.all()) expect(await across(target)).toBeGreaterThan(1)
    const cut = await inSight(page)
      .locator('[data-key="contractValue"] .vf-text, [data-key="paymentValue"] .vf-text')
      .evaluateAll((all) => all.filter((it) => it.scrollHeight > it.clientHeight + 1).length)
    expect(cut).toBe(0)

    await open(large, '/pages/work/todo/index')
    const names = inSight(page).locator('[data-widget="list"] [data-key="title"] .vf-text')
    await names.first().waitFor()
    const ended = await names.evaluateAll((all) =>
      all
        .filter((it) => it.scrollHeight > it.clientHeight + 1)
        .map((it) => it.textContent)
        .filter((name) => name.length < 30),
    )
    expect(await names.count()).toBeGreaterThan(5)
    expect(ended).toEqual([])
    await large.picture('todo-large')

    // On a form a one-line label is beside the value.
    await open(large, '/pages/customer/my/add')
    const middle = (one: Locator) =>
      one.evaluate((it) => {
        const words = document.createRange()
        words.selectNodeContents(it)
        const { top, height } = (it instanceof HTMLInputElement ? it : words).getBoundingClientRect()
        return top + height / 2
      })
    const phoneField = field(page, 'mobile')
    const apart = (await middle(phoneField.locator('.vf-label'))) - (await middle(box(page, 'mobile')))
    expect(Math.abs(apart)).toBeLessThan(6)
    await large.close()
  })

  it('begins below the notch, like every page, and writes digits of one width', async () => {
    const phone = await signedIn('demo')
    const page = phone.page.locator('.vf-page').first()
    expect(await page.evaluate((it) => getComputedStyle(it).fontVariantNumeric)).toBe('tabular-nums')
    const session = await phone.context.newCDPSession(phone.page)
    const insets = { top: 47, topMax: 47, bottom: 34, bottomMax: 34 }
    await session.send('Emulation.setSafeAreaInsetsOverride', { insets })
    const top = (one: Locator) => one.evaluate((it) => it.getBoundingClientRect().top)
    await expect
      .poll(() => top(inSight(phone.page).locator('[data-key="hello"]').first()))
      .toBeGreaterThanOrEqual(47)
    await open(phone, '/pages/customer/my/index')
    expect(await top(inSight(phone.page).locator('.nav-bar-title'))).toBeGreaterThanOrEqual(47)
  })

  it('loads pages ahead unless the browser saves data, but the code for charts only when one is visible, and offers their numbers as tables', async () => {
    const phone = await signedIn()
    const loaded = (part: string) =>
      phone.page.evaluate(
        (name) => performance.getEntriesByType('resource').some((entry) => entry.name.includes(name)),
        part,
      )
    await phone.page.waitForTimeout(2_500)
    expect([await loaded('/page/bundle'), await loaded('/board-')]).toEqual([false, false])
    await saveData(phone.context, false)
    await phone.page.reload()
    await expect.poll(() => loaded('/page/bundle')).toBe(true)
    expect(await loaded('/board-')).toBe(true)
    const before = await loaded('/draw-')
    const chart = inSight(phone.page).locator('[data-widget="chart"]')

    await chart.first().scrollIntoViewIfNeeded()
    await chart.first().locator('img').waitFor()
    await chart.first().getByRole('button', { name: '查看数据' }).click()

    expect(before).toBe(false)
    expect(await chart.first().locator('tbody tr').count()).toBe(6)
  })

  it.each([
    ['sources', 'requests its data'],
    ['drawing', 'draws it'],
  ])('without %s, which %s, shows that, and a tap loads it', async (part) => {
    const phone = await stage.phone()
    phone.allow(/net::ERR_FAILED|Failed to fetch|could not be loaded/)
    await phone.context.route(`**/assets/${part}-*.js`, (route) => route.abort())
    await logIn(phone)
    const again = inSight(phone.page).getByRole('button', { name: '重试' }).first()
    await again.waitFor()
    await phone.context.unroute(`**/assets/${part}-*.js`)
    await again.click()

    await inSight(phone.page).locator('.vf-stat').first().waitFor()
    await expect.poll(() => inSight(phone.page).getByText('加载失败').count()).toBe(0)
  })

  it('searches everything from its box, shows recent records before typing, and creates a follow-up from a result', async () => {
    const phone = await signedIn()
    const { page } = phone
    await button(page, '搜索客户、联系人、商机、合同').click()
    await arrive(phone, '/pages/search/index')
    await inSight(page).getByRole('heading', { name: '最近浏览' }).waitFor()
    await expect.poll(() => box(page, 'keyword').evaluate((it) => it === document.activeElement)).toBe(true)
    await phone.picture('search-empty')
    await page.keyboard.type('公司')
    const hits = inSight(page).locator('[data-widget="list"] .vf-card:has([data-widget])')
    await button(page, '写跟进').first().waitFor()
    await phone.picture('search')
    await page.setViewportSize({ width: 1440, height: 900 })
    const lines = inSight(page).locator('[role="row"][data-row]')
    await lines.first().focus()
    await page.keyboard.press('j')
    await lines.nth(1).getByRole('button', { name: '写跟进' }).waitFor()
    await phone.picture('search-desk')
    await page.setViewportSize({ width: 390, height: 844 })
    const customers = page.waitForResponse(/search.global.*types=customer/)
    await field(page, 'type').getByText('客户', { exact: true }).click()
    await customers
    await expect.poll(() => hits.first().innerText()).toContain('客户')
    const [name = ''] = (await hits.first().innerText()).split('\n')

    await button(page, '写跟进').first().click()
    await arrive(phone, '/pages/customer/my/follow/add')
    await inSight(page).getByText(name).first().waitFor()
    await page.goBack()
    await arrive(phone, '/pages/search/index')
    await hits.first().focus()
    await page.keyboard.press('Enter')
    await arrive(phone, /^\/pages\/customer\/(my|pool)\/detail/)
    await inSight(page).getByText(name).first().waitFor()
  })

  it('leads to the feed, where colleagues like, comment and answer, and open the record', async () => {
    const phone = await signedIn('manager')
    const { page } = phone
    await button(page, '动态').click()
    await arrive(phone, '/pages/work/feed/index')
    await field(page, 'tab').getByText('团队', { exact: true }).click()
    const cards = inSight(page).locator('[data-widget="list"] .vf-card:has([data-widget])')
    await cards.first().waitFor()
    await phone.picture('feed')
    await page.setViewportSize({ width: 1440, height: 900 })
    await phone.picture('feed-desk')
    await page.setViewportSize({ width: 390, height: 844 })
    await cards.first().getByRole('button', { name: '赞', exact: true }).click()
    await cards.first().getByRole('button', { name: '已赞 1' }).waitFor()

    await cards.first().getByRole('button', { name: /^点评/ }).click()
    const sheet = page.getByRole('dialog')
    await sheet.locator('[data-field="comment"] textarea').fill('继续跟紧')
    await sheet.getByRole('button', { name: '发布点评' }).click()
    await toasted(phone, '点评已发布')
    await sheet.getByText('继续跟紧').click()
    await sheet.getByText('回复 周晓燕').waitFor()
    await sheet.locator('[data-field="comment"] textarea').fill('收到')
    await phone.picture('feed-comments')
    await sheet.getByRole('button', { name: '发布点评' }).click()
    await sheet.locator('.vf-timeline').getByText('回复 周晓燕').waitFor()
    await page.keyboard.press('Escape')

    await cards.first().getByRole('button', { name: '点评 2' }).waitFor()
    await cards.first().getByRole('button').first().click()
    await arrive(phone, /^\/pages\/(customer|bussiness|contract)\/.*detail\?id=/)
  })

  it('is at most three taps from frequent tasks: deciding, reading, managing the team, moving a deal', async () => {
    const manager = await signedIn('manager')
    const { page } = manager
    const asked = page.locator('[data-key="todo"] .vf-stat').filter({ hasText: '待我审批' })
    const approving = await taps(manager)
    await asked.click()
    await arrive(manager, '/pages/work/todo/index')
    await inSight(page).locator('[data-widget="list"] .vf-card').filter({ hasText: '审批' }).first().click()
    await arrive(manager, '/pages/work/approval/detail')
    // Everything a decision needs is on that page.
    for (const words of ['单据内容', '合同类型', '提交于', '产品明细'])
      await inSight(page).getByText(words).first().waitFor()
    await manager.picture('approval-detail')
    await button(page, '同意').click()
    await toasted(manager, '已同意')
    expect(await approving()).toBe(3)

    await open(manager, '/')
    const looking = await taps(manager)
    await page.locator('[data-key="manage"]').getByText('我的团队').click()
    await arrive(manager, '/pages/stats/team')
    const neglected = inSight(page).locator('[data-key="neglectedLabel"]').first()
    await neglected.click()
    await arrive(manager, '/pages/customer/my/index')
    expect(manager.at()).toContain('tab=team_unfollowed30&owner=')
    expect(await looking()).toBeLessThanOrEqual(3)

    const sales = await signedIn('demo')
    const reading = await taps(sales)
    // A record that cannot be marked as read is opened all the same.
    const refusal = { meta: { code: 503, success: false, message: '服务繁忙' }, data: null }
    await sales.page.route('**/mini/message/read', (route) => route.fulfill({ json: refusal }))
    await inSight(sales.page).getByRole('button', { name: /^消息/ }).click()
    await arrive(sales, '/pages/my/message/index')
    await inSight(sales.page)
      .locator('[data-widget="list"] .vf-card')
      .filter({ hasText: '跟进了你的客户' })
      .first()
      .click()
    await arrive(sales, '/pages/customer/my/detail')
    expect(await reading()).toBe(2)

    await open(sales, '/')
    const moving = await taps(sales)
    await sales.page.getByRole('button', { name: '商机', exact: true }).last().click()
    await arrive(sales, '/pages/bussiness/index')
    await button(sales.page, '看板').click()
    await arrive(sales, '/pages/bussiness/board')
    await inSight(sales.page).locator('.vf-board-card').first().focus()
    await sales.page.keyboard.press('Space')
    await expect.poll(() => columnUnderCard(sales)).not.toBe(-1)
    const next = (await columnUnderCard(sales)) + 1
    await sales.page.keyboard.press('ArrowRight')
    await expect.poll(() => columnUnderCard(sales)).toBe(next)
    await sales.page.keyboard.press('Space')
    await sales.picture('board')
    await toasted(sales, '阶段已变更')
    // Dragging is one more action: press, then move.
    expect((await moving()) + 1).toBeLessThanOrEqual(3)
  })

  it('needs at most six taps to follow up or to create a customer, three to convert a lead, five to enter a payment', async () => {
    const phone = await signedIn('demo')
    const { page } = phone
    const cards = inSight(page).locator('[data-widget="list"] .vf-card:has([data-widget])')
    const say = async (address: string, words: string) => {
      await box(page, address).click()
      await page.keyboard.type(words)
    }

    const following = await taps(phone)
    await page.getByRole('navigation', { name: '底部导航' }).getByRole('button', { name: '客户管理' }).click()
    await arrive(phone, '/pages/customer/my/index')
    await cards.first().click()
    await arrive(phone, '/pages/customer/my/detail')
    await button(page, '写跟进').first().click()
    await arrive(phone, '/pages/customer/my/follow/add')
    await field(page, 'method').getByRole('radio', { name: '微信' }).check()
    await say('content', '报价已发出，周五给答复')
    await button(page, '保存').click()
    await toasted(phone, '跟进已保存')
    expect(await following()).toBeLessThanOrEqual(6)

    await open(phone, '/')
    const entering = await taps(phone)
    await button(page, '新建客户').click()
    await arrive(phone, '/pages/customer/my/add')
    await say('name', `数一数客户${Date.now() % 100_000}`)
    await say('mobile', '13900007654')
    await button(page, '保存').click()
    await toasted(phone, '客户已保存')
    expect(await entering()).toBeLessThanOrEqual(6)

    await open(phone, '/')
    const converting = await taps(phone)
    await button(page, '线索').click()
    await arrive(phone, '/pages/customer/leads/index')
    await cards.getByRole('button', { name: '转化' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: '确认转化' }).click()
    await toasted(phone, '转化成功')
    expect(await converting()).toBeLessThanOrEqual(3)

    await open(phone, '/')
    const paying = await taps(phone)
    await button(page, '新建回款').click()
    await arrive(phone, '/pages/contract/payment/add')
    await field(page, 'contract_id').locator('.vf-picker-face').click()
    await page
      .getByRole('dialog')
      .getByText(/未回款/)
      .first()
      .click()
    await field(page, 'method').getByRole('radio', { name: '对公转账' }).check()
    // The default filter: open and today.
    await expect.poll(() => box(page, 'amount').inputValue()).not.toBe('')
    await expect.poll(() => field(page, 'paid_at').innerText()).toMatch(/\d{4}-\d{2}-\d{2}/)
    await button(page, '保存并提交').click()
    await toasted(phone, '已提交')
    expect(await paying()).toBeLessThanOrEqual(5)
  })

  /** The bottom edge of an element, from the top of the screen. */
  const ends = (one: Locator): Promise<number> => one.evaluate((it) => it.getBoundingClientRect().bottom)

  /** Counts the taps from here on. */
  async function taps({ page }: Phone): Promise<() => Promise<number>> {
    await page.evaluate(() => {
      const counted = { taps: 0 }
      Object.assign(window, { counted })
      // Not `click`: one on a label is followed by one of its box.
      addEventListener('pointerdown', (event) => void (event.isTrusted && counted.taps++), true)
    })
    return () => page.evaluate(() => (window as unknown as { counted: { taps: number } }).counted.taps)
  }

  async function signedIn(account = 'demo'): Promise<Phone> {
    const phone = await stage.signedIn(account)
    await inSight(phone.page).locator('[data-widget="stat-grid"]').first().waitFor()
    return phone
  }
})

/** The number of rows that the buttons beside the name take. */
const headRows = ({ page }: Phone): Promise<number> =>
  inSight(page)
    .locator('[data-key^="bell"] button, [data-key="share"] button')
    .evaluateAll((all) => new Set(all.map((one) => Math.round(one.getBoundingClientRect().top))).size)

/** Where the last of that many cards ends if none takes more lines than usual: a long name takes a second one. */
async function endOfUsual(count: number, cards: Locator): Promise<number> {
  const tops = await cards.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
  const steps = tops.slice(1).map((top, at) => top - (tops[at] ?? Number.NaN))
  return (tops[0] ?? Number.NaN) + count * median(steps)
}

/** The position of the board's column over which a card is held, or -1. */
const columnUnderCard = ({ page }: Phone): Promise<number> =>
  inSight(page)
    .locator('.vf-board-column')
    .evaluateAll((all) => all.findIndex((one) => one.classList.contains('vf-board-over')))
