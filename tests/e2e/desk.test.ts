import { stat } from 'node:fs/promises'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { arrive, ask, box, field, goTo, inSight, type Row, toasted } from '../support/acts.ts'
import type { Phone } from '../support/phone.ts'
import { signIn } from '../support/route-cases.ts'
import { aStage } from '../support/stage.ts'

const DESK = { width: 1440, height: 900 }
const LIST = '/pages/customer/my/index'
const DETAIL = '/pages/customer/my/detail'

const stage = aStage()

async function atDesk(): Promise<Phone> {
  const desk = await stage.signedIn('demo', '/', DESK)
  // The desktop layout is loaded on demand: until then, rows look as on a phone.
  await menusOf(desk).waitFor()
  return desk
}

const menusOf = ({ page }: Phone) => page.getByRole('navigation', { name: '菜单', exact: true })

const rows = ({ page }: Phone) => inSight(page).locator('[role="row"][data-row]')
const head = ({ page }: Phone, name: string | RegExp) => inSight(page).getByRole('columnheader', { name })
/** Texts of a column, from the top. */
const texts = async (desk: Phone, at: number): Promise<readonly string[]> =>
  rows(desk)
    .locator(`[role="gridcell"]:nth-child(${at + 2})`)
    .allInnerTexts()

it('on a desktop the menus are at the left and lists are tables of at least 15 rows; on a phone neither applies', async () => {
  const desk = await atDesk()
  const menus = menusOf(desk)
  await menus.getByRole('button', { name: '客户管理' }).click()
  await arrive(desk, LIST)
  await rows(desk).nth(15).waitFor()
  const last = await rows(desk).nth(14).boundingBox()

  expect(await menus.locator('[aria-current="page"]').innerText()).toBe('客户管理')
  expect(await desk.page.locator('.tab-bar').count()).toBe(0)
  expect((last?.y ?? DESK.height) + (last?.height ?? 0)).toBeLessThanOrEqual(DESK.height)
  expect(await inSight(desk.page).getByRole('columnheader').first().isVisible()).toBe(true)

  await desk.page.setViewportSize({ width: 390, height: 844 })
  await desk.page.getByRole('navigation', { name: '底部导航' }).waitFor()
  await inSight(desk.page).locator('.vf-card').first().waitFor()
  expect(await menus.count()).toBe(0)
  expect(await rows(desk).count()).toBe(0)
})

it('on a desktop what is typed or picked has an edge, red where it is refused; on a phone fields are lines of a card', async () => {
  const desk = await atDesk()
  await goTo(desk, '/pages/customer/my/add')
  const page = inSight(desk.page)
  const name = page.locator('[data-key="name"] .vf-control > *').first()
  const source = page.locator('[data-key="source"] .vf-control > *').first()
  const look = (part: Locator) =>
    part.evaluate((element) => {
      const { borderTopStyle, borderTopColor } = getComputedStyle(element)
      const red = getComputedStyle(element.parentElement?.querySelector('.vf-error') ?? element).color
      return {
        edge: borderTopStyle,
        isRed: borderTopColor === red && red !== getComputedStyle(element).color,
        height: element.getBoundingClientRect().height,
      }
    })
  await name.waitFor()

  const [typed, picked] = [await look(name), await look(source)]
  await page.getByRole('button', { name: '保存' }).click()
  await page.locator('[data-key="name"] .vf-error').waitFor()
  const refused = await look(name)
  await desk.page.setViewportSize({ width: 390, height: 844 })
  await desk.page.locator('.app:not(.app-desk)').waitFor()
  const onPhone = await look(source)

  expect(typed).toEqual({ edge: 'solid', isRed: false, height: expect.any(Number) })
  expect(typed.height).toBeGreaterThanOrEqual(40)
  expect(picked).toEqual(typed)
  expect(refused).toEqual({ ...typed, isRed: true })
  expect(onPhone).toEqual({ edge: 'none', isRed: false, height: 52 })
})

