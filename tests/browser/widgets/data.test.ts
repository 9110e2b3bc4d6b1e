import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { aDocument, aWidget } from '../../support/a-page.ts'
import { seriousFaults } from '../../support/axe.ts'
import { type OpenStage, openStage, type StagePhone } from '../stage/open-stage.ts'

let stage: OpenStage
let phone: StagePhone
beforeAll(async () => {
  stage = await openStage()
  phone = await stage.phone()
})
afterAll(() => stage.close())

const URL = '/mini/customer/list'
const DETAIL = '/mini/customer/detail'
const value = (name: string) => phone.page.evaluate((at) => window.stage.engine().values()[at], name)
const calls = async () => (await phone.asked()).filter(([what]) => what === 'send').map(([, , body]) => body)
const cards = () => phone.page.locator('[data-widget="list"] .vf-card:not(.vf-skeleton)')

describe('a board', () => {
  const card = aWidget('static-text', 'card', { textContent: '{{ row.name }}' })
  const board = aDocument([
    aWidget('board', 'columns', { bind: 'data.board' }, { category: 'container', widgetList: [card] }),
  ])

  it('is grey in the shape of its columns while they are loading, and shows a text if there are none', async () => {
    await phone.show(board)
    await phone.page.locator('.vf-skeleton').first().waitFor()
    const tops = await phone.page
      .locator('.vf-skeleton')
      .evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top))
    expect([tops.length, new Set(tops).size]).toEqual([5, 1])
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

    await phone.page.evaluate(() => window.stage.engine().setData('board', []))
    await phone.page.getByText('暂无数据').waitFor()

    expect(await phone.page.locator('.vf-skeleton').count()).toBe(0)
  })
})

