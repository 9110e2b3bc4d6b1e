import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { arrive, ask, box, button, goTo, hears, inSight, logIn, type Row, toasted } from '../support/acts.ts'
import { makeImplementer, publishOn, tabTo } from '../support/bench-hands.ts'
import { long } from '../support/long.ts'
import { type Phone, saveData } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

const PAGE = 'pages/customer/my/add.json'
const DESK = { width: 1280, height: 800 }
/** Where nothing is loaded. */
const ABOUT = '/pages/my/about'

describe('an implementer’s walk', () => {
  const stage = aStage({ env: { CONNECTION_INNER: '127.0.0.1' } })

  it('breaks a page: the last good version stays, and an author sees file, pointer, message and hint until it is fixed', async () => {
    const seller = await stage.signedIn('demo', '/pages/customer/my/add')
    const phone = await stage.signedIn('admin', '/pages/customer/my/add')
    const { page } = phone
    const file = join(stage.product().schemasDir, PAGE)
    const good = await readFile(file, 'utf8')
    await box(page, 'name').fill('银河')

    await writeFile(file, good.slice(0, -20))
    const banner = inSight(page).getByRole('alert')
    await banner.getByText('JSON_INVALID').waitFor()
    await phone.picture('live-broken')
    const said = await banner.textContent()
    await page.reload()
    await banner.getByText('JSON_INVALID').waitFor()
    await inSight(seller.page).locator('[data-field="name"]').waitFor()
    const sellers = await inSight(seller.page).getByRole('alert').count()
    await box(page, 'name').fill('银河')
    await writeFile(file, good)
    await banner.waitFor({ state: 'detached' })

    expect(said).toContain(`schemas/${PAGE}`)
    expect(said).toContain('文件不是正确的 JSON')
    expect(sellers).toBe(0)
    expect(said).toMatch(/第 \d+ 行，第 \d+ 列/)
    expect(await box(page, 'name').inputValue()).toBe('银河')
  })

  it('adds a field to a page in the workbench, publishes it, and reverts it: open phones follow', async () => {
    const desk = await stage.signedIn('admin', '/pages/admin/page/detail?path=/pages/customer/my/add', DESK)
    await button(desk.page, '设计').click()
    await arrive(desk, '/pages/admin/page/design')
    const bench = desk.page.locator('.wb')
    const phone = await stage.signedIn('demo', '/pages/customer/my/add')
    await box(phone.page, 'name').fill('银河')

    await bench.getByRole('tab', { name: '结构' }).click()
    await bench.getByRole('treeitem', { name: '联系人' }).click()
    await bench.getByRole('tab', { name: '组件' }).click()
    await bench.getByRole('button', { name: '单行文本' }).click()
    await bench.getByRole('textbox', { name: '标签', exact: true }).fill('推荐人')
    await bench.getByRole('switch', { name: '必填', exact: true }).click()
    await bench.locator('.wb-paper').getByText('推荐人').waitFor()
    await desk.page.keyboard.press('Control+z')
    await expect
      .poll(() => bench.getByRole('switch', { name: '必填' }).getAttribute('aria-checked'))
      .toBe('false')
    await desk.page.keyboard.press('Control+y')
    await expect
      .poll(() => bench.getByRole('switch', { name: '必填' }).getAttribute('aria-checked'))
      .toBe('true')
    await bench.getByRole('button', { name: '代码', exact: true }).click()
    await bench.locator('.cm-content').getByText('"推荐人"').waitFor()
    await bench.getByRole('button', { name: '设计', exact: true }).click()
    await desk.picture('workbench')
    await bench.getByRole('button', { name: '发布', exact: true }).click()
    const asked = bench.getByRole('dialog', { name: '发布这一页' })
    await asked.getByText('新增“推荐人”').waitFor()
    await asked.getByRole('button', { name: '发布', exact: true }).click()
    await toasted(desk, '已发布，版本 1')
    const at = Date.now()
    await inSight(phone.page).getByText('推荐人').waitFor()
    const took = Date.now() - at

    expect(took).toBeLessThan(1_000)
    expect(await box(phone.page, 'name').inputValue()).toBe('银河')
    await button(phone.page, '保存').click()
    await inSight(phone.page).getByText('推荐人必填').waitFor()

    await bench.getByRole('tab', { name: '版本' }).click()
    await bench.getByText('新增“推荐人”').waitFor()
    await bench.getByRole('button', { name: '回到这一版', exact: true }).click()
    await desk.page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
    await inSight(phone.page).getByText('推荐人', { exact: true }).waitFor({ state: 'detached' })
    await bench.getByText('产品自带', { exact: true }).first().waitFor()

    expect(await box(phone.page, 'name').inputValue()).toBe('银河')
  })

  it(
    'edits a page in the workbench by keyboard alone, and finds the draft on another device',
    long,
    async () => {
      const desk = await stage.signedIn('admin', '/pages/admin/page/design?path=/pages/product/add', DESK)
      const { page } = desk
      const bench = page.locator('.wb')
      const rows = bench.getByRole('treeitem')
      const selected = bench.getByRole('treeitem', { selected: true })
      await bench.locator('.wb-paper').getByText('产品名称').waitFor()

      await tabTo(page, '结构')
      await page.keyboard.press('Enter')
      const count = await rows.count()
      await tabTo(page, await rows.first().textContent())
      for (const key of ['ArrowDown', 'ArrowDown', 'Shift+ArrowDown']) await page.keyboard.press(key)
      expect(await selected.count()).toBe(2)
      await page.keyboard.press('Control+d')
      expect(await rows.count()).toBe(count + 2)
      await page.keyboard.press('Control+z')
      expect(await rows.count()).toBe(count)
      await page.keyboard.press('Control+y')
      expect(await rows.count()).toBe(count + 2)
      await page.keyboard.press('Control+z')

      await tabTo(page, '组件')
      await page.keyboard.press('Enter')
      await tabTo(page, '单行文本')
      await page.keyboard.press('Enter')
      await tabTo(page, '标签', 'INPUT')
      await page.keyboard.press('Control+a')
      await page.keyboard.type('条形码')
      await tabTo(page, '必填')
      await page.keyboard.press('Space')
      await bench.locator('.wb-paper').getByText('条形码').waitFor()
      await bench.getByText('草稿 · 已保存').waitFor()

      const other = await desk.another(
        `${stage.product().url}/#/pages/admin/page/design?path=/pages/product/add`,
      )
      await other.page.locator('.wb-paper').getByText('条形码').waitFor()
      await other.page.getByText('已恢复草稿').waitFor()
      await other.close()
      await tabTo(page, '放弃草稿')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: '确定' }).waitFor()
      await page.keyboard.press('Enter')
      await bench.getByText('产品自带', { exact: true }).first().waitFor()
      expect(await bench.locator('.wb-paper').getByText('条形码').count()).toBe(0)
    },
  )

  it('publishes a page of a change set to some users first, then to all, and reverts everything', {
    timeout: 180_000,
  }, async () => {
    const FORM = '/pages/customer/my/add'
    const desk = await stage.signedIn('admin', `/pages/admin/page/design?path=${FORM}`, {
      width: 1440,
      height: 900,
    })
    const [seller, director] = [await stage.signedIn('demo', FORM), await stage.signedIn('director', FORM)]
    const bench = desk.page.locator('.wb')
    await bench.getByRole('button', { name: '单行文本' }).click()
    await bench.getByRole('textbox', { name: '标签', exact: true }).fill('展位号')
    await bench.getByRole('button', { name: '发布', exact: true }).click()
    await bench.getByRole('button', { name: '放进发布单' }).click()
    await hears(desk, '已放进')
    const [set] = (await ask(desk, '/engine/web/changeset/list', {})).list as Row[]
    await goTo(desk, `/pages/admin/page/set?id=${set?.id}`)
    await arrive(desk, '/pages/admin/page/set')

    await button(desk.page, '看页面').click()
    await arrive(desk, '/pages/admin/page/look')
    const side = (name: string) => bench.getByRole('region', { name, exact: true })
    await side('发布以后').getByText('展位号').waitFor()
    await side('现在').getByText('客户名称').first().waitFor()
    expect(await side('现在').getByText('展位号').count()).toBe(0)
    await desk.picture('set-look')
    await bench.getByRole('button', { name: '返回' }).click()

    await button(desk.page, '发布…').click()
    const sheet = desk.page.getByRole('dialog', { name: '怎样发布' })
    await sheet.getByRole('radio', { name: '先给部分人试用' }).check()
    await sheet.getByRole('combobox', { name: '角色' }).click()
    const roles = desk.page.getByRole('dialog', { name: '角色' })
    await roles.getByText('销售', { exact: true }).click()
    await roles.getByRole('button', { name: '确定' }).click()
    await desk.picture('set-plan')
    await sheet.getByRole('button', { name: '发布', exact: true }).click()
    await inSight(seller.page).getByText('展位号').waitFor()
    expect(await inSight(director.page).getByText('展位号').count()).toBe(0)
    await desk.picture('set-partial')
    await button(desk.page, '给所有人').click()
    await desk.page.getByRole('button', { name: '确定' }).click()
    await inSight(director.page).getByText('展位号').waitFor()
    await button(desk.page, '全部撤回').click()
    await desk.page.getByRole('button', { name: '确定' }).click()
    for (const { page } of [seller, director])
      await inSight(page).getByText('展位号').waitFor({ state: 'detached' })
    await hears(desk, '已全部撤回')
  })

  it('shares a page: two users publish, the second sees both versions and chooses; a loop is stopped, a fault is refused', {
    timeout: 180_000,
  }, async () => {
    const path = '/pages/x/shared'
    const one = await stage.signedIn('admin', ABOUT, DESK)
    await makeImplementer(one, 'finance')
    await ask(one, '/engine/web/page/publish', {
      path,
      base: 0,
      document: SHARED,
      clientToken: 'shared-page',
    })
    const two = await stage.signedIn('finance', ABOUT, DESK)
    const benches = [one, two].map(({ page }) => page.locator('.wb'))
    const [mine, theirs] = benches as [Locator, Locator]
    for (const [i, label] of ['客户姓名', '联系人'].entries()) {
      const bench = benches[i] as Locator
      await goTo([one, two][i] as Phone, `/pages/admin/page/design?path=${path}`)
      await bench.getByRole('tab', { name: '结构' }).click()
      await bench.locator('.wb-tree-title').getByText('姓名', { exact: true }).click()
      await bench.getByRole('textbox', { name: '标签', exact: true }).fill(label)
    }
    await theirs.locator('.wb-tree-title').getByText('电话', { exact: true }).click()
    await theirs.getByRole('switch', { name: '必填', exact: true }).click()
    await mine.locator('.wb-tree-page').click()
    await mine.getByRole('textbox', { name: '标题', exact: true }).fill('来访')
    await publishOn(theirs)
    await hears(two, '已发布，版本 2')
    await publishOn(mine)
    const conflict = mine.getByRole('dialog', { name: '有人先发布了' })
    await conflict.getByText('电话：选填 → 必填').waitFor()
    await conflict.getByRole('radio', { name: /对方的/ }).check()
    await conflict.getByRole('button', { name: '合并到草稿' }).click()
    await conflict.waitFor({ state: 'detached' })
    await publishOn(mine)
    await hears(one, '已发布，版本 3')
    await goTo(two, path)
    await inSight(two.page).getByText('联系人').waitFor()
    await expect.poll(() => two.page.title()).toContain('来访')

    const code = mine.getByLabel('onFormDataChange')
    await mine.locator('summary').getByText('页面代码与样式').click()
    await code.fill('while (true) {}')
    // The desktop's shortcuts do not interfere with typing.
    await code.press('End')
    await one.page.keyboard.type(' // ?')
    await expect.poll(() => code.innerText()).toContain('{} // ?')
    await mine.getByRole('button', { name: '试用', exact: true }).click()
    await mine.getByRole('tab', { name: '运行' }).click()
    const typed = mine.locator('.wb-paper input')
    await mine.getByText('这一页的代码').waitFor()
    await typed.first().fill('王')
    await typed.nth(1).click()
    await mine.locator('.wb-run-failed').filter({ hasText: 'onFormDataChange' }).first().waitFor()
    await mine.getByText('用时超过限制，已被停下').first().waitFor()
    await typed.nth(1).fill('138')
    expect(await typed.nth(1).inputValue()).toBe('138')

    await mine.getByRole('tab', { name: '属性' }).click()
    await mine.locator('summary').getByText('页面代码与样式').click()
    await code.fill('const a = ;')
    await mine.getByRole('button', { name: '1 个问题' }).waitFor()
    await mine.getByRole('button', { name: '发布', exact: true }).click()
    const refused = mine.getByRole('dialog', { name: '发布这一页' })
    await refused.getByText('/formConfig/onFormDataChange').waitFor()
    expect(await refused.getByRole('button', { name: '发布', exact: true }).isDisabled()).toBe(true)
  })

  it('inspects a running page, and other users do not load that code', async () => {
    const phone = await stage.phone('/pages/login/login')
    const { page } = phone
    const seller = await stage.phone('/pages/login/login')
    await saveData(seller.context, false)
    await seller.page.reload()
    const fetched: string[] = []
    seller.page.on('request', (request) => fetched.push(request.url()))
    await logIn(seller)
    await arrive(seller, '/')
    await goTo(seller, '/pages/customer/my/add')
    await inSight(seller.page)
      .locator('[data-field="name"]')
      .getByText('名称')
      .first()
      .click({ button: 'right' })
    await logIn(phone, 'admin')
    await arrive(phone, '/')
    await goTo(phone, '/pages/admin/page/new')
    await box(page, 'name').fill('a/b')

    await inSight(page).getByText('从哪里开始').click({ button: 'right' })
    const dialog = page.getByRole('dialog')
    await dialog.getByText('值：空白').waitFor()
    await dialog.getByText('/pages/admin/page/new').waitFor()
    await dialog.getByText('产品自带').waitFor()
    await dialog.getByRole('button', { name: '页面', exact: true }).click()
    await dialog.getByRole('button', { name: '不支持的部分' }).click()
    await dialog.getByText('现在隐藏').waitFor()
    await dialog.getByText('从哪里开始 = 空白', { exact: false }).waitFor()
    await phone.picture('ask-page')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    expect(await seller.page.getByRole('dialog').count()).toBe(0)
    expect(fetched.filter((url) => /workbench|ask/.test(url))).toEqual([])
  })

  it('connects another system in the app, tests it, and shows its data on a page', async () => {
    const keys: (string | undefined)[] = []
    const other = createServer((request, response) => {
      keys.push(request.headers.authorization)
      response.setHeader('content-type', 'application/json')
      response.end('{"orders":[{"no":"DD-7001","state":"已发货"},{"no":"DD-7002","state":"待付款"}]}')
    })
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    const phone = await stage.signedIn('admin', '/pages/admin/index')
    const { page } = phone

    await inSight(page).getByText('连接', { exact: true }).click()
    await arrive(phone, '/pages/admin/connection/index')
    await button(page, '新建连接').click()
    await arrive(phone, '/pages/admin/connection/edit')
    await box(page, 'label').fill('订单系统')
    await box(page, 'name').fill('orders')
    await box(page, 'base').fill(`http://127.0.0.1:${(other.address() as AddressInfo).port}/v1`)
    await box(page, 'paths').fill('/orders/**')
    await button(page, '添加请求头或参数').click()
    await inSight(page).locator('[data-field$=".name"] input').fill('Authorization')
    await inSight(page).locator('[data-field$=".value"] input').fill('Bearer key-of-the-orders')
    await phone.picture('connection-edit')
    await button(page, '保存').click()
    await toasted(phone, '已保存，立即生效')
    await inSight(page).getByText('订单系统').click()
    const secret = inSight(page).locator('[data-field$=".value"] input')
    await expect.poll(() => secret.getAttribute('placeholder')).toBe('已设置，留空不变')
    expect(await secret.inputValue()).toBe('')
    await phone.picture('connection-saved')
    await button(page, '试一试').click()
    await box(page, 'path').fill('/orders')
    await button(page, '发送').click()
    await inSight(page).getByText('成功', { exact: true }).waitFor()
    await phone.picture('connection-try')

    await writeFile(join(stage.product().schemasDir, 'pages/my/about.json'), JSON.stringify(ORDERS))
    await goTo(phone, '/pages/my/about')
    await inSight(page).getByText('DD-7002 待付款').waitFor()
    await phone.picture('connection-page')
    other.close()

    expect(keys.length).toBeGreaterThanOrEqual(2)
    expect(new Set(keys)).toEqual(new Set(['Bearer key-of-the-orders']))
    expect(stage.product().log()).not.toContain('key-of-the-orders')
  })
})

const inputOf = (name: string, label: string): Row => ({
  type: 'input',
  id: name,
  formItemFlag: true,
  options: { name, label },
})
const SHARED = {
  formConfig: { layoutType: 'H5', jsonVersion: -3, page: { title: '登记' } },
  widgetList: [inputOf('who', '姓名'), inputOf('phone', '电话')],
}

/** A page that lists the answer of a connection. */
const ORDERS = {
  formConfig: {
    jsonVersion: -3,
    layoutType: 'H5',
    page: { title: '订单' },
    dataSources: [
      {
        uniqueName: 'rows',
        requestURL: 'conn:orders/orders',
        requestMethod: 'get',
        params: [{ name: 'page', type: 'String', value: '1' }],
        paging: { items: 'orders' },
      },
    ],
  },
  widgetList: [
    {
      type: 'list',
      category: 'container',
      options: { name: 'rows', dsName: 'rows' },
      widgetList: [
        { type: 'static-text', options: { name: 'order', textContent: '{{ row.no }} {{ row.state }}' } },
      ],
    },
  ],
}