it('a printed table shows its title, its tab and its texts whole, and nothing to press or tick', async () => {
  const desk = await atDesk()
  const name = `纸上也要读得全的${'很长的'.repeat(25)}有限公司`
  await ask(desk, '/mini/customer/create', { name, mobile: '13900137777', clientToken: crypto.randomUUID() })
  await goTo(desk, LIST)
  await box(desk.page, 'keyword').fill('纸上也要读得全的')
  const cell = inSight(desk.page).getByRole('gridcell', { name, exact: true })
  await cell.waitFor()
  const isWhole = () => cell.evaluate((one) => one.scrollWidth <= one.clientWidth)
  const forUse = () =>
    inSight(desk.page).locator(':is(.vf-button, .vf-fab, .vf-search, [type="checkbox"]):visible').count()
  expect([await isWhole(), (await forUse()) > 0]).toEqual([false, true])

  await desk.page.emulateMedia({ media: 'print' })

  expect([await isWhole(), await forUse()]).toEqual([true, 0])
  for (const role of ['heading', 'tab'] as const)
    expect(await inSight(desk.page).getByRole(role).filter({ visible: true }).count()).toBe(1)
  await desk.page.emulateMedia({ media: null })
})

it('the table is sorted by its heads, and keeps the user’s columns and widths', async () => {
  const desk = await atDesk()
  // Wide enough for all columns that the test uses.
  await desk.page.setViewportSize({ width: 1800, height: 900 })
  await desk.page.evaluate((to) => {
    location.hash = to
  }, LIST)
  await rows(desk).nth(3).waitFor()

  const created = await columnAt(desk, '创建时间')
  await head(desk, '创建时间').getByRole('button').click()
  await expect.poll(() => head(desk, '创建时间').getAttribute('aria-sort')).toBe('ascending')
  await expect.poll(async () => isSorted(await texts(desk, created))).toBe(true)
  await head(desk, '创建时间').getByRole('button').click()
  await expect.poll(async () => isSorted([...(await texts(desk, created))].reverse())).toBe(true)

  const edge = desk.page.getByRole('separator', { name: '客户级别 的列宽' })
  await edge.press('ArrowRight')
  await desk.page.getByRole('button', { name: '选择列' }).click()
  const sheet = desk.page.getByRole('dialog')
  const height = desk.page.viewportSize()?.height ?? 0
  await expect.poll(async () => (await sheet.boundingBox())?.height).toBe(height)
  await desk.page.getByRole('dialog').getByLabel('手机', { exact: true }).uncheck()
  await desk.page.keyboard.press('Escape')
  await expect.poll(() => head(desk, /^手机/).count()).toBe(0)

  await desk.page.reload()
  await rows(desk).nth(3).waitFor()
  await expect.poll(() => head(desk, /^手机/).count()).toBe(0)
  await expect.poll(() => edge.getAttribute('aria-valuenow')).toBe('146')
  await desk.page.setViewportSize({ width: 1440, height: 900 })
})

it('a salesperson works by keyboard alone: finds a customer, opens it, writes a follow-up, selects rows for a change', async () => {
  const desk = await atDesk()
  const { keyboard } = desk.page
  await keyboard.press('Shift+?')
  await desk.page.getByRole('dialog', { name: '键盘快捷键' }).waitFor()
  await keyboard.press('Escape')
  await keyboard.press('Control+k')
  await keyboard.type('客户管理')
  await desk.page.getByRole('option', { name: '客户管理', selected: true }).waitFor()
  await keyboard.press('Enter')
  await arrive(desk, LIST)
  await rows(desk).nth(3).waitFor()

  await keyboard.press('j')
  await keyboard.press('j')
  await keyboard.press('x')
  await keyboard.press('j')
  await keyboard.press('x')
  await expect.poll(() => desk.page.locator('.vf-pick-head span').innerText()).toBe('已选 2 项')
  await keyboard.press('Escape')
  await expect.poll(() => desk.page.locator('.vf-pick-head').count()).toBe(0)

  // One of their own: a record shared read-only allows no follow-ups.
  const owners = await texts(desk, await columnAt(desk, '负责人'))
  const mine = owners.indexOf('李明轩')
  for (let n = 0; n < 3; n += 1) await keyboard.press('k')
  for (let n = 0; n < mine; n += 1) await keyboard.press('j')
  const name = (await texts(desk, 0))[mine] ?? '?'
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await arrive(desk, '/pages/customer/my/follow/add')
  await field(desk.page, 'content').locator('textarea').focus()
  await keyboard.type('键盘写的跟进，客户同意下周再谈')
  await inSight(desk.page).getByRole('button', { name: '保存' }).first().focus()
  await keyboard.press('Enter')
  await toasted(desk, /保存|成功/)
  await arrive(desk, LIST)

  await keyboard.press('/')
  await keyboard.type(name)
  await keyboard.press('Enter')
  await expect.poll(() => rows(desk).count()).toBe(1)
  await keyboard.press('Tab')
  await keyboard.press('j')
  await keyboard.press('Enter')
  await arrive(desk, DETAIL)
  await inSight(desk.page).getByText(name).first().waitFor()
})