describe('a list', () => {
  it('of labelled values begins where the title of its group does', async () => {
    const row = aWidget('descriptions', 'row', { items: [{ label: '金额', text: '{{ row.amount }}' }] })
    const list = aWidget('list', 'lines', { bind: 'data.lines', rowKey: '#', flat: true })
    const nested = { ...list, category: 'container', widgetList: [row] }
    const group = aWidget('cell-group', 'group', { label: '明细', inset: true })
    await phone.show(aDocument([{ ...group, category: 'container', widgetList: [nested] }]))
    await phone.page.evaluate(() => window.stage.engine().setData('lines', [{ amount: 1 }, { amount: 2 }]))
    const left = (selector: string) =>
      phone.page
        .locator(selector)
        .first()
        .evaluate((it) => it.getBoundingClientRect().left)

    await phone.page.getByText('金额').first().waitFor()
    expect(await left('dt')).toBe(await left('h3'))
  })

  it('shows grey cards, then rows, then more rows near the end, then that the list has ended', async () => {
    const open = phone.show(listPage(), {
      answers: { [URL]: [page(0, 20, 'a'), page(20, 20, 'b'), page(40, 5)] },
      delayMs: 200,
    })
    await phone.page.locator('.vf-skeleton').first().waitFor()
    await open
    await phone.page.getByText('客户 0', { exact: true }).waitFor()

    for (const sight of ['客户 19', '客户 39', '客户 44']) {
      await expect.poll(() => scrollUntil(sight)).toBe(true)
    }
    await phone.page.getByText('没有更多了').waitFor()

    expect((await calls()).map((body) => (body as JsonObject).cursor ?? null)).toEqual([null, 'a', 'b'])
    expect(await cards().count()).toBeLessThan(30)
    await phone.picture('widgets-list-end')
  })

  it('draws a row once, however far the user scrolls', async () => {
    await phone.show(listPage(), { answers: { [URL]: [page(0, 200)] } })
    await phone.page.getByText('客户 0', { exact: true }).waitFor()
    const lastIndex = () =>
      phone.page.evaluate(() =>
        Math.max(
          ...Array.from(document.querySelectorAll<HTMLElement>('[data-index]'), (at) =>
            Number(at.dataset.index),
          ),
        ),
      )
    const before = await lastIndex()
    await phone.draws()

    for (let step = 0; step < 8; step++) await phone.page.mouse.wheel(0, 90)
    await expect.poll(lastIndex).toBeGreaterThan(before + 5)

    const { title = 0 } = await phone.draws()
    expect(title).toBeLessThanOrEqual((await lastIndex()) - before)
  })

  it.each([
    ['cards of a phone', 390, 0],
    ['cards of a phone, scrolled to the middle', 390, 2000],
    ['cards of a phone, scrolled to the end', 390, 1e6],
    ['a table at a desk', 1440, 0],
  ])('is complete on paper, and as before on the screen afterwards: %s', async (_, width, down) => {
    const columns = [{ name: 'name', label: '名称', text: '{{ row.name }}', width: 200 }]
    await phone.page.setViewportSize({ width, height: 844 })
    await phone.show(listPage({ columns }), { answers: { [URL]: [page(0, 60)] } })
    await phone.page.getByText('客户 0', { exact: true }).waitFor()
    const screen = () =>
      phone.page.evaluate(() =>
        Array.from(
          document.querySelectorAll<HTMLElement>('[data-index]'),
          (row) => `${row.innerText.trim()} at ${Math.round(row.getBoundingClientRect().top)}`,
        ),
      )
    const calm = () => phone.page.waitForTimeout(300)
    for (let turn = 0; turn < 3; turn++) {
      await phone.page.evaluate((top) => window.scrollTo(0, top), down)
      await calm()
    }
    const before = await screen()
    expect(before.length).toBeLessThan(40)
    await countOnPaper()

    await phone.page.pdf()

    expect(await rowsOnPaper()).toEqual([60])
    await expect.poll(screen).toEqual(before)
    await phone.page.setViewportSize({ width: 390, height: 844 })
  })

  it.each([
    ['cards of a phone', 390],
    ['a table at a desk', 1440],
  ])('says at the end of the paper that only the loaded rows are on it: %s', async (_, width) => {
    const columns = [{ name: 'name', label: '名称', text: '{{ row.name }}', width: 200 }]
    await phone.page.setViewportSize({ width, height: 844 })
    await phone.show(listPage({ columns }), { answers: { [URL]: [page(0, 60, 'next')] } })
    await phone.page.getByText('客户 0', { exact: true }).waitFor()
    const end = () => phone.page.locator('.vf-rows-end').innerText()
    expect(await end()).toBe('加载中…')
    await countOnPaper()

    await phone.page.pdf()

    expect(await endOnPaper()).toEqual(['仅打印已加载的 60 条，后面还有'])
    expect(await end()).toBe('加载中…')
    await phone.show(listPage({ columns }), { answers: { [URL]: [page(0, 60)] } })
    await phone.page.getByText('客户 0', { exact: true }).waitFor()
    await countOnPaper()
    await phone.page.pdf()
    expect(await endOnPaper()).toEqual(['没有更多了'])
    await phone.page.setViewportSize({ width: 390, height: 844 })
  })

  it('of a desk stays a table on paper, which is narrower than the window', async () => {
    const columns = [{ name: 'name', label: '名称', text: '{{ row.name }}', width: 200 }]
    await phone.page.setViewportSize({ width: 1440, height: 844 })
    await phone.show(listPage({ columns }), { answers: { [URL]: [page(0, 60)] } })
    await phone.page.getByText('客户 0', { exact: true }).waitFor()
    await phone.page.evaluate(() => {
      const drawn = new MutationObserver(() => {
        if (document.querySelector('.vf-card') !== null) Object.assign(window, { cardsOnPaper: true })
      })
      drawn.observe(document.body, { childList: true, subtree: true })
    })

    await phone.page.pdf()

    expect(await phone.page.evaluate(() => 'cardsOnPaper' in window)).toBe(false)
    await phone.page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => phone.page.evaluate(() => 'cardsOnPaper' in window)).toBe(true)
  })

  it('is complete on paper within another list of widgets that is drawn for the paper', async () => {
    const list = aWidget('list', 'inner', { bind: 'data.home' }, { category: 'container' })
    const row = aWidget('static-text', 'title', { textContent: '{{ row.name }}' })
    const inputs = Array.from({ length: 200 }, (_, i) => aWidget('input', `f${i}`))
    await phone.show(aDocument([...inputs, { ...list, widgetList: [row] }]))
    await phone.page.evaluate(() => {
      const home = Array.from({ length: 60 }, (_, i) => ({ id: `r${i}`, name: `客户 ${i}` }))
      window.stage.engine().setData('home', home)
    })
    await phone.page.locator('[data-field]').first().waitFor()
    expect(await cards().count()).toBe(0)
    await countOnPaper()

    await phone.page.pdf()

    expect(await rowsOnPaper()).toEqual([60])
  })

  it('renders the buttons of a row at the first touch or focus', async () => {
    const swipe = [{ name: 'del', label: '删除', tone: 'danger' }]
    const on = { rowClick: [{ do: 'toast', text: 'opened' }], swipe: [{ do: 'toast', text: 'deleted' }] }
    await phone.show(listPage({ swipe, on }), { answers: { [URL]: [page(0, 3)] } })
    await phone.page.locator('.vf-swipe').first().waitFor()
    const buttons = phone.page.getByRole('button', { name: '删除' })
    expect(await buttons.count()).toBe(0)

    await phone.page.getByRole('link').nth(1).focus()
    await phone.page.keyboard.press('Tab')
    await phone.page.keyboard.press('Enter')

    await expect.poll(() => phone.asked()).toContainEqual(['toast', 'deleted'])
    expect(await buttons.count()).toBe(1)
  })

  it.each([
    ['a card', 390],
    ['a line of a table', 1440],
  ])('opens only rows that have what `opens` names: %s', async (_, width) => {
    const columns = [{ name: 'name', label: '名称', text: '{{ row.name }}', width: 200 }]
    const options = {
      opens: 'score',
      columns,
      on: { rowClick: [{ do: 'toast', text: 'opened {{ row.name }}' }] },
    }
    await phone.page.setViewportSize({ width, height: 844 })
    await phone.show(listPage(options), {
      answers: {
        [URL]: [
          {
            list: [
              { id: 'a', name: '客户 0' },
              { id: 'b', name: '客户 1', score: 3 },
            ],
            nextCursor: null,
          },
        ],
      },
    })
    const shut = phone.page.getByText('客户 0', { exact: true }).last()
    await shut.click()
    await phone.page.getByText('客户 1', { exact: true }).last().click()

    await expect.poll(() => phone.asked()).toContainEqual(['toast', 'opened 客户 1'])
    expect(await phone.asked()).not.toContainEqual(['toast', 'opened 客户 0'])
    expect(await phone.page.locator('.vf-pressable').count()).toBe(1)
    await phone.page.setViewportSize({ width: 390, height: 844 })
  })

  it('selects rows after a long press, all or some, keeps them in the data, and ends', async () => {
    const picked = () => phone.page.evaluate(() => window.stage.engine().scope().data.picked)
    await phone.show(listPage({ selection: 'picked', on: { rowClick: [{ do: 'toast', text: 'opened' }] } }), {
      answers: { [URL]: [page(0, 4)] },
    })
    const card = phone.page.getByText('客户 1', { exact: true })
    await card.waitFor()

    await card.click({ delay: 500 })
    await phone.page.getByRole('checkbox', { name: '选择 客户 3' }).check({ force: true })
    await phone.page.waitForTimeout(50)
    await phone.picture('widgets-list-selection')

    expect(await phone.asked()).not.toContainEqual(['toast', 'opened'])
    expect(await picked()).toMatchObject([{ name: '客户 1' }, { name: '客户 3' }])
    await phone.page.getByText('已选 2 项').waitFor()
    await phone.page.getByRole('button', { name: '全选' }).click()
    expect(await picked()).toHaveLength(4)
    await phone.page.getByRole('button', { name: '取消全选' }).click()
    expect(await picked()).toEqual([])
    expect(await seriousFaults(phone.page)).toEqual([])
    await phone.page.getByRole('button', { name: '完成' }).click()
    expect(await picked()).toBe(null)
    await card.click()
    expect(await phone.asked()).toContainEqual(['toast', 'opened'])
  })

  it('selects no rows while it is disabled, and opens them as usual', async () => {
    const disabling = listPage({
      selection: 'picked',
      disabledOn: { '==': [{ var: 'data.tab' }, 'done'] },
      on: { rowClick: [{ do: 'toast', text: 'opened' }] },
    })
    await phone.show(disabling, { answers: { [URL]: [page(0, 4)] } })
    const card = phone.page.getByText('客户 1', { exact: true })
    await card.waitFor()
    await phone.page.evaluate(() => window.stage.engine().setData('tab', 'done'))
    await card.click({ delay: 500 })

    expect(await phone.page.getByRole('checkbox').count()).toBe(0)
    expect(await phone.page.evaluate(() => window.stage.engine().scope().data.picked)).toBeUndefined()
    expect(await phone.asked()).toContainEqual(['toast', 'opened'])

    await phone.page.evaluate(() => window.stage.engine().setData('tab', 'todo'))
    await card.click({ delay: 500 })
    await phone.page.getByRole('checkbox', { name: '选择 客户 3' }).waitFor({ state: 'attached' })
  })

  it('shows that it is empty, with an action', async () => {
    await phone.show(
      listPage({
        empty: '还没有客户',
        emptyAction: '新建',
        on: { emptyClick: [{ do: 'navigate', url: '/pages/add' }] },
      }),
      {
        answers: { [URL]: [page(0, 0)] },
      },
    )

    await phone.page.getByText('还没有客户').waitFor()
    await phone.page.getByRole('button', { name: '新建' }).click()

    expect(await phone.asked()).toContainEqual(['open', '/pages/add'])
  })

  it('shows that it could not be loaded, and retries', async () => {
    await phone.show(listPage(), { answers: { [URL]: [null, page(0, 2)] } })
    await phone.page.getByText('加载失败，请检查网络后重试').waitFor()

    await phone.page.getByRole('button', { name: '重试' }).click()

    await phone.page.getByText('客户 1', { exact: true }).waitFor()
  })

  it('whose next rows were lost loads them after the first ones are read again', async () => {
    const answers = [page(0, 3, '3'), null, page(0, 3, '3'), page(3, 2)]
    await phone.show(listPage(), { answers: { [URL]: answers }, delayMs: 200 })
    await phone.page.getByRole('button', { name: '加载失败，点此重试' }).waitFor()

    await phone.page.evaluate(() => window.stage.engine().refresh('customers'))

    await phone.page.getByText('客户 4', { exact: true }).waitFor()
    expect((await calls()).map((body) => (body as JsonObject).cursor ?? null)).toEqual([null, '3', null, '3'])
  })

  it('shows that the server failed, with the server’s text or a default, and does not blame the network', async () => {
    const WORDS = '系统出错了，请稍后重试（编号 1a2b3c4d）'
    await phone.show(listPage(), { answers: { [URL]: [{ fault: WORDS }, { fault: '' }, page(0, 2)] } })
    await phone.page.getByText(WORDS).waitFor()
    await phone.picture('list-server-failed')

    await phone.page.getByRole('button', { name: '重试' }).click()
    await phone.page.getByText('服务器出错了，请稍后重试').waitFor()
    expect(await phone.page.getByText('网络').count()).toBe(0)
    await phone.page.getByRole('button', { name: '重试' }).click()

    await phone.page.getByText('客户 1', { exact: true }).waitFor()
  })

  it('keeps figures, a chart and rows of one answer grey until it arrives, and shows none of them as empty on failure', async () => {
    const RANK = '/mini/stats/rank'
    const rank = { uniqueName: 'rank', requestURL: RANK, requestMethod: 'get', auto: true }
    const line = aWidget('static-text', 'name', { textContent: '{{ row.name }} 名' })
    const document = aDocument(
      [
        aWidget('stat-grid', 'figures', { items: [{ label: '合计', bind: 'data.rank.total' }] }),
        aWidget('chart', 'chart', {
          label: '趋势',
          empty: '没有图',
          rowsBind: 'data.rank.rows',
          labelKey: 'name',
          series: [{ name: '金额', key: 'n' }],
        }),
        aWidget(
          'list',
          'rows',
          { bind: 'data.rank.rows', rowKey: 'name', empty: '没有行' },
          { category: 'container', widgetList: [line] },
        ),
      ],
      { dataSources: [rank] },
    )
    await phone.show(document, {
      answers: { [RANK]: [null, { refused: '统计正在重算' }, { total: 7, rows: [{ name: '王芳', n: 7 }] }] },
      delayMs: 300,
    })
    expect(await phone.page.locator('.vf-skeleton').count()).toBe(3)
    await expect.poll(() => phone.page.getByText('加载失败，请检查网络后重试').count()).toBe(2)
    await phone.page.getByRole('button', { name: '加载失败，点此重试' }).click()
    await expect.poll(() => phone.page.getByText('统计正在重算').count()).toBe(3)
    expect(await phone.page.getByText(/没有图|没有行/).count()).toBe(0)

    await phone.page.getByRole('button', { name: '重试' }).last().click()

    await phone.page.getByText('王芳 名').waitFor()
    expect(await phone.page.getByText('统计正在重算').count()).toBe(0)
    await phone.page.locator('.vf-chart img').waitFor()
  })

  it('beside a missing record shows the reason instead, until the record is loaded', async () => {
    await phone.show(recordPage(), {
      answers: { [DETAIL]: [{ refused: '记录不存在或无权查看' }, null, { name: '星海' }] },
      delayMs: 50,
    })
    await phone.page.getByText('记录不存在或无权查看').waitFor()
    expect(await phone.page.getByText('名称').count()).toBe(0)

    await phone.page.getByRole('button', { name: '重试' }).click()
    await phone.page.getByText('加载失败，请检查网络后重试').waitFor()
    await phone.page.getByRole('button', { name: '重试' }).click()

    await phone.page.getByText('名称 星海').waitFor()
  })

  it('beside a missing record keeps what was typed readable, below the reason', async () => {
    const answers = { [DETAIL]: [{ refused: '该客户已被删除' }] }
    const shown = phone.show(recordPage([aWidget('textarea', 'remark', { label: '备注' })]), {
      answers,
      delayMs: 800,
    })
    await phone.page.getByRole('textbox', { name: '备注' }).fill('李总说预算三十万')
    await shown

    await phone.page.getByText('该客户已被删除').waitFor()
    expect(await phone.page.getByRole('textbox', { name: '备注' }).inputValue()).toBe('李总说预算三十万')
    expect(await phone.page.getByRole('textbox', { name: '备注' }).isVisible()).toBe(true)
  })

  it('moves what it keeps grey by opacity alone, which costs the main thread nothing, and not at all for users who prefer that', async () => {
    const moving = () =>
      phone.page.evaluate(() =>
        document
          .getAnimations()
          .flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes().flatMap(Object.keys))
          .filter((name) => !['offset', 'computedOffset', 'easing', 'composite'].includes(name)),
      )
    const pages: readonly [JsonObject, string, string][] = [
      [recordPage(), DETAIL, '[data-awaits~="first"] .vf-text'],
      [listPage(), URL, '.vf-skeletons'],
    ]
    for (const [document, url, grey] of pages) {
      await phone.show(document, { answers: { [url]: [{ list: [] }] }, delayMs: 600_000 })
      await phone.page.locator(grey).first().waitFor()

      expect(new Set(await moving())).toEqual(new Set(['opacity']))
      await phone.page.emulateMedia({ reducedMotion: 'reduce' })
      expect(await moving()).toEqual([])
      await phone.page.emulateMedia({ reducedMotion: null })
    }
  })

  it('opens a row by a tap and by the keyboard', async () => {
    const on = { rowClick: [{ do: 'navigate', url: '/pages/detail?id={{ row.id }}' }] }
    await phone.show(listPage({ on }), { answers: { [URL]: [page(0, 3)] } })

    await cards().nth(1).click()
    await cards().nth(2).focus()
    await phone.page.keyboard.press('Enter')

    expect(await phone.asked()).toEqual(
      expect.arrayContaining([
        ['open', '/pages/detail?id=1'],
        ['open', '/pages/detail?id=2'],
      ]),
    )
  })

  it('reloads when its inputs change, and uses the answer of the last request', async () => {
    await phone.show(listPage(), { answers: { [URL]: [page(0, 1), page(10, 1), page(20, 1)] }, delayMs: 60 })
    await phone.page.getByText('客户 0', { exact: true }).waitFor()

    await phone.page.getByRole('tab', { name: '乙' }).click()
    await phone.page.getByRole('tab', { name: '丙' }).click()

    await phone.page.getByText('客户 20', { exact: true }).waitFor()
    await phone.page.waitForTimeout(150)
    expect(await cards().count()).toBe(1)
    expect(await phone.page.getByText('客户 20', { exact: true }).count()).toBe(1)
    expect((await calls()).map((body) => (body as JsonObject).tab)).toEqual(['a', 'b', 'c'])
  })

  it('comes from the cache when the user switches back, and from the server after a refresh', async () => {
    await phone.show(listPage(), { answers: { [URL]: [page(0, 1), page(10, 1), page(30, 1)] } })
    await phone.page.getByText('客户 0', { exact: true }).waitFor()
    await phone.page.getByRole('tab', { name: '乙' }).click()
    await phone.page.getByText('客户 10', { exact: true }).waitFor()
    await phone.page.getByRole('tab', { name: '甲' }).click()
    await phone.page.getByText('客户 0', { exact: true }).waitFor()
    expect(await calls()).toHaveLength(2)

    await phone.page.evaluate(() => window.stage.engine().refresh('customers'))

    await phone.page.getByText('客户 30', { exact: true }).waitFor()
  })
})

