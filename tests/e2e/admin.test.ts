import { describe, expect, it } from 'vitest'
import { arrive, box, button, choose, field, goTo, inSight, logIn, toasted } from '../support/acts.ts'
import type { Phone } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

describe('an administrator’s walk', () => {
  const stage = aStage()

  it('edits a dictionary, creates a department and a colleague, changes a role, a pool, a flow and the tenant', async () => {
    const phone = await stage.phone()
    const { page } = phone
    await logIn(phone, 'admin')
    await arrive(phone, '/')
    await page.getByRole('navigation', { name: '底部导航' }).getByRole('button', { name: '我的' }).click()
    await inSight(page).getByText('企业管理').click()
    await arrive(phone, '/pages/admin/index')

    await inSight(page).getByText('数据字典').click()
    await arrive(phone, '/pages/admin/dict/index')
    await inSight(page).getByText('客户级别').click()
    await arrive(phone, /\/pages\/admin\/dict\/detail/)
    await button(page, '新建选项').click()
    await sheet(phone).locator('[data-field="label"] input').fill('战略客户')
    await sheet(phone).getByRole('button', { name: '保存' }).click()
    await toasted(phone, '选项已保存')
    await rowOf(phone, '战略客户').getByRole('button', { name: '上移' }).click()
    await expect.poll(() => labels(phone)).toEqual(['重点客户', '普通客户', '一般客户', '战略客户', '低价值'])
    await rowOf(phone, '战略客户').getByText('战略客户').click()
    await sheet(phone).locator('[data-field="is_default"]').getByRole('switch').click()
    await sheet(phone).getByRole('button', { name: '保存' }).click()
    await rowOf(phone, '战略客户').getByText('默认').waitFor()
    await phone.picture('admin-dict')

    await goTo(phone, '/pages/admin/dept/edit')
    await box(page, 'name').fill('大客户部')
    await choose(phone, 'parent_id', '总经办')
    await button(page, '保存').click()
    await toasted(phone, '部门已保存')

    await goTo(phone, '/pages/admin/user/edit')
    await button(page, '保存').click()
    await inSight(page).getByText('登录账号必填').first().waitFor()
    await box(page, 'account').fill('xiaowang')
    await box(page, 'password').fill('Start-2026')
    await box(page, 'name').fill('王小明')
    await choose(phone, 'dept_id', '总经办 / 大客户部')
    await choose(phone, 'role_ids', '销售')
    await button(page, '保存').click()
    await toasted(phone, '用户已保存')
    await arrive(phone, '/pages/admin/user/detail')
    await inSight(page).getByText('大客户部').waitFor()
    await phone.picture('admin-user')
    await beginsWithOwnPassword(await stage.phone())

    await goTo(phone, '/pages/admin/role/index')
    await inSight(page).getByText('客服').click()
    await inSight(page).getByRole('button', { name: '客户', exact: true }).click()
    await field(page, 'p_customer').getByRole('checkbox', { name: '导出' }).check()
    await button(page, '保存').click()
    await toasted(phone, '角色已保存')

    await goTo(phone, '/pages/admin/pool/index')
    await inSight(page).getByText('公共公海').click()
    await box(page, 'daily_claim_limit').fill('8')
    await button(page, '保存').click()
    await toasted(phone, '规则已保存')

    await goTo(phone, '/pages/admin/flow/edit?id=payment')
    await button(page, '添加步骤').click()
    await button(page, '保存').click()
    await toasted(phone, '审批流已保存')

    await goTo(phone, '/pages/admin/menu/index')
    await button(page, '保存默认菜单').click()
    await toasted(phone, '默认菜单已保存')
    await button(page, '新建菜单').click()
    await arrive(phone, '/pages/admin/menu/edit')
    await box(page, 'title').fill('本月报表')
    await box(page, 'path').fill('/pages/stats/index?range=month')
    await box(page, 'sort').fill('0')
    await button(page, '保存').click()
    await toasted(phone, '菜单已保存')
    await inSight(page).getByText('本月报表').click()
    await expect.poll(() => box(page, 'path').inputValue()).toBe('/pages/stats/index?range=month')
    await box(page, 'path').fill('/pages/stats/team')
    await button(page, '保存').click()
    await arrive(phone, '/pages/admin/menu/index')

    await goTo(phone, '/pages/admin/tenant/index')
    await expect.poll(() => box(page, 'short_name').inputValue()).toBe('星海')
    await box(page, 'short_name').fill('星海集团')
    await button(page, '保存').click()
    await toasted(phone, '企业设置已保存')

    await goTo(phone, '/pages/admin/log/index')
    await inSight(page).getByText('保存企业设置').click()
    await arrive(phone, '/pages/admin/log/detail')
    await inSight(page).getByText('新值：星海集团').waitFor()
    await phone.picture('admin-log')
  })

  it('is not available to a salesperson: there is no entry, and each page refuses', async () => {
    const phone = await stage.phone('/pages/my/index')
    await logIn(phone)
    await arrive(phone, '/pages/my/index')
    await inSight(phone.page).getByText('我的设置').waitFor()

    expect(await inSight(phone.page).getByText('企业管理').count()).toBe(0)
    await goTo(phone, '/pages/admin/user/index')
    await phone.page.getByText('没有操作权限').first().waitFor()
    await phone.picture('admin-refused')
  })
})

const sheet = ({ page }: Phone) => page.getByRole('dialog')

const rowOf = ({ page }: Phone, text: string) => inSight(page).locator('.vf-card').filter({ hasText: text })

async function labels({ page }: Phone): Promise<readonly string[]> {
  const names = await inSight(page).locator('.vf-card').allInnerTexts()
  return names.map((text) => text.split('\n')[0] ?? '')
}

/** Somebody with a password set by the administrator can only open the form for a new one. */
async function beginsWithOwnPassword(phone: Phone): Promise<void> {
  const { page } = phone
  await logIn(phone, 'xiaowang', 'Start-2026')
  await arrive(phone, '/pages/my/setting/password')
  await phone.picture('first-password')
  await page.evaluate(() => {
    location.hash = '#/pages/customer/my/index'
  })
  await arrive(phone, '/pages/my/setting/password')
  await box(page, 'oldPassword').fill('Start-2026')
  await box(page, 'newPassword').fill('Wang#2026')
  await box(page, 'confirmPassword').fill('Wang#2026')
  await button(page, '确认修改').click()
  await arrive(phone, '/')
  await inSight(page).locator('[data-widget="stat-grid"]').first().waitFor()
}