it('Escape ends the selection wherever the focus is, but first closes what is open; another page ends it, too', async () => {
  const desk = await atDesk()
  const { keyboard } = desk.page
  const selected = desk.page.locator('.vf-pick-head span')
  const begin = async () => {
    await rows(desk).nth(3).waitFor()
    await rows(desk).first().focus()
    await keyboard.press('x')
    await expect.poll(() => selected.allInnerTexts()).toEqual(['已选 1 项'])
  }
  await goTo(desk, LIST)
  await begin()

  const change = inSight(desk.page).getByRole('button', { name: '修改', exact: true })
  await change.focus()
  await keyboard.press('Enter')
  await desk.page.getByRole('dialog', { name: '批量修改' }).waitFor()
  await keyboard.press('Escape')
  await expect.poll(() => desk.page.locator('.vf-layer').count()).toBe(0)
  expect(await selected.innerText()).toBe('已选 1 项')
  await keyboard.press('Escape')
  await expect.poll(() => selected.count()).toBe(0)

  await begin()
  await menusOf(desk).getByRole('button', { name: '线索', exact: true }).click()
  await arrive(desk, '/pages/customer/leads/index')
  await menusOf(desk).getByRole('button', { name: '客户管理' }).click()
  await arrive(desk, LIST)
  await rows(desk).nth(3).waitFor()
  await expect.poll(() => selected.count()).toBe(0)
  expect(await change.count()).toBe(0)
})

it('a record opens to the right of its list and follows j and k; back, forward and a reload restore both', async () => {
  const desk = await atDesk()
  const { keyboard } = desk.page
  await desk.page.evaluate((to) => {
    location.hash = to
  }, LIST)
  await rows(desk).nth(5).click()
  await arrive(desk, DETAIL)
  const record = desk.page.locator(`section.page:visible[data-page="${DETAIL}"]`)
  const shows = async (index: number) => {
    const name = await rows(desk).nth(index).locator('.vf-record-name').innerText()
    await record.getByText(name, { exact: true }).first().waitFor()
    expect(await rows(desk).nth(index).getAttribute('aria-current')).toBe('true')
  }
  await shows(5)
  const list = await rows(desk).nth(5).boundingBox()
  const pane = await record.boundingBox()
  expect((list?.x ?? 0) + (list?.width ?? DESK.width)).toBeLessThanOrEqual(pane?.x ?? 0)
  expect((pane?.x ?? 0) + (pane?.width ?? 0)).toBe(DESK.width)

  await keyboard.press('j')
  await keyboard.press('j')
  await keyboard.press('j')
  await shows(8)
  await keyboard.press('k')
  await shows(7)
  const at = desk.at()

  await desk.page.goBack()
  await arrive(desk, LIST)
  await expect.poll(() => record.count()).toBe(0)
  await desk.page.goForward()
  await shows(7)
  await desk.page.reload()
  await shows(7)
  expect(desk.at()).toBe(at)

  await rows(desk).nth(7).focus()
  await keyboard.press('Escape')
  await arrive(desk, LIST)
})

it('saved views are above the table, one click away; phones show them in a sheet', async () => {
  const desk = await atDesk()
  await ask(desk, '/mini/customer/view/save', {
    name: '关注的客户',
    isDefault: false,
    tab: 'starred',
    state: { tab: 'starred' },
    clientToken: 'desk-view-starred',
  })
  await desk.page.evaluate((to) => {
    location.hash = to
  }, LIST)
  await rows(desk).nth(3).waitFor()
  const view = inSight(desk.page).getByRole('button', { name: '关注的客户' })
  await view.click()
  await inSight(desk.page)
    .getByRole('tab', { name: /^我关注的/, selected: true })
    .waitFor()

  await desk.page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => view.isVisible()).toBe(false)
})