describe('data that arrives late', () => {
  it('updates numbers, descriptions and tiles that were drawn before', async () => {
    const items: Json = [{ name: 'a', label: '新增客户', bind: 'data.home.customer' }]
    const rows: Json = [{ label: '电话', bind: 'data.home.phone' }]
    await phone.show(
      aDocument([
        aWidget('stat-grid', 's', {
          label: '',
          items,
          animate: false,
          on: { itemClick: [{ do: 'toast', text: '{{ row.name }}' }] },
        }),
        aWidget('descriptions', 'd', { label: '', items: rows }),
      ]),
    )
    expect(await phone.page.locator('[data-widget="stat-grid"]').textContent()).toContain('—')

    await phone.page.evaluate(() =>
      window.stage.engine().setData('home', { customer: [0, 36, 30], phone: '13800138000' }),
    )

    await phone.page.getByText('36', { exact: true }).click()
    await phone.page.getByText('13800138000').waitFor()
    expect(await phone.asked()).toContainEqual(['toast', 'a'])
  })
})

describe('a phone number', () => {
  it('is called by a tap, and is plain text while it is masked', async () => {
    const items: Json = [{ label: '电话', bind: 'data.home.phone', dial: true }]
    await phone.show(aDocument([aWidget('descriptions', 'd', { label: '', items })]))
    const shows = (number: string) =>
      phone.page.evaluate((one) => window.stage.engine().setData('home', { phone: one }), number)

    await shows('138****8000')
    await phone.page.getByText('138****8000').waitFor()
    expect(await phone.page.getByRole('button').count()).toBe(0)

    await shows('13800138000')
    await phone.page.getByRole('button', { name: '13800138000' }).click()
    expect(await phone.asked()).toContainEqual(['dial', '13800138000'])
  })
})

