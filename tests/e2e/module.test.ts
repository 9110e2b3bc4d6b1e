import { readFile } from 'node:fs/promises'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  arrive,
  ask,
  box,
  button,
  choose,
  field,
  goTo,
  inSight,
  logIn,
  open,
  toasted,
} from '../support/acts.ts'
import { LOST_NETWORK, type Phone } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

const CUSTOMER = '星河续费有限公司'
const TICKET = '门口机不亮'
const GROUP = 'ext_wechat_group'
const LEVEL = 'ext_huiyuandengji'
const RENEWED = 'ext_xufeiriqi'

describe('fields and modules in the app alone', () => {
  const stage = aStage({ keepsShell: true })

  it('three fields and a module are created, filled in, found, exported and imported, used offline, and processed', async () => {
    const [admin, demo, manager] = await Promise.all([stage.phone(), stage.phone(), stage.phone()])
    await Promise.all([logIn(admin, 'admin'), logIn(demo), logIn(manager, 'manager')])
    for (const phone of [admin, demo, manager]) await arrive(phone, '/')

    await addFields(admin)
    const customer = await addCustomer(demo)
    await findByFields(manager)
    await sendSheetAndBack(manager, customer)
    const took = await addModule(admin)
    const ticket = await addTicketOffline(demo, customer)
    await changeOffline(demo, admin, ticket)
    await moveToDone(demo)
    await followAndAttach(demo, ticket)
    await setOnMany(demo)
    await removeAndFindAgain(admin, ticket)

    console.log(`a module by its sheet: ${took} ms`)
    expect(took).toBeLessThan(60_000)
  })
})

/** 微信群名称 (text), 会员等级 (choice, of a dictionary made with it), 续费日期 (day, required of gold members). */
async function addFields(admin: Phone): Promise<void> {
  const { page } = admin
  await goTo(admin, '/pages/admin/index')
  await inSight(page).getByText('模块与字段').click()
  await arrive(admin, '/pages/admin/module/index')
  await inSight(page).getByText('客户', { exact: true }).click()
  await arrive(admin, '/pages/admin/module/fields')

  await button(page, '新建字段').click()
  await box(page, 'label').fill('微信群名称')
  await box(page, 'name').fill('Wechat Group')
  await button(page, '保存').click()
  await field(page, 'name').getByRole('alert').first().waitFor()
  await box(page, 'name').fill('wechat_group')
  await saveField(admin)

  await button(page, '新建字段').click()
  await box(page, 'label').fill('会员等级')
  await choose(admin, 'kind', '单选')
  await field(page, 'source').getByRole('radio', { name: '新建字典' }).check()
  await box(page, 'options.0.label').fill('金卡')
  await box(page, 'options.0.value').fill('gold')
  await box(page, 'options.1.label').fill('银卡')
  await switchOn(admin, ['filter', 'sort', 'card', 'patch'])
  await admin.picture('module-new-dictionary')
  await saveField(admin)

  await button(page, '新建字段').click()
  await box(page, 'label').fill('续费日期')
  await choose(admin, 'kind', '日期')
  await field(page, 'required').getByRole('radio', { name: '满足条件时必填' }).check()
  await choose(admin, 'when_field', '会员等级')
  await choose(admin, 'when_value', '金卡')
  await switchOn(admin, ['filter', 'sort'])
  await inSight(page).getByRole('tab', { name: '预览' }).click()
  await inSight(page).locator('.vf-preview').getByText('续费日期').waitFor()
  await admin.picture('module-field-preview')
  await saveField(admin)
}

async function saveField(admin: Phone): Promise<void> {
  await button(admin.page, '保存').click()
  await toasted(admin, '已保存，立即生效')
  await arrive(admin, '/pages/admin/module/fields')
}

async function switchOn({ page }: Phone, names: readonly string[]): Promise<void> {
  for (const name of names) await field(page, name).getByRole('switch').first().click()
}

/** @returns the address of the customer's page */
async function addCustomer(demo: Phone): Promise<string> {
  const { page } = demo
  await open(demo, '/pages/customer/my/add')
  await box(page, 'name').fill(CUSTOMER)
  await box(page, GROUP).fill('星河项目群')
  await choose(demo, LEVEL, '金卡')
  await button(page, '保存').click()
  await field(page, RENEWED).getByRole('alert').first().waitFor()
  await demo.picture('module-required')
  await field(page, RENEWED).locator('.vf-picker-face').click()
  await page.getByRole('dialog').getByText('确定').click()
  await button(page, '保存').click()
  await arrive(demo, '/pages/customer/my/detail')
  await inSight(page).getByRole('tab', { name: '资料' }).click()
  await inSight(page).getByText('星河项目群').first().waitFor()
  return demo.at()
}