it('a cell is edited in place: by keyboard, undone, an empty cell by mouse, refused with the server’s text', async () => {
  const desk = await atDesk()
  const { keyboard } = desk.page
  const { id } = await ask(desk, '/mini/customer/create', {
    name: '桌面单元格有限公司',
    level: 'A',
    clientToken: 'desk-cell-customer',
  })
  await desk.page.evaluate((to) => {
    location.hash = to
  }, `${LIST}?tab=mine`)
  await box(desk.page, 'keyword').fill('桌面单元格有限公司')
  await expect.poll(() => rows(desk).count()).toBe(1)
  const cell = rows(desk).locator('.vf-cell').first()
  const choice = cell.getByRole('combobox', { name: '客户级别' })
  const before = await cell.innerText()
  const level = async () => {
    const { list } = await ask(desk, '/mini/customer/list', { keyword: '桌面单元格有限公司' })
    return (list as readonly { id: string; level: string }[]).find((one) => one.id === id)?.level
  }

  await rows(desk).focus()
  await keyboard.press('e')
  await choice.selectOption('D')
  await keyboard.press('Escape')
  await expect.poll(() => choice.count()).toBe(0)
  expect(await level()).toBe('A')

  await keyboard.press('e')
  await choice.selectOption('D')
  await keyboard.press('Enter')
  await cell.getByRole('button', { name: '撤销' }).click()
  await expect.poll(level).toBe('A')
  await expect.poll(() => cell.innerText()).toBe(before)

  const empty = rows(desk).locator('.vf-cell[title=""]').first()
  await empty.hover()
  await empty.getByRole('button').click()
  await empty.locator('input, select').waitFor()
  await keyboard.press('Escape')

  const admin = await signIn(stage.product().url, 'admin')
  await admin.call('/mini/customer/delete', { ids: [String(id)], clientToken: 'desk-cell-deleted' })
  await rows(desk).focus()
  await keyboard.press('e')
  await choice.selectOption('D')
  await keyboard.press('Tab')
  await expect.poll(() => cell.getByRole('alert').innerText()).not.toBe('')
  await keyboard.press('Escape')
})

it('to-dos are lines, four of them in the space of two cards', async () => {
  const desk = await atDesk()
  await desk.page.evaluate((to) => {
    location.hash = to
  }, '/pages/work/todo/index')
  const cards = inSight(desk.page).locator('[data-widget="list"] .vf-card:has([data-widget])')
  await cards.nth(3).waitFor()
  // The code that draws them as lines arrives a moment after them.
  const height = async () => {
    const [first, fourth] = [await cards.nth(0).boundingBox(), await cards.nth(3).boundingBox()]
    return (fourth?.y ?? DESK.height) + (fourth?.height ?? 0) - (first?.y ?? 0)
  }
  await expect.poll(height).toBeLessThanOrEqual(280)
})

it('a role is a table of modules and rights, ticked by keyboard, by row and by column; a copy begins with the same rights', async () => {
  const desk = await stage.signedIn('admin', '/pages/admin/role/index', DESK)
  await rows(desk).filter({ hasText: '客服' }).focus()
  await inSight(desk.page).getByRole('button', { name: '复制' }).click()
  await arrive(desk, '/pages/admin/role/edit')
  await expect.poll(() => box(desk.page, 'name').inputValue()).toBe('客服 副本')
  const tick = (name: string) => inSight(desk.page).getByRole('checkbox', { name, exact: true })
  const count = () => inSight(desk.page).locator('.vf-matrix thead .vf-quiet').innerText()
  await expect.poll(count).not.toMatch(/^已选 0 /)
  expect(await tick('客户 查看').isChecked()).toBe(true)

  await tick('全选 客户').check()
  await tick('全选 客户').uncheck()
  await tick('客户 查看').focus()
  await desk.page.keyboard.press('ArrowRight')
  await desk.page.keyboard.press('Space')
  expect(await tick('客户 新建').isChecked()).toBe(true)
  await tick('全选 导出').check()
  expect(await tick('合同 导出').isChecked()).toBe(true)
  await inSight(desk.page).getByRole('combobox', { name: '客户 数据范围' }).selectOption('本部门')
  await tick('全选 模块与权限').check()
  await tick('全选 模块与权限').uncheck()
  await expect.poll(count).toMatch(/^已选 0 /)
  await inSight(desk.page).getByRole('button', { name: '保存' }).click()
  await desk.page
    .getByRole('dialog')
    .filter({ hasText: '没有任何权限' })
    .getByRole('button', { name: '取消' })
    .click()

  await tick('全选 联系人').check()
  await inSight(desk.page).getByRole('button', { name: '保存' }).click()
  await toasted(desk, '角色已保存')
  await arrive(desk, '/pages/admin/role/index')
  await rows(desk).filter({ hasText: '客服 副本' }).filter({ hasText: '6 项权限' }).waitFor()
})