describe('numbers in tiles', () => {
  it('show an amount at once, and animate a count', async () => {
    const items: Json = [
      { name: 'sum', label: '回款', bind: 'data.home.sum', filter: 'money' },
      { name: 'count', label: '新增', bind: 'data.home.count' },
    ]
    await phone.show(aDocument([aWidget('stat-grid', 's', { label: '', items })]))

    const seen = await phone.page.evaluate(async () => {
      const numbers = () => [...document.querySelectorAll('.vf-stat-number')].map((one) => one.textContent)
      const pictures: (string | null)[][] = []
      window.stage.engine().setData('home', { sum: [0, 980_000, 0], count: [0, 36, 30] })
      for (const end = performance.now() + 1_000; performance.now() < end; ) {
        await new Promise((frame) => requestAnimationFrame(frame))
        pictures.push(numbers())
      }
      return pictures
    })

    const after = seen.filter(([sum]) => sum !== '—')
    expect(new Set(after.map(([sum]) => sum)).size).toBe(1)
    expect(new Set(after.map(([, count]) => count)).size).toBeGreaterThan(2)
    expect(after.at(-1)?.[1]).toBe('36')
  })
})

describe('an answer that is still loading', () => {
  const page = () =>
    aDocument([aWidget('static-text', 't', { textContent: '负责人 {{ data.record.owner | default:无 }}' })], {
      dataSources: [
        { uniqueName: 'record', requestURL: URL, requestMethod: 'get', auto: true, needed: true },
      ],
    })
  const colour = () => phone.page.locator('.vf-text').evaluate((text) => getComputedStyle(text).color)

  it('hides texts of a record that the page requires', async () => {
    const late = { answers: { [URL]: [{ data: { name: '甲' } }] }, delayMs: 1_500 }
    const shown = phone.show(page(), late)
    await expect.poll(colour).toBe('rgba(0, 0, 0, 0)')
    await shown
    await expect.poll(colour).not.toBe('rgba(0, 0, 0, 0)')
  })
})

