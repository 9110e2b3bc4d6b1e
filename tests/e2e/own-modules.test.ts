import { readSheet } from 'read-excel-file/node'
import { describe, expect, it } from 'vitest'
import { arrive, ask, box, button, field, inSight, logIn, open, toasted } from '../support/acts.ts'
import { long } from '../support/long.ts'
import type { Phone } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

/** A module created from a template, and the actions on it. */
interface Walk {
  readonly label: string
  readonly name: string
  /** The prefix of record titles. */
  readonly called: string
  readonly fill: (phone: Phone, n: number) => Promise<void>
  /** A filter field and its value in the odd records; a text is typed. */
  readonly filter: readonly [name: string, value: string, written?: 'written']
  readonly sort: string
  /** A field that is set on several records, its label, the value, and the resulting text on the card. */
  readonly patch: readonly [name: string, label: string, value: string, written?: 'written']
  /** A line of a file, under common column titles. */
  readonly file: Readonly<Record<string, string>>
}

const CUSTOMER = '模板客户有限公司'
async function ofCustomer({ page }: Phone): Promise<void> {
  const picker = page.getByRole('dialog')
  await field(page, 'customer_id').locator('.vf-picker-face').click()
  await picker.getByRole('searchbox').fill(CUSTOMER)
  await picker.getByRole('option').filter({ hasText: CUSTOMER }).click()
  await field(page, 'customer_id').filter({ hasText: CUSTOMER }).waitFor()
}
const radio = ({ page }: Phone, name: string, label: string) =>
  field(page, name).getByRole('radio', { name: label }).check()

const WALKS: readonly Walk[] = [
  {
    label: '拜访记录',
    name: 'visit',
    called: '拜访',
    async fill(phone, n) {
      await ofCustomer(phone)
      await radio(phone, 'purpose', n % 2 === 1 ? '初次拜访' : '回访')
      await box(phone.page, 'content').fill('谈了报价')
    },
    filter: ['purpose', '初次拜访'],
    sort: '拜访时间',
    patch: ['purpose', '拜访目的', '商务洽谈'],
    file: {
      主题: '拜访来自表格',
      公司名称: CUSTOMER,
      拜访日期: '2026-03-05 10:00',
      目的: '售后服务',
      拜访情况: '已修好',
    },
  },
  {
    label: '竞品',
    name: 'rival',
    called: '竞品',
    async fill({ page }, n) {
      await box(page, 'maker').fill(n % 2 === 1 ? '甲厂' : '乙厂')
      await box(page, 'price').fill(String(100 * n))
    },
    filter: ['maker', '甲厂', 'written'],
    sort: '参考报价',
    patch: ['maker', '厂商', '丙厂', 'written'],
    file: { 竞品名称: '竞品来自表格', 品牌: '丁厂', 价格: '1,200.50' },
  },
  {
    label: '发票',
    name: 'invoice',
    called: '抬头',
    async fill(phone, n) {
      await ofCustomer(phone)
      await radio(phone, 'invoice_type', n % 2 === 1 ? '电子发票' : '增值税普通发票')
      await box(phone.page, 'amount').fill(String(1000 * n))
    },
    filter: ['invoice_type', '电子发票'],
    sort: '开票金额',
    patch: ['invoice_type', '发票类型', '增值税专用发票'],
    file: {
      发票抬头: '抬头来自表格',
      客户名称: CUSTOMER,
      发票类型: '电子发票',
      金额: '88.80',
      税号: '91310000MA1K',
    },
  },
  {
    label: '合同模板',
    name: 'contract_template',
    called: '模板',
    async fill(phone, n) {
      await radio(phone, 'category', n % 2 === 1 ? '销售合同' : '保密协议')
      await box(phone.page, 'edition').fill(`v${n}`)
    },
    filter: ['category', '销售合同'],
    sort: '启用日期',
    patch: ['edition', '版本', '第九版', 'written'],
    file: { 模板名称: '模板来自表格', 类型: '代理合同', 版本号: '2026' },
  },
]