it('departments are beside users: selected and moved by keyboard; users are dragged there, or selected and moved', async () => {
  const desk = await stage.signedIn('admin', '/pages/admin/user/index', DESK)
  const dept = (name: string) => inSight(desk.page).getByRole('treeitem', { name: new RegExp(`^${name}`) })
  const agree = () => desk.page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  const { keyboard } = desk.page

  await dept('财务部').click()
  await expect.poll(() => rows(desk).count()).toBe(2)
  await dept('市场部').focus()
  await keyboard.press('m')
  await keyboard.press('Home')
  for (let i = 0; i < 2; i += 1) await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await agree()
  await toasted(desk, '部门已移动')
  await expect.poll(() => dept('市场部').getAttribute('aria-level')).toBe('3')

  await rows(desk).first().dragTo(dept('市场部'))
  await agree()
  await toasted(desk, '已移动 1 人')
  await expect.poll(() => rows(desk).count()).toBe(1)
  await rows(desk).first().focus()
  await keyboard.press('x')
  await inSight(desk.page).getByRole('button', { name: '移到部门' }).click()
  const goal = desk.page.getByRole('dialog').getByRole('treeitem', { name: /^总经办/ })
  await goal.focus()
  await keyboard.press('Enter')
  await desk.page.getByRole('dialog').getByRole('button', { name: '移动' }).click()
  await agree()
  await expect.poll(() => rows(desk).count()).toBe(0)
})

it('a change of a record is shown in the list beside it', async () => {
  const desk = await atDesk()
  const { list: known } = await ask(desk, '/mini/customer/list', { limit: 20 })
  const unstarred = (known as readonly { name: string; starred: boolean }[]).find(({ starred }) => !starred)
  await goTo(desk, LIST)
  await rows(desk)
    .filter({ hasText: unstarred?.name ?? '?' })
    .first()
    .click()
  await arrive(desk, DETAIL)
  const list = desk.page.locator(`section.page:visible[data-page="${LIST}"]`)
  const starred = async () =>
    Number(/\d+/.exec(await list.getByRole('tab', { name: /^我关注的/ }).innerText())?.[0] ?? -1)
  const record = desk.page.locator(`section.page:visible[data-page="${DETAIL}"]`)
  await expect.poll(starred).toBeGreaterThanOrEqual(0)
  const before = await starred()

  await record.getByRole('button', { name: '关注', exact: true }).click()
  await expect.poll(starred).toBe(before + 1)
})

it('figures are in columns, are exported as a picture and a workbook, and lead to the rows behind them', async () => {
  const desk = await stage.signedIn('manager', '/pages/stats/index', DESK)
  const charts = inSight(desk.page).locator('.vf-chart-box')
  await charts.locator('img').nth(1).waitFor()
  const tops = await charts.evaluateAll(
    (all) => new Set(all.map((one) => one.getBoundingClientRect().left)).size,
  )
  expect(tops).toBe(2)

  for (const [name, kind] of [
    ['导出图片', 'png'],
    ['导出表格', 'xlsx'],
  ] as const) {
    const [file] = await Promise.all([
      desk.page.waitForEvent('download'),
      inSight(desk.page).getByRole('button', { name }).click(),
    ])
    expect(file.suggestedFilename()).toBe(`统计分析.${kind}`)
    const { size } = await stat(await file.path())
    expect(size).toBeGreaterThan(1_000)
  }

  const sources = charts.filter({ has: desk.page.getByRole('heading', { name: '客户来源' }) })
  await sources.getByRole('button', { name: '查看数据' }).click()
  const number = sources.locator('tbody button').first()
  const count = await number.innerText()
  await number.click()
  await arrive(desk, '/pages/stats/detail')
  await inSight(desk.page).locator('[data-widget="static-text"]').getByText(count, { exact: true }).waitFor()
  await expect.poll(() => rows(desk).count()).toBe(Number(count))
  // Customers have no amount: there is no empty column for it.
  expect(await inSight(desk.page).getByRole('columnheader').allInnerTexts()).not.toContain('金额')
})

it('all stages of the board are visible on a desktop', async () => {
  const desk = await atDesk()
  await goTo(desk, '/pages/bussiness/board')
  const board = inSight(desk.page).locator('.vf-board')
  await board.locator('.vf-board-card').first().waitFor()
  expect(await board.locator('.vf-board-column').count()).toBe(5)
  expect(await board.evaluate((it) => it.scrollWidth - it.clientWidth)).toBeLessThanOrEqual(0)
})