describe('a search bar', () => {
  it('searches once, after a pause', async () => {
    await phone.show(listPage(), { answers: { [URL]: [page(0, 1)] } })
    await phone.page.getByText('客户 0', { exact: true }).waitFor()

    await phone.page.getByRole('searchbox').pressSequentially('星海科技', { delay: 20 })
    await phone.page.waitForTimeout(500)

    expect((await calls()).map((body) => (body as JsonObject).keyword)).toEqual(
      [undefined, '星海科技'].map((word) => word ?? ''),
    )
    await phone.page.getByRole('button', { name: '清除' }).click()
    expect(await value('keyword')).toBe('')
  })

  it.each([true, false])('has the focus if the page sets it (%s)', async (autofocus) => {
    await phone.show(aDocument([aWidget('search-bar', 'keyword', { autofocus })]))
    await phone.page.getByRole('searchbox').waitFor()

    expect(await phone.page.evaluate(() => document.activeElement?.tagName === 'INPUT')).toBe(autofocus)
  })
})

describe('pickers', () => {
  const items: Json = Array.from({ length: 20 }, (_, i) => ({ label: `选项${i}`, value: i }))

  it('are loaded when they are first opened; a choice closes them and returns the focus', async () => {
    await phone.show(aDocument([aWidget('select', 's', { label: '来源', optionItems: items })]))
    expect(await phone.page.locator('.vf-sheet').count()).toBe(0)

    await phone.page.getByRole('combobox', { name: '来源' }).click()
    await phone.page.getByRole('searchbox').fill('选项17')
    await phone.page.getByRole('option').click()

    expect(await value('s')).toBe(17)
    await phone.page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(
      await phone.page
        .getByRole('combobox', { name: '来源' })
        .evaluate((face) => face === document.activeElement),
    ).toBe(true)
  })

  it('accept several values, and discard an unconfirmed choice', async () => {
    await phone.show(
      aDocument([aWidget('select', 's', { label: '标签', multiple: true, optionItems: items })]),
      { values: { s: [1] } },
    )

    await phone.page.getByRole('combobox').click()
    await phone.page.getByRole('option', { name: '选项2', exact: true }).click()
    await phone.page.keyboard.press('Escape')
    await phone.page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await value('s')).toEqual([1])
    await phone.page.getByRole('combobox').click()
    await phone.page.getByRole('option', { name: '选项2', exact: true }).click()
    await phone.page.getByRole('button', { name: '确定 (2)' }).click()

    expect(await value('s')).toEqual([1, 2])
  })

  it('store a date in the field’s own format', async () => {
    await phone.show(aDocument([aWidget('date', 'd', { label: '日期', format: 'yyyy年MM月dd日' })]), {
      values: { d: '2024年05月06日' },
    })

    await phone.page.getByRole('combobox').click()
    await phone.page.getByText('2024年', { exact: true }).waitFor()
    await phone.page.getByText('确定').click()

    expect(await value('d')).toBe('2024年05月06日')

    const stored = { label: '日期', format: 'YYYY-MM-DD', valueFormat: 'YYYYMMDD' }
    await phone.show(aDocument([aWidget('date', 'd', stored)]), { values: { d: '20240506' } })
    await phone.page.getByRole('combobox').click()
    await phone.page.getByText('2024年', { exact: true }).waitFor()
    await phone.page.getByText('确定').click()
    expect(await value('d')).toBe('20240506')
  })

  it('open the levels of a cascader', async () => {
    const areas: Json = [{ label: '浙江', value: 'zj', children: [{ label: '杭州', value: 'hz' }] }]
    await phone.show(aDocument([aWidget('cascader', 'c', { label: '地区', optionItems: areas })]))

    await phone.page.getByRole('combobox').click()
    await phone.page.getByRole('option', { name: '浙江' }).click()
    await phone.page.getByRole('option', { name: '杭州' }).click()

    expect(await value('c')).toEqual(['zj', 'hz'])
    expect(await phone.page.getByRole('combobox').textContent()).toContain('浙江/杭州')
  })
})

