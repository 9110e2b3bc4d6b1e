import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../runtime/core/json.ts'
import { arrive, box, button, field, inSight, open, toasted } from '../support/acts.ts'
import type { Phone } from '../support/phone.ts'
import { signIn } from '../support/route-cases.ts'
import { aStage } from '../support/stage.ts'

/** Ways to close an opportunity that can be undone: entry, field of the reason, button, message, and the resulting log entry. */
const ENDS = [
  ['输单', 'loseReason', '确认输单', '已记为输单', 'lostNote'],
  ['标为无效', 'invalidReason', '确认', '已标为无效', 'invalidNote'],
] as const

/** Chooses an entry of the page's 更多. */
async function fromMore(phone: Phone, name: string): Promise<void> {
  await inSight(phone.page).getByText('更多', { exact: true }).click()
  await phone.page.getByText(name, { exact: true }).last().click()
}

/** A button or an entry of the topmost sheet. */
const onTop = (phone: Phone, name: string) => phone.page.getByRole('button', { name, exact: true }).last()

describe('a day of sales work', () => {
  const stage = aStage()

  it('creates a lead with only a name and a number, and converts it to a customer', async () => {
    const company = `只有名字${Date.now() % 100_000}`
    const phone = await stage.signedIn('demo', '/pages/customer/my/add?module=lead')
    const { page } = phone
    await arrive(phone, '/pages/customer/leads/add')
    await box(page, 'name').fill(company)
    await box(page, 'mobile').fill(`1390001${String(Date.now() % 10_000).padStart(4, '0')}`)
    await field(page, 'source').getByRole('combobox').click()
    await page.getByRole('dialog').getByRole('option').first().click()
    await button(page, '保存').click()
    await arrive(phone, '/pages/customer/leads/detail')

    await button(page, '转化').click()
    await phone.picture('day-convert-bare')
    await onTop(phone, '确认转化').click()
    await toasted(phone, '转化成功')

    await arrive(phone, '/pages/customer/my/detail')
    await inSight(page).getByText(company).first().waitFor()
    expect(phone.complaints()).toEqual([])
    await phone.close()
  })

  it('creates a lead, converts it, advances the opportunity, logs a follow-up and releases; a colleague claims it', async () => {
    const company = `北辰测试${Date.now() % 100_000}`
    const phone = await stage.signedIn('demo', '/pages/customer/my/add?module=lead')
    const { page } = phone

    await arrive(phone, '/pages/customer/leads/add')
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
    await inSight(page).locator('[data-widget="list"] .vf-card:not(.vf-skeleton)').first().click()
    await arrive(phone, '/pages/bussiness/detail')
    for (const name of ['需求确认', '方案报价']) {
      await inSight(page).locator('[data-widget="stage-bar"] button').filter({ hasText: name }).click()
      await expect
        .poll(() => page.locator('[data-field="toStage"]').getByRole('radio', { name }).isChecked())
        .toBe(true)
      await onTop(phone, '确认变更').click()
      await toasted(phone, '阶段已变更')
      await page.locator('.vf-layer').waitFor({ state: 'detached' })
    }
    await phone.picture('day-stage')
    for (const [how, sheet, reason, said, note] of ENDS) {
      const noted = inSight(page).locator(`[data-key="${note}"]`)
      await fromMore(phone, how)
      await page.locator(`[data-field="${sheet}"]`).getByRole('radio').first().check()
      await onTop(phone, reason).click()
      await toasted(phone, said)
      await noted.waitFor()
      await fromMore(phone, '重启商机')
      await onTop(phone, '确定').click()
      await toasted(phone, '已重启')
      await noted.waitFor({ state: 'detached' })
    }
    await inSight(page).getByText('方案报价').first().waitFor()
    await fromMore(phone, '赢单')
    await onTop(phone, '确认赢单').click()
    await page.getByText('现在新建合同吗').waitFor()
    await phone.picture('day-won')
    await onTop(phone, '取消').click()
    await inSight(page).getByText('赢率 100%').waitFor()

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
    await onTop(phone, '确认放入公海').click()
    await toasted(phone, '已放入公海')
    await phone.close()

    const other = await stage.signedIn('zhaolei', '/pages/customer/pool/index')
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

  it('of a manager: distributes pool records, merges two duplicates, is notified of a colleague’s request to collaborate', async () => {
    const url = stage.product().url
    const manager = await signIn(url, 'manager')
    const name = `双生${Date.now() % 100_000}`
    const make = (body: JsonObject) =>
      manager.call('/mini/customer/create', { clientToken: crypto.randomUUID(), ...body })
    const one = await make({ name: `${name}科技`, level: 'A' })
    await make({ name: `${name}贸易行`, level: 'B', wechat: 'theirs_only' })

    const phone = await stage.signedIn('manager', '/pages/customer/pool/index')
    const { page } = phone
    await button(page, '多选').click()
    for (const at of [0, 1]) await inSight(page).locator('.vf-pick input').nth(at).check({ force: true })
    await button(page, '分配').click()
    await page.locator('.vf-layer').getByText('李明轩').last().click()
    await onTop(phone, '加人').click()
    await page.locator('.vf-layer').getByText('赵磊').last().click()
    await page.getByText('2 个人轮流分到').waitFor()
    await phone.picture('day-assign')
    await onTop(phone, '确认分配').click()
    await toasted(phone, '已分配 2 条')

    await page.evaluate((at) => window.location.assign(at), `#/pages/customer/my/detail?id=${one.id}`)
    await arrive(phone, '/pages/customer/my/detail')
    await inSight(page).getByText('编辑', { exact: true }).waitFor()
    await fromMore(phone, '合并客户')
    await page.locator('[data-field="mergeKeyword"] input').fill(name)
    await page.locator('.vf-layer').getByText(`${name}贸易行`).click()
    await page
      .locator('[data-field="mergeTake"]')
      .getByRole('checkbox', { name: /客户级别/ })
      .check()
    await phone.picture('day-merge')
    await onTop(phone, '确认合并').click()
    await toasted(phone, '合并完成')
    await inSight(page).getByText('普通客户').waitFor()

    const other = await stage.signedIn('demo', '/pages/customer/my/add')
    await box(other.page, 'name').fill(`${name}科技有限公司`)
    await button(other.page, '申请协作').click()
    await onTop(other, '确定').click()
    await toasted(other, '已通知负责人')
  })

  it('of a manager: undoes a claim and a deletion, even after the page has closed', async () => {
    const phone = await stage.signedIn('manager', '/pages/customer/my/index')
    const { page } = phone
    await open(phone, '/pages/customer/pool/index')
    const cards = inSight(page).locator('[data-widget="list"] .vf-card:has([data-widget])')
    // The minute may have changed meanwhile.
    const first = async () => (await cards.first().innerText()).replace(/\d+分钟前/, '')
    const undo = page.getByRole('status').getByRole('button', { name: '撤销' })
    // It stays while it has the focus or the pointer; a pointer takes its time on a busy machine.
    const stay = async () => {
      await undo.focus()
      await undo.hover()
    }
    const lay = await first()
    await button(page, '领取').first().click()
    await stay()
    await expect.poll(first).not.toBe(lay)
    await phone.picture('undo-claim')
    await undo.click()
    await toasted(phone, '已撤销领取')
    await expect.poll(first).toBe(lay)

    await open(phone, '/pages/customer/my/index')
    await inSight(page).getByText('我负责的').click()
    await cards.first().waitFor()
    await button(page, '新建客户').click()
    await arrive(phone, '/pages/customer/my/add')
    const made = `删了又要${Date.now() % 100_000}`
    await box(page, 'name').fill(made)
    await button(page, '保存').click()
    await arrive(phone, '/pages/customer/my/detail')
    await inSight(page).getByText('创建了客户').waitFor()
    await fromMore(phone, '删除客户')
    await onTop(phone, '确定').click()
    await stay()
    await arrive(phone, '/pages/customer/my/index')
    await expect.poll(() => cards.filter({ hasText: made }).count()).toBe(0)
    await phone.picture('undo-delete')
    await undo.click()
    await toasted(phone, '已恢复')
    await cards.filter({ hasText: made }).waitFor()
  })

  it('of a salesperson: sets the level of two customers at once, from their list', async () => {
    const seller = await signIn(stage.product().url, 'demo')
    const name = `批量${Date.now() % 100_000}`
    for (const word of ['甲', '乙'])
      await seller.call('/mini/customer/create', {
        clientToken: crypto.randomUUID(),
        name: `${name}${word}`,
        level: 'C',
      })
    const phone = await stage.signedIn('demo', '/pages/customer/my/index')
    const { page } = phone
    await box(page, 'keyword').fill(name)
    const cards = inSight(page).locator('[data-widget="list"] .vf-card').filter({ hasText: name })
    await expect.poll(() => cards.count()).toBe(2)

    await button(page, '多选').click()
    for (const at of [0, 1]) await inSight(page).locator('.vf-pick input').nth(at).check({ force: true })
    await phone.picture('day-patch-bar')
    await button(page, '修改').click()
    await page.getByRole('dialog', { name: '批量修改' }).waitFor()
    await page.locator('[data-field="patch_field"]').getByRole('radio', { name: '客户级别' }).check()
    await page.locator('[data-field="p_level"]').getByRole('combobox').click()
    await page.getByRole('option').filter({ hasText: '重点' }).first().click()
    await phone.picture('day-patch')
    await onTop(phone, '确定').click()
    await toasted(phone, '已处理')

    const { list } = await seller.call('/mini/customer/list', { keyword: name })
    expect(list).toMatchObject([{ level: 'A' }, { level: 'A' }])
    expect(phone.complaints()).toEqual([])
    await phone.close()
  })

  it('of a director: sees the whole company, assigns a lead, transfers a customer, opens the rows behind a figure', async () => {
    const phone = await stage.signedIn('director', '/pages/customer/my/index')
    const { page } = phone
    const rows = inSight(page).locator('[data-widget="list"] .vf-card:not(.vf-skeleton)')
    const go = async (path: string) => {
      await page.evaluate((at) => window.location.assign(`#${at}`), path)
      await arrive(phone, path.split('?')[0] ?? '')
    }
    const tab = (name: string) => inSight(page).getByRole('tab', { name: new RegExp(`^${name}`) })
    const all = tab('全部').filter({ hasText: /[1-9]/ })
    await all.waitFor()
    const count = async (name: string) => Number(/\d+/.exec(await tab(name).innerText())?.[0])
    expect(await count('下属的')).toBeGreaterThan(await count('我负责的'))

    const seller = await signIn(stage.product().url, 'demo')
    const name = `董事转移${Date.now() % 100_000}`
    const { id } = await seller.call('/mini/customer/create', { clientToken: crypto.randomUUID(), name })
    await go(`/pages/customer/my/detail?id=${id}`)
    await inSight(page).getByText('编辑', { exact: true }).waitFor()
    await fromMore(phone, '转移客户')
    await page.locator('.vf-layer').getByText('赵磊').last().click()
    await phone.picture('day-director-transfer')
    await onTop(phone, '确认转移').click()
    await toasted(phone, '已转移')
    await arrive(phone, '/pages/customer/my/index')
    await go(`/pages/customer/my/detail?id=${id}`)
    await inSight(page).getByText('负责人 赵磊').waitFor()

    await go('/pages/customer/my/index')
    await box(page, 'keyword').fill(name)
    await expect.poll(() => rows.count()).toBe(1)
    await button(page, '多选').click()
    await button(page, '全部转移').click()
    await page.locator('.vf-layer').getByText('李明轩').last().click()
    await page.locator('.vf-layer').getByText('当前列表 1 个客户里您可以转移的全部').waitFor()
    await onTop(phone, '确认转移').click()
    const question = page.getByRole('dialog', { name: '转移整个列表' })
    expect(await question.innerText()).toContain('当前列表 1 个客户里您可以转移的全部')
    expect(await question.innerText()).toContain('包括没有勾选、没有显示出来的')
    await question.getByRole('button', { name: '确定' }).click()
    await toasted(phone, /转移/)

    await go('/pages/customer/leads-pool/index')
    await button(page, '多选').click()
    await inSight(page).locator('.vf-pick input').first().check({ force: true })
    await button(page, '分配').click()
    await page.locator('.vf-layer').getByText('李明轩').last().click()
    await onTop(phone, '确认分配').click()
    await toasted(phone, '已分配')

    await go('/pages/customer/contact/index')
    await rows.first().click()
    await page.getByRole('dialog', { name: '联系人' }).getByText('编辑', { exact: true }).click()
    await arrive(phone, '/pages/customer/contact/add')
    await expect.poll(() => page.locator('.vf-layer').filter({ visible: true }).count()).toBe(0)
    await page.goBack()
    await page.getByRole('dialog', { name: '联系人' }).getByRole('button', { name: '关闭' }).click()

    await go('/')
    await inSight(page).getByRole('tab', { name: '团队' }).click()
    await inSight(page).locator('[data-key="statistics"] .vf-stat').first().click()
    await arrive(phone, '/pages/stats/detail')
    await phone.picture('day-director-rows')
  })
})