it('with text of double size a table still shows amounts and dates completely', async () => {
  const desk = await atDesk()
  const large = await desk.another(`${stage.product().url}/#/pages/bussiness/index`, {
    ...DESK,
    width: 1920,
    text: 2,
    touch: false,
  })
  await rows(large).nth(5).waitFor()
  const names = await inSight(large.page).getByRole('columnheader').allInnerTexts()
  const cut = await rows(large)
    .locator('[role="gridcell"]:not(.vf-record-name)')
    .evaluateAll(
      (cells) =>
        cells.filter((it) => /¥|\d{4}-/.test(it.textContent ?? '') && it.scrollWidth > it.clientWidth + 1)
          .length,
    )

  expect(names.join()).toContain('预计金额')
  expect(names.join()).toContain('预计成交')
  expect(cut).toBe(0)
  await large.picture('desk-large-text')
  await large.close()
})

it('the list of products shows whole codes, its 多选 beside 筛选, and no number of order', async () => {
  const desk = await stage.signedIn('manager', '/pages/product/index', DESK)
  await rows(desk).nth(3).waitFor()
  const names = await inSight(desk.page).getByRole('columnheader').allInnerTexts()
  const codes = rows(desk).locator(`[role="gridcell"]:nth-child(${(await columnAt(desk, '产品编码')) + 2})`)
  const cut = await codes.evaluateAll((cells) => cells.filter((it) => it.scrollWidth > it.clientWidth).length)
  const button = (name: string) =>
    inSight(desk.page).getByRole('button', { name, exact: true }).first().boundingBox()
  const [pick, filter] = [await button('多选'), await button('筛选')]

  expect((await codes.allInnerTexts()).every((code) => code.length === 14)).toBe(true)
  expect(cut).toBe(0)
  expect(names.join()).not.toContain('排序')
  expect((filter?.x ?? 0) - (pick?.x ?? 0) - (pick?.width ?? 0)).toBeLessThanOrEqual(32)
})

it('without a network the notice pushes down the bar with its button, also of a scrolled list, a choice and a record', async () => {
  const desk = await stage.signedIn('demo', LIST, DESK)
  const { page } = desk
  await rows(desk).nth(3).waitFor()
  const boxOf = async (place: Locator) => (await place.boundingBox()) ?? { y: 0, height: 0 }
  desk.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  await page.context().setOffline(true)
  const notice = page.locator('.offline')
  await notice.waitFor()
  const end = (await boxOf(notice)).y + (await boxOf(notice)).height
  const bar = inSight(page).locator('.nav-bar')
  const add = inSight(page).locator('.vf-fab')

  for (const y of [0, 400]) {
    await page.evaluate((top) => scrollTo({ top }), y)
    await expect.poll(async () => (await boxOf(bar)).y).toBe(end)
    if (y > 0) await desk.picture('desk-no-network')
    await expect.poll(async () => (await boxOf(add)).y).toBe(end + 4)
  }
  await inSight(page).getByRole('button', { name: '多选', exact: true }).click()
  await expect.poll(async () => (await boxOf(page.locator('.vf-pick-head'))).y).toBe(end)
  await page.context().setOffline(false)
  await expect.poll(async () => (await boxOf(page.locator('.vf-pick-head'))).y).toBe(0)
  await page.keyboard.press('Escape')

  await page.evaluate(() => scrollTo({ top: 0 }))
  await rows(desk).first().click()
  await arrive(desk, DETAIL)
  await page.context().setOffline(true)
  await expect.poll(async () => (await boxOf(page.locator('.page-record .nav-bar'))).y).toBe(end)
  await expect.poll(async () => (await boxOf(page.locator('.page-list .nav-bar'))).y).toBe(end)
  await page.context().setOffline(false)
})

it('a double click on 多选 begins the choice and nothing else', async () => {
  const desk = await stage.signedIn('director', LIST, DESK)
  await rows(desk).nth(3).waitFor()
  await inSight(desk.page).getByRole('button', { name: '多选', exact: true }).dblclick()
  await desk.page.locator('.vf-pick-head').waitFor()
  await inSight(desk.page).getByRole('button', { name: '全部转移' }).waitFor()

  expect(await desk.page.locator('.vf-pick-head span').innerText()).toBe('已选 0 项')
  expect(await desk.page.getByRole('dialog').count()).toBe(0)
})