describe('pictures', () => {
  const field = aWidget('picture-upload', 'p', { label: '照片', limit: 1 })
  const picture = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('x') }

  it('are uploaded, shown, and deleted after confirmation', async () => {
    await phone.show(aDocument([field]), {
      uploaded: { name: 'a.png', url: 'data:image/png;base64,iVBORw0KGgo=' },
    })

    await phone.page.locator('input[type=file]').setInputFiles(picture)
    await phone.page.getByRole('button', { name: '查看a.png' }).waitFor()
    expect(await phone.page.locator('input[type=file]').count()).toBe(0)
    await phone.page.getByRole('button', { name: '删除a.png' }).click()

    await phone.page.locator('input[type=file]').waitFor({ state: 'attached' })
    expect(await value('p')).toEqual([])
    expect(await phone.asked()).toContainEqual(['modal', '您确定要删除吗？'])
  })

  it('stay after a failed upload, and can be uploaded again', async () => {
    await phone.show(aDocument([field]))

    await phone.page.locator('input[type=file]').setInputFiles(picture)
    await phone.page.getByRole('button', { name: '重试' }).waitFor()

    expect(await phone.asked()).toContainEqual(['toast', '上传失败，请检查网络'])
    expect(await value('p')).toEqual([])
  })

  it('of the wrong type are refused before any upload', async () => {
    await phone.show(aDocument([field]))

    await phone.page.locator('input[type=file]').setInputFiles({ ...picture, name: 'a.exe' })

    await expect.poll(() => phone.asked()).toEqual([['toast', '文件类型不支持']])
  })
})