async function findByFields(manager: Phone): Promise<void> {
  const { page } = manager
  const dialog = page.getByRole('dialog')
  await open(manager, '/pages/customer/my/index')
  await button(page, '排序').click()
  await dialog.getByRole('radio', { name: '续费日期' }).check()
  const first = inSight(page).locator('.vf-card').first()
  await first.filter({ hasText: CUSTOMER }).waitFor()
  await button(page, '筛选').click()
  await dialog.locator(`[data-field="f_${LEVEL}"]`).getByRole('checkbox', { name: '金卡' }).check()
  await dialog.getByRole('button', { name: '确定' }).click()
  await inSight(page)
    .getByRole('tab', { name: /全部\s*1$/ })
    .waitFor()
  await first.getByText('会员等级 金卡').waitFor()
  await manager.picture('module-found')
}

/** The found records are exported, imported with another group and day, and one of the rows is refused. */
async function sendSheetAndBack(manager: Phone, customer: string): Promise<void> {
  const { page } = manager
  await button(page, '筛选').click()
  await page.getByRole('dialog').getByRole('button', { name: '导出结果' }).click()
  await arrive(manager, '/pages/my/transfer/index')
  const file = await downloaded(manager, button(page, '下载文件'))
  await downloaded(manager, button(page, '下载模板'))

  const chosen = page.waitForEvent('filechooser')
  await field(page, 'file')
    .getByRole('button', { name: /选择文件/ })
    .click()
  await (await chosen).setFiles({ name: '改过.xlsx', mimeType: XLSX, buffer: changed(file) })
  await field(page, 'file').getByText('改过.xlsx').waitFor()
  await field(page, 'mode').getByRole('radio', { name: '用表格更新' }).check()
  await button(page, '下一步：核对列').click()
  await arrive(manager, '/pages/my/transfer/mapping')
  const column = inSight(page).locator('[data-field="columns.1.field"]')
  await column.filter({ hasText: '客户名称' }).filter({ hasNotText: 'name' }).waitFor()
  await inSight(page).getByText('没有这个选项').first().or(inSight(page).getByText('铂金').first()).waitFor()
  await manager.picture('module-mapping')
  await page.setViewportSize({ width: 1440, height: 900 })
  await inSight(page).getByRole('columnheader', { name: '导入为' }).waitFor()
  await inSight(page).getByRole('row').nth(2).locator('.vf-text').filter({ hasText: '客户名称' }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await button(page, '开始导入').click()
  await arrive(manager, '/pages/my/transfer/job')
  await inSight(page).getByText('导入成功 1 条，失败 1 条').waitFor()
  await inSight(page)
    .getByText(/^第 \d+ 行/)
    .waitFor()
  await button(page, '下载失败明细').first().waitFor()
  await manager.picture('module-imported')

  await goTo(manager, customer)
  await arrive(manager, '/pages/customer/my/detail')
  await inSight(page).getByRole('tab', { name: '资料' }).click()
  // The changes are also in the feed behind this tab.
  const shown = (text: string) => inSight(page).getByText(text).filter({ visible: true }).first()
  await shown('星河VIP群').waitFor()
  await shown('2027-01-15').waitFor()
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

async function downloaded({ page }: Phone, link: Locator): Promise<Buffer> {
  const coming = page.waitForEvent('download')
  await link.first().click()
  return readFile(await (await coming).path())
}

/** The sheet after editing in a spreadsheet: other values, and a customer of an unknown level. */
function changed(file: Buffer): Buffer {
  const SHEET = 'xl/worksheets/sheet1.xml'
  const parts = unzipSync(file)
  const rows = strFromU8(parts[SHEET] ?? new Uint8Array())
  const cell = (at: string, words: string) => `<c r="${at}" t="inlineStr"><is><t>${words}</t></is></c>`
  const at = (title: string) => new RegExp(`r="([A-Z]+)1"[^>]*><is><t[^>]*>${title}<`).exec(rows)?.[1] ?? ''
  const day = `${at('续费日期')}2`
  const written = rows
    .replace('星河项目群', '星河VIP群')
    .replace(new RegExp(`<c r="${day}".*?</c>`), cell(day, '2027-01-15'))
    .replace(
      '</sheetData>',
      `<row r="3">${cell(`${at('客户名称')}3`, '没有等级的公司')}${cell(`${at('会员等级')}3`, '铂金')}</row></sheetData>`,
    )
  return Buffer.from(zipSync({ ...parts, [SHEET]: strToU8(written) }))
}

/** 售后工单: belongs to a customer, has statuses and owners. @returns how long that took, in ms */
async function addModule(admin: Phone): Promise<number> {
  const { page } = admin
  await open(admin, '/pages/admin/module/index')
  const begun = Date.now()
  await button(page, '新建模块').click()
  await arrive(admin, '/pages/admin/module/add')
  await field(page, 'rows.0.kind').filter({ hasText: '单行文本' }).waitFor()
  await field(page, 'template').getByRole('radio', { name: '售后工单' }).check()
  await expect.poll(() => box(page, 'name').inputValue()).toBe('ticket')
  await field(page, 'template').getByRole('radio', { name: '拜访记录' }).check()
  await expect.poll(() => box(page, 'name').inputValue()).not.toBe('ticket')
  await page.getByRole('button', { name: '撤销' }).click()
  await expect.poll(() => box(page, 'name').inputValue()).toBe('ticket')
  expect(await field(page, 'template').getByRole('radio', { name: '售后工单' }).isChecked()).toBe(true)
  await choose(admin, 'roles', '销售')
  await admin.picture('module-sheet')
  await button(page, '保存').click()
  await toasted(admin, '模块已建好')
  await arrive(admin, '/pages/admin/module/fields')
  const took = Date.now() - begun
  await button(page, '打开列表').click()
  await arrive(admin, '/pages/m/ticket/index')
  return took
}

/** @returns the address of the ticket's page */
async function addTicketOffline(demo: Phone, customer: string): Promise<string> {
  const { page } = demo
  await open(demo, customer)
  await inSight(page).getByRole('tab', { name: '售后工单' }).click()
  await inSight(page).getByText('还没有记录', { exact: true }).waitFor()
  await button(page, '新建售后工单').click()
  await arrive(demo, '/pages/m/ticket/add')
  await expect.poll(() => field(page, 'customer_id').textContent()).toContain(CUSTOMER)
  await box(page, 'title').fill(TICKET)
  demo.allow(LOST_NETWORK)
  await demo.context.setOffline(true)
  await button(page, '保存').click()
  await toasted(demo, '没有网络，已存到“待提交”，联网后自动提交')
  await arrive(demo, '/pages/customer/my/detail')
  await page.getByText('1 条内容待提交').waitFor()
  await demo.picture('module-offline')
  await demo.context.setOffline(false)
  await inSight(page)
    .getByRole('tab', { name: /售后工单\s*1$/ })
    .waitFor()
  await expect.poll(() => page.getByText('条内容待提交').count()).toBe(0)
  await demo.picture('module-sent')
  await inSight(page).locator('.vf-card').filter({ hasText: TICKET }).click()
  await arrive(demo, '/pages/m/ticket/detail')
  return demo.at()
}

/** A change waits without a network, is continued after a restart, and conflicts with what somebody else saved meanwhile. */
async function changeOffline(demo: Phone, admin: Phone, ticket: string): Promise<void> {
  const { page } = demo
  const both = page.getByRole('dialog')
  await button(page, '编辑').click()
  await arrive(demo, '/pages/m/ticket/add')
  await expect.poll(() => box(page, 'title').inputValue()).toBe(TICKET)
  await demo.context.setOffline(true)
  await box(page, 'problem').fill('离线时写的')
  await button(page, '保存').click()
  await arrive(demo, '/pages/m/ticket/detail')
  await page.getByText('1 条内容待提交').waitFor()
  await button(page, '编辑').click()
  await expect.poll(() => box(page, 'problem').inputValue()).toBe('离线时写的')
  await page.goBack()
  await arrive(demo, '/pages/m/ticket/detail')

  const id = new URLSearchParams(ticket.split('?')[1]).get('id') ?? ''
  const told = { id, version: 1, problem: '主管写的', clientToken: crypto.randomUUID() }
  expect(await ask(admin, '/mini/m/ticket/update', told)).toMatchObject({ version: 2 })
  await demo.context.setOffline(false)
  await page.getByText('1 条内容未能提交').first().waitFor()
  await open(demo, '/pages/my/outbox/index')
  await button(page, '修改').click()
  await expect.poll(() => box(page, 'title').inputValue()).toBe(TICKET)
  await button(page, '保存').click()
  await both.getByText('主管写的').waitFor()
  await demo.picture('module-conflict')
  await both.getByRole('button', { name: '按所选保存' }).click()
  await inSight(page).getByText('都已提交，没有等待的内容').waitFor()
  await open(demo, ticket)
  await inSight(page).getByText('离线时写的').waitFor()
}

/** A status that requires more values opens the form with it selected; the history contains all of it as text. */
async function moveToDone(demo: Phone): Promise<void> {
  const { page } = demo
  await button(page, '处理中').click()
  await button(page, '处理中').waitFor({ state: 'detached' })
  await button(page, '已完成').click()
  await arrive(demo, '/pages/m/ticket/add')
  await expect.poll(() => field(page, 'status').getByRole('radio', { name: '已完成' }).isChecked()).toBe(true)
  await box(page, 'result').fill('换了电源')
  const chosen = page.waitForEvent('filechooser')
  await field(page, 'attachments')
    .getByRole('button', { name: /选择文件/ })
    .click()
  await (await chosen).setFiles({
    name: '现场.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4\n%%EOF\n'),
  })
  await field(page, 'attachments').getByText('现场.pdf').waitFor()
  await button(page, '保存').click()
  await arrive(demo, '/pages/m/ticket/detail')
  await inSight(page).getByText('已完成', { exact: true }).first().waitFor()
  await inSight(page).getByRole('tab', { name: '操作日志' }).click()
  await inSight(page)
    .getByText(/状态：处理中 → 已完成/)
    .waitFor()
  await inSight(page).getByText('新建售后工单').waitFor()
  await demo.picture('module-history')
}

async function followAndAttach(demo: Phone, ticket: string): Promise<void> {
  const { page } = demo
  await inSight(page).getByRole('tab', { name: '附件' }).click()
  await inSight(page).getByText('现场.pdf').waitFor()
  await inSight(page).getByRole('tab', { name: '跟进' }).click()
  await button(page, '写跟进').click()
  await arrive(demo, '/pages/customer/my/follow/add')
  await inSight(page).getByText(TICKET).first().waitFor()
  await box(page, 'content').fill('已远程排查')
  await button(page, '保存').click()
  await arrive(demo, ticket.split('?')[0] ?? '')
  await inSight(page).getByText('已远程排查').first().waitFor()
  await inSight(page)
    .getByRole('tab', { name: /跟进\s*1$/ })
    .waitFor()
}

async function setOnMany(demo: Phone): Promise<void> {
  const { page } = demo
  const dialog = page.getByRole('dialog')
  await open(demo, '/pages/m/ticket/index')
  await button(page, '排序').waitFor()
  await button(page, '多选').click()
  await inSight(page).getByRole('checkbox').first().check()
  await button(page, '批量修改').click()
  await dialog.getByRole('radio', { name: '紧急程度' }).check()
  await dialog.locator('[data-field="p_urgency"]').getByRole('radio', { name: '紧急' }).check()
  await dialog.getByRole('button', { name: '确定' }).click()
  await toasted(demo, '已处理 1 条')
  await inSight(page).locator('.vf-card').filter({ hasText: '紧急程度 紧急' }).waitFor()
  await demo.picture('module-many')
}

async function removeAndFindAgain(admin: Phone, ticket: string): Promise<void> {
  const { page } = admin
  await open(admin, ticket)
  await button(page, '删除').click()
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  await toasted(admin, '已删除')
  await open(admin, '/pages/my/recycle/index')
  await inSight(page).getByRole('tab', { name: '售后工单' }).click()
  const gone = inSight(page).locator('.vf-card').filter({ hasText: TICKET })
  await gone.getByRole('button', { name: '恢复' }).click()
  await gone.waitFor({ state: 'detached' })
  await open(admin, ticket)
  await inSight(page).getByText('换了电源').first().waitFor()
}