it('a search shows each fact once: the phone in its own column, masked where it is masked', async () => {
  const desk = await stage.signedIn('manager', '/pages/search/index?keyword=商贸', DESK)
  await rows(desk).nth(5).waitFor()
  const notes = await texts(desk, await columnAt(desk, '说明'))
  const phones = await texts(desk, await columnAt(desk, '电话'))

  expect(
    notes.filter((note) => /\d{3}[\d*]{4}\d{4}|\d{4}-\d{7}/.test(note) && !/^[A-Z]{2}\d+$/.test(note)),
  ).toEqual([])
  expect(phones.some((phone) => /^1\d{10}$/.test(phone))).toBe(true)
  expect(phones.some((phone) => /^1\d{2}\*{4}\d{4}$/.test(phone))).toBe(true)
})

it('a message is one row of columns: title, text, kind and time stand where they stand in every other row', async () => {
  const { url } = stage.product()
  const [reader, admin, seller] = [
    await signIn(url, 'manager'),
    await signIn(url, 'admin'),
    await signIn(url, 'demo'),
  ]
  // Whatever the hour: in quiet hours messages are kept for the morning.
  await reader.call('/mini/message/setting', { quiet: false, clientToken: 'desk-no-quiet' })
  const { list } = await seller.call('/mini/customer/list', {})
  const [customer] = list as Row[]
  for (const at of ['1', '2']) {
    await admin.call('/mini/todo/create', {
      title: `准备季度会议材料 ${at}`,
      due_at: '2027-03-21',
      assignee_id: 'u-manager',
      clientToken: `desk-todo-${at}`,
    })
    await seller.call('/mini/follow/create', {
      target_type: 'customer',
      target_id: String(customer?.id),
      method: 'call',
      content: `请看报价第 ${at} 版`,
      mention_ids: ['u-manager'],
      clientToken: `desk-follow-${at}`,
    })
  }
  const desk = await stage.signedIn('manager', '/pages/my/message/index', DESK)
  const cards = inSight(desk.page).locator('[data-widget="list"] .vf-card:has([data-widget])')
  await cards.nth(3).waitFor()
  const places = async (part: string, side: 'left' | 'right') =>
    new Set(
      await cards
        .locator(part)
        .evaluateAll((all, at) => all.map((it) => Math.round(it.getBoundingClientRect()[at])), side),
    ).size

  await expect.poll(() => places('[data-key="content"] > *', 'left')).toBe(1)
  expect(await places('[data-key="at"] > *', 'right')).toBe(1)
  expect(await places('[data-key="foot"] .vf-tag', 'left')).toBe(1)
  expect(new Set(await cards.locator('[data-key="foot"] .vf-tag').allInnerTexts()).size).toBeGreaterThan(1)
})

it('cards for reading, their end and their empty message are in the middle below the bars', async () => {
  const desk = await stage.signedIn('manager', '/pages/work/feed/index', DESK)
  const middle = async (part: string) => {
    const place = await inSight(desk.page).locator(part).first().boundingBox()
    return (place?.x ?? 0) + (place?.width ?? 0) / 2
  }
  for (const [path, part] of [
    ['/pages/work/feed/index', '.page-reading .vf-card'],
    ['/pages/stats/reports', '.page-reading'],
    ['/pages/work/visit/index', '.page-reading'],
  ] as const) {
    await goTo(desk, path)
    await inSight(desk.page).locator(part).first().waitFor()
    await expect
      .poll(async () => Math.abs((await middle(part)) - (await middle('.vf-page'))))
      .toBeLessThanOrEqual(1)
  }
})

const isSorted = (words: readonly string[]): boolean =>
  words.length > 3 && words.every((word, at) => at === 0 || (words[at - 1] ?? '') <= word)

async function columnAt(desk: Phone, name: string): Promise<number> {
  const names = await inSight(desk.page).getByRole('columnheader').allInnerTexts()
  return names.findIndex((one) => one.includes(name)) - 1
}

it('Ctrl Enter presses the main button of a form, and nothing below the list of keys', async () => {
  const desk = await stage.signedIn('manager', '/pages/customer/my/add', DESK)
  const { keyboard } = desk.page
  await menusOf(desk).waitFor()
  await box(desk.page, 'name').waitFor()
  await keyboard.press('Shift+?')
  const keys = desk.page.getByRole('dialog', { name: '键盘快捷键' })
  await keys.getByText('保存或提交').waitFor()
  await keyboard.press('Control+Enter')
  await keyboard.press('Escape')
  expect(await inSight(desk.page).locator('.vf-error').count()).toBe(0)

  await keyboard.press('Control+Enter')
  await inSight(desk.page).locator('.vf-error').first().waitFor()
  await box(desk.page, 'name').fill('键盘保存的客户有限公司')
  await keyboard.press('Control+Enter')
  await toasted(desk, /保存|成功/)
})