describe('a sheet', () => {
  it('opens by an action and closes by its button', async () => {
    const sheet = aWidget(
      'sheet',
      'filters',
      { label: '筛选' },
      { category: 'container', widgetList: [aWidget('input', 'inside', { label: '里面' })] },
    )
    const button = aWidget('button', 'b', {
      label: '打开',
      on: { click: [{ do: 'openSheet', name: 'filters' }] },
    })
    await phone.show(aDocument([button, sheet]))
    expect(await phone.page.getByLabel('里面').count()).toBe(0)

    await phone.page.getByRole('button', { name: '打开' }).click()
    await phone.page.getByLabel('里面').fill('值')
    await phone.page.getByRole('button', { name: '关闭' }).click()

    await phone.page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await value('inside')).toBe('值')
  })
})

it('nothing was logged to the console', () => {
  expect(phone.complaints()).toEqual([])
})

/** One step, less than a screen: the rows of a page that has come meanwhile are not jumped over. @returns true if the text is there */
/** Counts the rows when the browser prints, after the page has prepared for it. */
const countOnPaper = () =>
  phone.page.evaluate(() => {
    const rows: number[] = []
    const ends: (string | undefined)[] = []
    Object.assign(window, { rowsOnPaper: rows, endOnPaper: ends })
    const count = () => {
      rows.push(document.querySelectorAll('[data-index]').length)
      ends.push(document.querySelector<HTMLElement>('.vf-rows-end')?.innerText)
    }
    window.addEventListener('beforeprint', () => count(), { once: true })
  })