describe('modules created from a template, in the app', { timeout: 240_000 }, () => {
  const stage = aStage()

  it(
    'are filled in, found, exported and imported, updated in a batch, transferred, deleted and restored',
    long,
    async () => {
      const [admin, demo, manager] = await Promise.all([stage.phone(), stage.phone(), stage.phone()])
      await Promise.all([logIn(admin, 'admin'), logIn(demo), logIn(manager, 'manager')])
      for (const phone of [admin, demo, manager]) await arrive(phone, '/')
      await ask(demo, '/mini/customer/create', {
        name: CUSTOMER,
        mobile: '13800050005',
        clientToken: crypto.randomUUID(),
      })

      for (const walk of WALKS) await makeModule(admin, walk)
      await giveAll(admin)
      for (const walk of WALKS) {
        for (const n of [1, 2, 3]) await addRecord(demo, walk, n)
        await find(demo, walk)
        await sendOut(demo, walk)
        await takeIn(demo, walk)
        await setOnTwo(demo, walk)
        await giveAway(demo, manager, walk)
        await removeAndRestore(demo, walk)
      }
    },
  )
})

async function makeModule(admin: Phone, { label, name }: Walk): Promise<void> {
  const { page } = admin
  await open(admin, '/pages/admin/module/index')
  await button(page, '新建模块').click()
  await arrive(admin, '/pages/admin/module/add')
  await field(page, 'rows.0.kind').filter({ hasText: '单行文本' }).waitFor()
  await radio(admin, 'template', label)
  await expect.poll(() => box(page, 'name').inputValue()).toBe(name)
  await button(page, '保存').click()
  await toasted(admin, '模块已建好')
  await arrive(admin, '/pages/admin/module/fields')
}

/** Grants two roles all permissions on the new modules, each on its screen. */
async function giveAll(admin: Phone): Promise<void> {
  const { page } = admin
  for (const role of ['销售', '销售经理']) {
    await open(admin, '/pages/admin/role/index')
    await inSight(page).getByText(role, { exact: true }).first().click()
    await arrive(admin, '/pages/admin/role/edit')
    await expect.poll(() => box(page, 'name').inputValue()).toBe(role)
    for (const { label } of WALKS) {
      const head = inSight(page)
        .locator('.vf-group-head')
        .filter({ has: page.getByText(label, { exact: true }) })
      await head.getByRole('button', { name: '全选' }).click()
    }
    await button(page, '保存').click()
    await toasted(admin, '角色已保存')
    await arrive(admin, '/pages/admin/role/index')
  }
}

async function addRecord(demo: Phone, { label, name, called, fill }: Walk, n: number): Promise<void> {
  const { page } = demo
  await open(demo, `/pages/m/${name}/index`)
  // An empty list has a second button of that name.
  await inSight(page).getByLabel(`新建${label}`, { exact: true }).click()
  await arrive(demo, `/pages/m/${name}/add`)
  await box(page, 'title').fill(`${called}${n}`)
  await fill(demo, n)
  await button(page, '保存').click()
  await arrive(demo, `/pages/m/${name}/index`)
  await cards(demo)
    .filter({ hasText: `${called}${n}` })
    .waitFor()
}

const cards = ({ page }: Phone) => inSight(page).locator('.vf-card')

/** Sorted by a field, then filtered: the odd ones remain; a tap opens one. */
async function find(demo: Phone, { name, called, filter, sort }: Walk): Promise<void> {
  const { page } = demo
  const dialog = page.getByRole('dialog')
  await button(page, '排序').click()
  await dialog.getByRole('radio', { name: sort }).click()
  await button(page, '筛选').click()
  const [by, value, written] = filter
  const asked = dialog.locator(`[data-field="f_${by}"]`)
  if (written) await asked.locator('input').fill(value)
  else await asked.getByRole('checkbox', { name: value }).check()
  await dialog.getByRole('button', { name: '确定' }).click()
  await inSight(page)
    .getByRole('tab', { name: /全部\s*2$/ })
    .waitFor()
  await cards(demo)
    .filter({ hasText: `${called}2` })
    .waitFor({ state: 'detached' })
  await cards(demo)
    .filter({ hasText: `${called}1` })
    .click()
  await arrive(demo, `/pages/m/${name}/detail`)
  await inSight(page).getByText(value).first().waitFor()
  await demo.picture(`own-${name}`)
  await page.goBack()
  await arrive(demo, `/pages/m/${name}/index`)
}

/** Exports the two remaining records, with values as text. */
async function sendOut(demo: Phone, { label, called, filter }: Walk): Promise<void> {
  const { page } = demo
  await button(page, '筛选').click()
  await page.getByRole('dialog').getByRole('button', { name: '导出结果' }).click()
  await arrive(demo, '/pages/my/transfer/index')
  const done = cards(demo)
    .first()
    .filter({ hasText: `导出${label}` })
  const coming = page.waitForEvent('download')
  await done.getByRole('button', { name: '下载文件' }).click()
  const rows = (await readSheet(await (await coming).path())) as (string | null)[][]

  expect(rows[0]).toEqual(expect.arrayContaining(['编号', '负责人']))
  expect(rows.slice(1).map((row) => row.find((cell) => String(cell).startsWith(called)))).toEqual(
    expect.arrayContaining([`${called}1`, `${called}3`]),
  )
  expect(rows).toHaveLength(3)
  expect(rows[1]).toContain(filter[1])
}

