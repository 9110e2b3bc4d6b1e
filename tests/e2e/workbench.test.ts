import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { arrive, ask, button, field, goTo, hears, inSight, type Row } from '../support/acts.ts'
import { makeImplementer, publishOn, tabTo } from '../support/bench-hands.ts'
import { long } from '../support/long.ts'
import { aStage } from '../support/stage.ts'

const DESK = { width: 1440, height: 900 }
const FORM = '/pages/customer/my/add'
/** Where nothing is loaded. */
const ABOUT = '/pages/my/about'

describe('the workbench, continued', () => {
  const stage = aStage()

  it('merges a newer release into a changed page: shows it, decides conflicts, and publishes nothing before', async () => {
    const desk = await stage.signedIn('admin', `/pages/admin/page/design?path=${FORM}`, DESK)
    const seller = await stage.signedIn('demo', FORM)
    const bench = desk.page.locator('.wb')
    await bench.getByRole('tab', { name: '结构' }).click()
    await bench.getByRole('treeitem', { name: '联系人' }).click()
    await bench.getByRole('textbox', { name: '标签', exact: true }).fill('对接人')
    await publishOn(bench)
    await hears(desk, '已发布，版本 1')
    await inSight(seller.page).getByText('对接人').waitFor()

    const file = join(stage.product().schemasDir, `${FORM}.json`)
    const shipped = await readFile(file, 'utf8')
    const newer = shipped
      .replace('"label": "联系人"', '"label": "联系人姓名"')
      .replace('"placeholder": "11 位手机号"', '"placeholder": "手机号码"')
    expect(newer).not.toBe(shipped)
    await writeFile(file, newer)

    const isOutgrown = async () => {
      const [first] = (await ask(desk, '/engine/web/page/list', { tab: 'changed' })).list as Row[]
      return first?.outgrown
    }
    await expect.poll(isOutgrown).toBe(true)
    await goTo(desk, '/pages/admin/page/index')
    await inSight(desk.page).getByRole('tab', { name: '已改动' }).click()
    await inSight(desk.page).getByText('产品有更新').waitFor()
    await desk.picture('upgrade-list')
    await goTo(desk, `/pages/admin/page/detail?path=${FORM}`)
    await button(desk.page, '去合并').click()
    await arrive(desk, '/pages/admin/page/design')
    // From here on with the keyboard alone.
    const { keyboard } = desk.page
    await bench.getByRole('button', { name: '产品更新了这一页' }).waitFor()
    await tabTo(desk.page, '产品更新了这一页')
    await keyboard.press('Enter')
    const said = bench.getByRole('dialog', { name: '产品更新了这一页' })
    await said.getByText('“联系人” → “联系人姓名”').waitFor()
    await said.getByText('“11 位手机号” → “手机号码”').waitFor()
    await desk.picture('upgrade-said')
    await tabTo(desk.page, '合并到我的草稿')
    await keyboard.press('Enter')
    const both = bench.getByRole('dialog', { name: '合并产品的更新' })
    await both.getByRole('radio', { name: /对方的 联系人姓名/ }).waitFor()
    await desk.picture('upgrade-choose')
    await tabTo(desk.page, '我的对接人', 'INPUT')
    await keyboard.press('ArrowDown')
    expect(await both.getByRole('radio', { name: /对方的 联系人姓名/ }).isChecked()).toBe(true)
    await keyboard.press('ArrowUp')
    expect(await both.getByRole('radio', { name: /我的 对接人/ }).isChecked()).toBe(true)
    await tabTo(desk.page, '合并到草稿')
    await keyboard.press('Enter')
    await both.waitFor({ state: 'detached' })
    await bench.locator('.wb-paper').getByPlaceholder('手机号码').waitFor()
    expect(await inSight(seller.page).getByPlaceholder('手机号码').count()).toBe(0)
    await tabTo(desk.page, '发布')
    await keyboard.press('Enter')
    await bench.getByRole('dialog', { name: '发布这一页' }).waitFor()
    await tabTo(desk.page, '发布')
    await keyboard.press('Enter')
    await hears(desk, '已发布，版本 2')

    await inSight(seller.page).getByPlaceholder('手机号码').waitFor()
    await inSight(seller.page).getByText('对接人').waitFor()
    expect(await bench.getByRole('button', { name: '产品更新了这一页' }).count()).toBe(0)
    expect(await isOutgrown()).toBe(false)

    // Another tenant has the product's page, without changes of this tenant.
    await goTo(seller, '/pages/my/setting/tenant')
    await inSight(seller.page).getByText('云帆贸易').click()
    await seller.page.getByRole('button', { name: '确定', exact: true }).click()
    await arrive(seller, '/')
    await goTo(seller, FORM)
    await inSight(seller.page).getByText('联系人姓名').waitFor()
    expect(await inSight(seller.page).getByText('对接人').count()).toBe(0)
  })

  it('tries a page without a login, and shares it as a link that sends no request and contains no user data', async () => {
    const desk = await stage.phone('/pages/vform/playground')
    await desk.page.setViewportSize(DESK)
    const bench = desk.page.locator('.wb')
    const drawn = bench.getByRole('region', { name: '页面的样子' })
    await drawn.getByText('每个按钮调用一个方法').waitFor()
    const code = bench.locator('.cm-content')
    await code.click()
    await desk.page.keyboard.press('Control+a')
    await desk.page.keyboard.insertText(JSON.stringify(PLAYED, null, 2))
    await drawn.getByText('来访人').waitFor()
    await drawn.getByText('每个按钮调用一个方法').waitFor({ state: 'detached' })
    await bench.locator('.cm-content').getByText('"来访人"').click()
    await desk.page.keyboard.press('End')
    await desk.page.keyboard.type('"')
    await bench.locator('.cm-lintRange-error, .cm-lint-marker-error').first().waitFor({ state: 'attached' })
    expect(await drawn.getByText('来访人').count()).toBe(1)
    await desk.page.keyboard.press('Control+z')
    const radius = await drawn
      .getByRole('button', { name: '发送' })
      .evaluate((at) => getComputedStyle(at).borderRadius)
    expect(radius).not.toBe('0px')
    await bench.getByRole('button', { name: '复制链接' }).click()
    const link = await bench.getByRole('textbox', { name: '链接', exact: true }).inputValue()
    await desk.picture('playground')

    const phone = await stage.signedIn()
    const asked: string[] = []
    phone.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await goTo(phone, new URL(link).hash.slice(1))
    const there = phone.page.locator('.wb').getByRole('region', { name: '页面的样子' })
    await there.getByText('来访人').waitFor()
    await there.getByText('是谁：没有人').waitFor()
    await phone.page.locator('.wb').getByText('这一页是别人用链接发来的', { exact: false }).waitFor()
    await there.getByRole('button', { name: '发送' }).click()
    await there.getByText('request POST', { exact: false }).first().waitFor()
    await phone.picture('playground-phone')
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(asked.filter((path) => path.startsWith('/mini/customer'))).toEqual([])
    await phone.page.locator('.wb').getByRole('button', { name: '返回' }).click()
    await arrive(phone, '/')
  })

  it(
    'offers every page of the manual as an example: it is drawn without faults, and its text matches the drawing',
    long,
    async () => {
      const desk = await stage.phone('/pages/vform/playground')
      await desk.page.setViewportSize(DESK)
      const bench = desk.page.locator('.wb')
      const drawn = bench.getByRole('region', { name: '页面的样子' })
      const samples = bench.getByRole('combobox', { name: '示例' })
      await samples.waitFor()
      const names = await samples.locator('option').allTextContents()
      expect(names.length).toBeGreaterThan(5)
      for (const name of names) {
        await samples.selectOption(name)
        const path = await samples.inputValue()
        const page = (await (
          await fetch(`${stage.product().url}/engine/web/page/detail?path=${encodeURIComponent(path)}`)
        ).json()) as { widgetList: { options: Row }[] }
        const first = page.widgetList
          .map(({ options }) => options.name)
          .find((one) => typeof one === 'string')
        await drawn.locator(`[data-key="${first}"]`).first().waitFor({ state: 'attached' })
        await bench.locator('.cm-line').first().waitFor()
        // Problems are shown a moment after the page is rendered.
        await desk.page.waitForTimeout(700)
        expect(
          await bench.locator('.cm-lintRange-error, .cm-lintRange-warning').allTextContents(),
          name,
        ).toEqual([])
        expect(await drawn.getByText('WIDGET_FAILED').count(), name).toBe(0)
        await desk.picture(`play-${names.indexOf(name)}`)
      }
    },
  )

  it('describes a tap, tries it on sample data, reports poor contrast, and shows a version beside it, by keyboard alone', async () => {
    const desk = await stage.signedIn('admin', ABOUT, DESK)
    const { page } = desk
    await ask(desk, '/engine/web/page/publish', {
      path: TOOLS_PATH,
      base: 0,
      document: JSON.stringify(TOOLS),
      clientToken: 'bench-tools',
    })
    await goTo(desk, `/pages/admin/page/design?path=${TOOLS_PATH}`)
    const bench = page.locator('.wb')
    const paper = bench.locator('.wb-paper').first()
    await paper.getByText('很浅的字').waitFor()

    await tabTo(page, '结构')
    await page.keyboard.press('Enter')
    await tabTo(page, await bench.getByRole('treeitem').first().textContent())
    await page.keyboard.press('End')
    await tabTo(page, '标签', 'INPUT')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('寄出')
    await tabTo(page, '事件与代码')
    await page.keyboard.press('Enter')
    await tabTo(page, '添加：什么时候…', 'SELECT')
    await page.keyboard.press('ArrowDown')
    await tabTo(page, '1. 提示：点到了')
    await page.keyboard.press('Enter')
    await tabTo(page, '文字', 'INPUT')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('你好 {{ who')
    await bench.getByRole('option', { name: 'form.who' }).waitFor()
    await bench.locator('.wb-broken').getByText('没有用 }} 收尾').waitFor()
    await desk.picture('bench-places')
    await page.keyboard.press('Enter')
    expect(await bench.getByRole('textbox', { name: '文字' }).inputValue()).toBe('你好 {{ form.who }}')
    await bench.locator('.wb-broken').waitFor({ state: 'detached' })

    await bench.locator('.wb-params summary').focus()
    await page.keyboard.press('Enter')
    await bench.getByRole('combobox', { name: '数据' }).focus()
    await page.keyboard.press('ArrowDown')
    await paper.getByText('示例名称 3').waitFor()
    await tabTo(page, '试用')
    await page.keyboard.press('Enter')
    await paper.locator('input').focus()
    await page.keyboard.type('王五')
    await paper.getByRole('button', { name: '寄出' }).focus()
    await page.keyboard.press('Enter')
    await hears(desk, '你好 王五')

    await tabTo(page, '检查')
    await page.keyboard.press('Enter')
    await bench.getByText('文字和底色太接近').waitFor()
    expect(await bench.getByText('text-faint').count()).toBe(1)
    await tabTo(page, '版本')
    await page.keyboard.press('Enter')
    await bench.getByRole('button', { name: '对照看版本 1' }).waitFor()
    await tabTo(page, '对照看版本 1')
    await page.keyboard.press('Enter')
    const both = bench.getByRole('dialog', { name: '对照看版本 1' })
    await both.getByRole('region', { name: '版本 1' }).getByRole('button', { name: '发送' }).waitFor()
    await both.getByRole('region', { name: '画布上的' }).getByRole('button', { name: '寄出' }).waitFor()
    await both.getByText('标签 “发送” → “寄出”').waitFor()
    await desk.picture('bench-beside')
    await page.keyboard.press('Escape')
    await both.waitFor({ state: 'detached' })

    await tabTo(page, '代码')
    await page.keyboard.press('Enter')
    const lines = bench.locator('.cm-line')
    await expect.poll(() => lines.count()).toBe(1)
    await tabTo(page, '排整齐')
    await page.keyboard.press('Enter')
    await expect.poll(() => lines.count()).toBeGreaterThan(10)
    await page.keyboard.press('Control+z')
    await expect.poll(() => lines.count()).toBe(1)
  })

  it('finds parts by their pinyin, and stores widgets for other pages', async () => {
    const desk = await stage.signedIn('admin', `/pages/admin/page/design?path=${FORM}`, DESK)
    const { page } = desk
    const bench = page.locator('.wb')
    const things = bench.locator('.wb-thing')
    const wanted = bench.getByRole('textbox', { name: '查找组件或字段' })
    await wanted.fill('pingfen')
    await things.getByText('评分', { exact: true }).click()
    await bench.getByRole('status').getByText('评分').waitFor()
    await bench.getByRole('button', { name: '存为常用块' }).click()
    await hears(desk, '已存为常用块“评分”，在“组件”里')
    await bench.getByRole('button', { name: '放弃草稿' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()

    await goTo(desk, '/pages/admin/page/design?path=/pages/customer/my/index')
    await wanted.fill('pf')
    await bench.getByRole('button', { name: '去掉常用块 评分' }).waitFor()
    await things.getByText('评分', { exact: true }).first().click()
    await bench.getByRole('status').getByText('评分').waitFor()
    await desk.picture('bench-palette')
    const frame = bench.locator('[data-frame]')
    await bench.getByRole('button', { name: '1280', exact: true }).click()
    await frame.locator('[role=table], [role=grid], table').first().waitFor()
    await desk.picture('bench-desk')
    await frame.click({ position: { x: 400, y: 400 } })
    await bench.getByRole('button', { name: '390', exact: true }).click()
    await frame.locator('[role=table], [role=grid], table').waitFor({ state: 'detached' })
    await bench.getByRole('button', { name: '去掉常用块 评分' }).click()
    await bench.getByRole('button', { name: '去掉常用块 评分' }).waitFor({ state: 'detached' })
    await wanted.fill('save-bar')
    await things.getByText('form/save-bar').click()
    await bench.getByRole('textbox', { name: '传给片段的参数' }).waitFor()
    await desk.picture('bench-fragment')
    await bench.getByRole('button', { name: '代码', exact: true }).click()
    await wanted.click()
    const typed = bench.locator('.cm-line').filter({ hasText: /"type": "(action-bar|list)"/ })
    await typed
      .locator('span')
      .getByText(/^"(action-bar|list)"$/)
      .first()
      .hover()
    await bench.locator('.wb-meaning').waitFor()
    await desk.picture('bench-meaning')
  })

  it('reverts to a version together with everything that was published with later ones', async () => {
    const desk = await stage.signedIn('admin', ABOUT, DESK)
    let sent = 0
    const send = (url: string, body: Row) => {
      sent += 1
      return ask(desk, url, { ...body, clientToken: `together-${sent}` })
    }
    const path = '/pages/x/together'
    await send('/engine/web/page/publish', { path, base: 0, document: PLAYED })
    const { id } = await send('/engine/web/changeset/save', { title: '展会' })
    const form = { label: '展馆', kind: 'text' }
    await send('/engine/web/changeset/put', {
      id,
      kind: 'field',
      change: { module: 'customer', name: '', form },
    })
    const widgetList = PLAYED.widgetList.slice(0, 2)
    const document = { ...PLAYED, widgetList }
    await send('/engine/web/changeset/put', { id, kind: 'page', change: { path, base: 1, document } })
    await send('/engine/web/changeset/publish', { id })
    const labels = async () =>
      JSON.stringify(
        await desk.page.evaluate(async () => {
          const headers = { Authorization: localStorage.getItem('token') ?? '' }
          return (await fetch('/engine/web/field/list?module=customer', { headers })).json()
        }),
      )
    expect(await labels()).toContain('展馆')

    await goTo(desk, `/pages/admin/page/design?path=${path}`)
    const bench = desk.page.locator('.wb')
    await bench.getByRole('tab', { name: '版本' }).click()
    await bench.getByText('和发布单“展会”一起发布：客户：新增字段“展馆”').waitFor()
    const versions = bench
      .getByRole('listitem')
      .filter({ has: desk.page.getByRole('heading', { name: '版本 1' }) })
    await versions.getByRole('button', { name: '回到这一版' }).click()
    const asked = bench.getByRole('dialog', { name: '回到版本 1' })
    await asked.getByText('和发布单“展会”一起发布：客户：新增字段“展馆”').waitFor()
    await desk.picture('versions-together')
    await asked.getByRole('button', { name: '一起撤回' }).click()
    await hears(desk, '已回到版本 1')
    await bench.locator('.wb-paper').getByRole('button', { name: '发送', includeHidden: true }).waitFor()
    expect(await labels()).not.toContain('展馆')

    // Before its first version an own page did not exist.
    await bench.getByRole('button', { name: '撤下这一页' }).click()
    await desk.page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
    await hears(desk, '已撤下')
    await bench.getByRole('heading', { name: '新页面' }).waitFor()
    await bench.getByText('没有这一页当前').waitFor()
  })

  it('shows a second person both versions on their phone for approval, and publishes what they saw', async () => {
    const desk = await stage.signedIn('admin', '/pages/admin/tenant/index', DESK)
    await makeImplementer(desk, 'finance')
    await field(desk.page, 'second_publisher').getByRole('switch').click()
    await button(desk.page, '保存').click()
    await hears(desk, '已保存')
    const bench = desk.page.locator('.wb')
    await goTo(desk, '/pages/admin/page/design?path=/pages/product/add')
    await bench.getByRole('button', { name: '单行文本' }).click()
    await bench.getByRole('textbox', { name: '标签', exact: true }).fill(LONG)
    await bench.getByRole('button', { name: '发布', exact: true }).click()
    await bench.getByRole('button', { name: '放进发布单' }).click()
    await hears(desk, '已放进')
    const [set] = (await ask(desk, '/engine/web/changeset/list', {})).list as Row[]
    await goTo(desk, `/pages/admin/page/set?id=${set?.id}`)
    await button(desk.page, '申请发布…').click()
    await desk.page.getByRole('dialog').getByRole('button', { name: '申请发布', exact: true }).click()
    await hears(desk, '已申请')
    expect(await button(desk.page, '批准并发布').count()).toBe(0)

    const phone = await stage.signedIn('finance', '/pages/my/message/index')
    const other = phone.page.locator('.wb')
    await inSight(phone.page).getByText('有发布单等您批准').first().click()
    await arrive(phone, '/pages/admin/page/set')
    await phone.picture('second-set')
    await button(phone.page, '看页面').click()
    await arrive(phone, '/pages/admin/page/look')
    const side = (name: string) => other.getByRole('region', { name, exact: true })
    await side('发布以后').getByText(LONG).waitFor()
    await phone.picture('second-after')
    await other.getByRole('button', { name: '现在', exact: true }).click()
    await side('现在').getByText('产品名称').first().waitFor()
    expect(await side('发布以后').isVisible()).toBe(false)
    await phone.picture('second-now')
    await other.getByRole('button', { name: '改动', exact: true }).click()
    await other.getByRole('complementary', { name: '改动' }).getByText(`新增“${LONG}”`).waitFor()
    await phone.picture('second-changes')
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await other.getByRole('button', { name: '返回' }).click()
    await button(phone.page, '批准并发布').click()
    await phone.page.getByRole('button', { name: '确定' }).click()
    await hears(phone, '已批准')
    await goTo(desk, '/pages/product/add')
    await inSight(desk.page).getByText(LONG).waitFor()
  })
})

const LONG = '展会上的展位号和展馆的完整名称（含楼层）'

const PLAYED = {
  formConfig: {
    jsonVersion: -3,
    layoutType: 'H5',
    page: { title: '来访' },
    dataSources: [{ uniqueName: 'send', requestURL: '/mini/customer/list', requestMethod: 'post' }],
  },
  widgetList: [
    { type: 'input', formItemFlag: true, options: { name: 'who', label: '来访人' } },
    { type: 'static-text', options: { name: 'me', textContent: '是谁：{{ user.name | default:没有人 }}' } },
    {
      type: 'button',
      options: { name: 'go', label: '发送', on: { click: [{ do: 'request', dsName: 'send' }] } },
    },
  ],
}

const TOOLS_PATH = '/pages/x/tools'
/** On one line, unusually: it stays so until somebody expands it. */
const TOOLS = {
  formConfig: {
    jsonVersion: -3,
    layoutType: 'H5',
    cssCode: '.faint { color: #ccc; }',
    page: { title: '工具' },
    dataSources: [
      {
        uniqueName: 'rows',
        requestURL: '/mini/product/list',
        requestMethod: 'post',
        paging: { items: 'list' },
      },
    ],
  },
  widgetList: [
    { type: 'input', formItemFlag: true, options: { name: 'who', label: '来访人' } },
    { type: 'static-text', options: { name: 'pale', textContent: '很浅的字', customClass: 'faint' } },
    {
      type: 'list',
      category: 'container',
      options: { name: 'list', dsName: 'rows', empty: '还没有' },
      widgetList: [{ type: 'static-text', options: { name: 'line', textContent: '{{ row.name }}' } }],
    },
    { type: 'button', options: { name: 'go', label: '发送' } },
  ],
}