const rowsOnPaper = () =>
  phone.page.evaluate(() => (window as unknown as { rowsOnPaper: readonly number[] }).rowsOnPaper)
const endOnPaper = () =>
  phone.page.evaluate(() => (window as unknown as { endOnPaper: readonly string[] }).endOnPaper)

async function scrollUntil(sight: string): Promise<boolean> {
  const isThere = await phone.page.getByText(sight, { exact: true }).isVisible()
  if (!isThere) await phone.page.mouse.wheel(0, 300)
  return isThere
}

/** A page that depends on its record. */
function recordPage(more: readonly JsonObject[] = []): JsonObject {
  const record: Json = {
    uniqueName: 'detail',
    requestURL: DETAIL,
    requestMethod: 'get',
    auto: true,
    needed: true,
  }
  const title = aWidget('static-text', 'title', { textContent: '名称 {{ data.detail.name }}' })
  return aDocument([title, ...more], { dataSources: [record] })
}

function listPage(options: JsonObject = {}): JsonObject {
  const tabs: Json = ['a', 'b', 'c'].map((key, i) => ({ value: key, label: '甲乙丙'.charAt(i) }))
  const variable = (name: string, path: string): Json => ({ name, type: 'Variable', value: path })
  const dataSources: Json = [
    {
      uniqueName: 'customers',
      requestURL: URL,
      requestMethod: 'post',
      data: [
        variable('tab', 'form.tab'),
        variable('keyword', 'form.keyword'),
        variable('cursor', 'DSV.cursor'),
      ],
      paging: { items: 'list', cursor: 'cursor', next: 'nextCursor' },
    },
  ]
  const title = aWidget('static-text', 'title', { textContent: '{{ row.name }}' })
  return aDocument(
    [
      aWidget('search-bar', 'keyword', { label: '' }),
      aWidget('quick-tabs', 'tab', { label: '视图', defaultValue: 'a', optionItems: tabs }),
      aWidget(
        'list',
        'rows',
        { label: '', dsName: 'customers', ...options },
        { category: 'container', widgetList: [title] },
      ),
    ],
    { dataSources },
  )
}

function page(from: number, count: number, nextCursor: string | null = null): Json {
  return {
    list: Array.from({ length: count }, (_, i) => ({ id: String(from + i), name: `客户 ${from + i}` })),
    nextCursor,
  }
}