/** A user's file, whose columns are matched by their titles. */
async function takeIn(demo: Phone, { name, called, file }: Walk): Promise<void> {
  const { page } = demo
  const csv = [Object.keys(file), Object.values(file)].map((row) => row.map((cell) => `"${cell}"`).join(','))
  const chosen = page.waitForEvent('filechooser')
  await field(page, 'file')
    .getByRole('button', { name: /选择文件/ })
    .click()
  await (await chosen).setFiles({
    name: '记录.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv.join('\n')),
  })
  await field(page, 'file').getByText('记录.csv').waitFor()
  await button(page, '下一步：核对列').click()
  await arrive(demo, '/pages/my/transfer/mapping')
  await inSight(page).getByText(`${called}来自表格`).first().waitFor()
  expect(
    await inSight(page)
      .getByText(/这些列不导入/)
      .count(),
  ).toBe(0)
  await button(page, '开始导入').click()
  await arrive(demo, '/pages/my/transfer/job')
  await inSight(page).getByText('导入成功 1 条，失败 0 条').waitFor()
  await open(demo, '/')
  await open(demo, `/pages/m/${name}/index`)
  await cards(demo)
    .filter({ hasText: `${called}来自表格` })
    .waitFor()
}

async function pick({ page }: Phone, titles: readonly string[]): Promise<void> {
  await button(page, '多选').click()
  for (const title of titles)
    await inSight(page).locator('.vf-pick').filter({ hasText: title }).getByRole('checkbox').check()
}

async function setOnTwo(demo: Phone, { called, patch }: Walk): Promise<void> {
  const { page } = demo
  const [name, label, value, written] = patch
  const dialog = page.getByRole('dialog')
  await pick(demo, [`${called}1`, `${called}2`])
  await button(page, '批量修改').click()
  await dialog.getByRole('radio', { name: label, exact: true }).check()
  const set = dialog.locator(`[data-field="p_${name}"]`)
  if (written) await set.locator('input').fill(value)
  else await set.getByRole('radio', { name: value }).check()
  await dialog.getByRole('button', { name: '确定' }).click()
  await toasted(demo, '已处理 2 条')
  await expect.poll(() => cards(demo).filter({ hasText: value }).count()).toBe(2)
}

/** One record is transferred to the manager: it appears among theirs, and those of the salesperson among the others. */
async function giveAway(demo: Phone, manager: Phone, { name, called }: Walk): Promise<void> {
  const { page } = demo
  await pick(demo, [`${called}1`])
  await button(page, '转移').click()
  const sheet = page.getByRole('dialog')
  await sheet.locator('[data-field="many_to"] .vf-picker-face').click()
  await page.getByRole('option').filter({ hasText: '周晓燕' }).click()
  await sheet.getByRole('button', { name: '确定' }).last().click()
  await toasted(demo, '已处理 1 条')
  await cards(demo)
    .filter({ hasText: `${called}1` })
    .waitFor({ state: 'detached' })

  const tab = (label: string) => inSight(manager.page).getByRole('tab', { name: label })
  await open(manager, `/pages/m/${name}/index`)
  await tab('我负责的').click()
  await cards(manager)
    .filter({ hasText: `${called}1` })
    .waitFor()
  await expect.poll(() => cards(manager).count()).toBe(1)
  await tab('下属的').click()
  await cards(manager)
    .filter({ hasText: `${called}2` })
    .waitFor()
  await expect.poll(() => cards(manager).count()).toBe(3)
  await tab('全部').click()
  await expect.poll(() => cards(manager).count()).toBe(4)
}

async function removeAndRestore(demo: Phone, { label, called, name }: Walk): Promise<void> {
  const { page } = demo
  const gone = () => cards(demo).filter({ hasText: `${called}2` })
  await pick(demo, [`${called}2`])
  await button(page, '删除').click()
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  await gone().waitFor({ state: 'detached' })
  await open(demo, '/pages/my/recycle/index')
  await inSight(page).getByRole('tab', { name: label }).click()
  await gone().getByRole('button', { name: '恢复' }).click()
  await gone().waitFor({ state: 'detached' })
  await open(demo, `/pages/m/${name}/index`)
  await gone().waitFor()
}