it('a list marks the row of the page open beside it, by whatever name its address gives the key', async () => {
  const desk = await stage.signedIn('admin', '/pages/admin/page/index', DESK)
  const row = rows(desk).filter({ hasText: '/pages/activity/detail' })
  await row.click()
  await arrive(desk, '/pages/admin/page/detail')

  await expect.poll(() => row.getAttribute('aria-current')).toBe('true')
  expect(await rows(desk).and(desk.page.locator('[aria-current]')).count()).toBe(1)
})

it('product lines of a contract are a table below its tab, with amounts at the right of their column', async () => {
  const desk = await atDesk()
  const { list } = await ask(desk, '/mini/contract/list', { limit: 1 })
  await goTo(desk, `/pages/contract/detail?id=${(list as readonly { id: string }[])[0]?.id}`)
  await inSight(desk.page).getByRole('tab', { name: '明细' }).click()

  await head(desk, '小计').waitFor()
  const names = await inSight(desk.page).getByRole('columnheader').allInnerTexts()
  const amount = rows(desk).first().getByRole('gridcell').nth(names.indexOf('小计'))
  expect(await amount.evaluate((cell) => getComputedStyle(cell).textAlign)).toBe('right')
})

it('a message is no wider than a column of text', async () => {
  const desk = await atDesk()
  await desk.page.evaluate(() => {
    const toast = document.createElement('div')
    toast.className = 'toast'
    toast.textContent = '很长的提示'.repeat(20)
    document.body.append(toast)
  })
  expect((await desk.page.locator('.toast').boundingBox())?.width).toBeLessThanOrEqual(400)
})

it('the menu marks the section of the open page, and nothing on a page of none', async () => {
  const desk = await stage.signedIn('admin', '/pages/product/index', DESK)
  const marked = menusOf(desk).locator('[aria-current="page"]')
  await expect.poll(() => marked.allInnerTexts()).toEqual(['产品'])

  await goTo(desk, '/pages/admin/role/edit')
  await arrive(desk, '/pages/admin/role/edit')
  await expect.poll(() => marked.allInnerTexts()).toEqual([])
})

it('fields are in two columns where each has room, and in one in a narrow preview', async () => {
  const desk = await stage.signedIn('admin', '/pages/my/setting/edit', DESK)
  const columns = (within: string) =>
    inSight(desk.page)
      .locator(`${within} .vf-group-body:has(> .vf-w > .vf-field)`)
      .first()
      .evaluate((body) => getComputedStyle(body).gridTemplateColumns.split(' ').length)
  await expect.poll(() => columns('.vf-page')).toBe(2)

  await goTo(desk, '/pages/admin/module/fields?name=customer')
  await expect.poll(() => columns('.vf-preview')).toBe(1)
})

it('a period of one’s own shows no figures until its days are chosen', async () => {
  const desk = await stage.signedIn('demo', '/', DESK)
  const figures = inSight(desk.page).locator('[data-widget="stat-grid"]').filter({ hasText: '合同金额' })
  await figures.first().waitFor()

  await inSight(desk.page).getByRole('tab', { name: '自定义' }).click()

  await inSight(desk.page).getByText('选择开始和结束日期后显示数字').waitFor()
  expect(await figures.count()).toBe(0)
})

it('figures that cannot be loaded are said in the middle of the page, with room above the button', async () => {
  const desk = await stage.signedIn('demo', '/', DESK)
  desk.allow(/net::ERR_FAILED/)
  await desk.page.route('**/mini/stats/**', (route) => route.abort())
  await goTo(desk, '/pages/stats/index')
  const note = inSight(desk.page).locator('.vf-page > .vf-empty')
  const boxOf = async (one: Locator) => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await one.boundingBox()) ?? {}
    return { centre: x + width / 2, top: y, bottom: y + height }
  }
  await note.waitFor()

  const text = await boxOf(note.locator('p'))
  expect(Math.abs(text.centre - (await boxOf(inSight(desk.page))).centre)).toBeLessThan(8)
  expect((await boxOf(note.getByRole('button'))).top - text.bottom).toBeGreaterThanOrEqual(8)
})
