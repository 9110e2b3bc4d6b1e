import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { aDocument, aWidget } from '../../support/a-page.ts'
import { seriousFaults } from '../../support/axe.ts'
import { type OpenStage, openStage, type StagePhone } from '../stage/open-stage.ts'
import type { StageWorld } from '../stage/ports.ts'
import { smallTargets } from './looks.ts'

let stage: OpenStage
let phone: StagePhone
beforeAll(async () => {
  stage = await openStage()
  phone = await stage.phone()
})
afterAll(() => stage.close())

const value = (name: string) => phone.page.evaluate((at) => window.stage.engine().values()[at], name)
const sheet = () => phone.page.getByRole('dialog')
const option = (name: string) => phone.page.getByRole('option', { name, exact: true })
const gone = () => sheet().waitFor({ state: 'detached' })
const items = (...labels: string[]): Json => labels.map((label) => ({ label, value: label }))
const show = (type: string, options: JsonObject, world: StageWorld = {}, formConfig: JsonObject = {}) =>
  phone.show(aDocument([aWidget(type, 'f', { label: '来源', ...options })], formConfig), world)
const open = async (...given: Parameters<typeof show>) => {
  await show(...given)
  await phone.page.getByRole('combobox', { name: '来源' }).click()
  await sheet().waitFor()
  await phone.page.waitForTimeout(350)
}
const looksRight = async () => {
  expect(await seriousFaults(phone.page)).toEqual([])
  expect(await smallTargets(phone.page, '[role="dialog"]')).toEqual([])
}

describe('chips', () => {
  it('show their complete pictures', async () => {
    await show('radio', { buttonStyle: true, optionItems: [{ label: '团队', value: 1, icon: 'team' }] })
    const picture = await phone.page.locator('.vf-choice-chip svg').boundingBox()
    const place = await phone.page.locator('.vf-choice-chip .vf-icon').boundingBox()
    expect(picture?.width).toBe(20)
    expect(place?.width).toBe(20)
  })

  it('clear the chosen one when it is tapped again, unless a choice is required', async () => {
    const tap = (name: string) => phone.page.getByRole('radio', { name }).click({ force: true })
    await show('radio', { buttonStyle: true, optionItems: items('展会', '广告') })
    await tap('展会')
    const chosen = await value('f')
    await tap('广告')
    const other = await value('f')
    await tap('广告')
    const none = await value('f')
    await phone.page.keyboard.press('Space')
    const byKey = await value('f')
    await show('radio', { buttonStyle: true, required: true, optionItems: items('展会', '广告') })
    await tap('展会')
    await tap('展会')

    expect([chosen, other, none, byKey, await value('f')]).toEqual(['展会', '广告', null, '广告', '展会'])
  })
})

describe('a chosen option that has been disabled since', () => {
  const dict = {
    source: [
      { label: '展会', value: 'a', disable: false },
      { label: '广告', value: 'b', disable: true },
      { label: '转介绍', value: 'c', disable: true },
    ],
  }
  const world = (chosen: Json): StageWorld => ({ dict, values: { f: chosen } })
  const labels = async () =>
    (await phone.page.locator('.vf-choices label').allTextContents()).map((label) => label.trim())

  it.each([
    ['radio', 'b'],
    ['checkbox', ['b']],
  ])('is marked among visible choices (%s)', async (type, chosen) => {
    await show(type, { dict: 'source', buttonStyle: true }, world(chosen))
    expect(await labels()).toEqual(['展会', '广告（已停用）', '转介绍'])
  })

  it('is marked in a closed field and in its sheet', async () => {
    await open('select', { dict: 'source', multiple: true }, world(['a', 'b']))
    expect(await phone.page.locator('.vf-option').allTextContents()).toEqual([
      '展会',
      '广告（已停用）',
      '转介绍',
    ])
    expect(await phone.page.getByRole('combobox', { name: '来源' }).textContent()).toBe(
      '展会、广告（已停用）',
    )
    await phone.picture('widgets-select-retired')
  })

  it('is marked at the end of a path', async () => {
    const children = [{ label: '配件', value: 'y', disable: true }]
    await show(
      'cascader',
      { optionItems: [{ label: '整机', value: 'x', children }] },
      { values: { f: ['x', 'y'] } },
    )
    expect(await phone.page.getByRole('combobox', { name: '来源' }).textContent()).toBe('整机/配件（已停用）')
  })

  it('is not marked if a rule of the page disables it now', async () => {
    await show('radio', { dict: 'source', itemStates: { a: { disabled: true } } }, world('a'))
    expect(await labels()).toEqual(['展会', '广告', '转介绍'])
  })
})

describe('a picker', () => {
  const HOOKS = ['onFocus', 'onConfirm', 'onChange', 'onBlur']
  const told = async () => (await phone.asked()).flatMap(([what, hook]) => (what === 'hook' ? [hook] : []))
  const coded = Object.fromEntries(HOOKS.map((hook) => [hook, ';']))

  it.each([
    [
      'select',
      { optionItems: items('展会') },
      () => option('展会').click(),
      ['onFocus', 'onChange', 'onBlur'],
    ],
    ['calendar', {}, () => phone.page.locator('[data-day]').nth(20).click(), HOOKS],
  ] as const)(
    'is blurred when its sheet closes, after the choice: %s',
    async (type, options, choose, order) => {
      await open(type, { ...options, ...coded, required: true })
      const early = [await told(), await phone.page.getByRole('alert').count()]

      await choose()
      await gone()
      await expect.poll(told).toEqual(order)
      await phone.page.keyboard.press('Tab')

      expect(early).toEqual([['onFocus'], 0])
      expect(await told()).toEqual(order)
    },
  )

  it('is blurred when its sheet is closed without a choice, and is then validated', async () => {
    await open('select', { optionItems: items('展会'), ...coded, required: true })

    await phone.page.keyboard.press('Escape')
    await gone()

    await phone.page.getByRole('alert').waitFor()
    expect(await told()).toEqual(['onFocus', 'onBlur'])
  })
})

it('shows a choice in the colour of its option, by meaning or by value', async () => {
  const optionItems = [
    { label: '紧急', value: 'a', color: 'danger' },
    { label: '蓝色', value: 'b', color: '#0000ff' },
    { label: '一般', value: 'c' },
  ]
  await show('radio', { optionItems, buttonStyle: true })
  const colours = await phone.page
    .locator('.vf-swatch')
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor))
  const words = await phone.page.getByText('一般').evaluate((one) => getComputedStyle(one).color)

  expect(colours).toEqual([expect.not.stringContaining(words), 'rgb(0, 0, 255)'])
})

describe('tabs', () => {
  it('do not scroll while the chosen tab is visible, and otherwise scroll to it with a part of the next', async () => {
    const labels = Array.from({ length: 12 }, (_, at) => `分类第${at}种`)
    await show('quick-tabs', { optionItems: items(...labels) })
    const strip = phone.page.getByRole('tablist')
    const scrolled = () => strip.evaluate((element) => element.scrollLeft)
    const tab = (at: number) => phone.page.getByRole('tab', { name: `分类第${at}种` })
    const edge = async (at: number) => {
      const [box, whole] = [await tab(at).boundingBox(), await strip.boundingBox()]
      return Math.round((whole?.width ?? 0) - (box?.x ?? 0) - (box?.width ?? 0))
    }

    await tab(2).click()
    await phone.page.waitForTimeout(100)
    expect(await scrolled()).toBe(0)

    await tab(4).evaluate((element: HTMLElement) => element.click())
    await expect.poll(() => edge(4)).toBe(32)
    await tab(11).evaluate((element: HTMLElement) => element.click())
    await expect.poll(() => edge(11)).toBe(0)
  })

  it('keep the chosen tab visible when counts before it arrive', async () => {
    const labels = Array.from({ length: 12 }, (_, at) => `分类第${at}种`)
    await show('quick-tabs', {
      optionItems: items(...labels),
      counts: 'data.counts',
      defaultValue: '分类第10种',
    })
    const end = () =>
      phone.page
        .getByRole('tab', { name: '分类第10种' })
        .evaluate((tab) => tab.getBoundingClientRect().right - innerWidth)
    await expect.poll(end).toBeLessThanOrEqual(0)

    const counts = Object.fromEntries(labels.slice(0, 9).map((label) => [label, 888]))
    await phone.page.evaluate((given) => window.stage.engine().setData('counts', given), counts)

    await phone.page.getByText('888').first().waitFor()
    await expect.poll(end).toBeLessThanOrEqual(0)
  })

  it('report a newly chosen tab, not a tap on the open one', async () => {
    const pane = (name: string): JsonObject => ({
      type: 'tab-pane',
      category: 'container',
      internal: true,
      options: { name, label: name },
      widgetList: [],
    })
    const tabs: Json = [pane('甲'), pane('乙')]
    await phone.show(
      aDocument([aWidget('tab', 't', { onTabbarChange: ';' }, { category: 'container', tabs })]),
    )
    const hooks = async () => (await phone.asked()).filter(([what]) => what === 'hook').length

    await phone.page.getByRole('tab', { name: '甲' }).click()
    await phone.page.getByRole('tab', { name: '乙' }).click()
    await phone.page.getByRole('tab', { name: '乙' }).click()

    expect(await hooks()).toBe(1)
  })
})

describe('a select', () => {
  it('filters its items while typing, and chooses one', async () => {
    await open('select', { filterable: true, optionItems: items('展会', '电话', '网站') })

    await phone.page.getByRole('searchbox').fill('电')
    expect(await phone.page.getByRole('option').allTextContents()).toEqual(['电话'])
    await option('电话').click()

    await gone()
    expect(await value('f')).toBe('电话')
  })

  it('shows the text beside it for a value that matches no item', async () => {
    const field = aWidget('select', 'who', { optionItems: items('展会'), namesAt: ['form.who'] })
    await phone.show(aDocument([field, aWidget('input', 'who_name', { hidden: true })]), {
      values: { who: 'c9', who_name: '云帆科技' },
    })

    expect(await phone.page.locator('[data-field="who"]').textContent()).toContain('云帆科技')
  })

  it('marks several up to the limit, and confirms them with the button', async () => {
    await open('select', { multiple: true, multipleLimit: 2, optionItems: items('展会', '电话', '网站') })

    await option('展会').click()
    await option('网站').click()
    expect(await option('电话').isDisabled()).toBe(true)
    await phone.picture('widgets-select-several')
    await looksRight()
    await phone.page.getByRole('button', { name: '确定 (2/2)' }).click()

    await gone()
    expect(await value('f')).toEqual(['展会', '网站'])
  })

  it('accepts new items if the page allows it', async () => {
    await open('select', { allowCreate: true, optionItems: items('展会') })

    await phone.page.getByRole('searchbox').fill('朋友介绍')
    await phone.picture('widgets-select-create')
    await phone.page.getByRole('option', { name: '添加“朋友介绍”' }).click()

    await gone()
    expect(await value('f')).toBe('朋友介绍')
    expect(await phone.page.getByRole('combobox').textContent()).toBe('朋友介绍')
  })

  it('creates several, and shows them among the items', async () => {
    await open('select', { allowCreate: true, multiple: true, optionItems: items('展会') })

    await phone.page.getByRole('searchbox').fill('老客户')
    await phone.page.getByRole('option', { name: '添加“老客户”' }).click()
    await phone.page.getByRole('searchbox').fill('')

    expect(await option('老客户').getAttribute('aria-selected')).toBe('true')
  })

  it('explains that values are typed if there is nothing to choose, accepts one after another, and loses none', async () => {
    await open('select', { allowCreate: true, multiple: true, optionItems: [] })
    const box = phone.page.getByRole('searchbox')
    expect(await box.getAttribute('placeholder')).toBe('输入后添加')
    expect(await phone.page.getByRole('status').textContent()).toBe('输入文字即可添加')

    await box.fill('甲')
    await phone.page.getByRole('option', { name: '添加“甲”' }).click()
    expect(await box.inputValue()).toBe('')
    await box.fill('乙')
    await box.press('Enter')
    await box.fill('甲')
    expect(await phone.page.getByRole('option').allTextContents()).toEqual(['甲', '乙'])
    await box.fill('没点的丙')
    await phone.page.getByRole('button', { name: '确定 (2)' }).click()

    await gone()
    expect(await value('f')).toEqual(['甲', '乙', '没点的丙'])
  })

  it('calls a remote source 300 ms after the last keystroke, and uses the answer of the last request', async () => {
    const dataSources = [
      {
        uniqueName: 'companies',
        requestURL: '/find',
        requestMethod: 'post',
        data: [{ name: 'q', type: 'Variable', value: 'DSV.search' }],
      },
    ]
    const options = { remote: true, dsEnabled: true, dsName: 'companies', labelKey: 'name', valueKey: 'id' }
    await open(
      'select',
      options,
      { answers: { '/find': [[], [{ id: 7, name: '星海科技' }], [{ id: 8, name: '星河' }]] } },
      { dataSources },
    )
    const asked = async () =>
      (await phone.asked()).filter(([what]) => what === 'send').map(([, , body]) => body)
    const before = (await asked()).length

    const early = await phone.page.getByRole('searchbox').evaluate(typeAndLook, ['星', '星海'])
    expect(early).toBe(before)
    await option('星海科技').click()

    await gone()
    expect((await asked()).slice(before)).toEqual([{ q: '星海' }])
    expect(await value('f')).toBe(7)
    expect(await phone.page.getByRole('combobox').textContent()).toBe('星海科技')
  })

  it('truncates a long text as specified, with the complete text as its title', async () => {
    const long = '华东地区年度重点客户答谢会（第三场）现场签到名单第一页'
    await show('select', { optionItems: items(long, '一二三四五六七八九十') }, { values: { f: long } })
    expect(await phone.page.locator('.vf-picker-text').textContent()).toBe(`${long.slice(0, 25)}...`)
    expect(await phone.page.getByRole('combobox').getAttribute('title')).toBe(long)

    await show(
      'select',
      { optionItems: items('一二三四五六七八九十') },
      { values: { f: '一二三四五六七八九十' } },
    )
    expect(await phone.page.locator('.vf-picker-text').textContent()).toBe('一二三四五六七八九十')
  })

  it('shows that there are no items, and shows items without a label', async () => {
    await open('select', { optionItems: [] })
    expect(await sheet().getByRole('status').textContent()).toBe('无选项')
    await open('select', { optionItems: [{ label: '', value: 1 }] })
    expect(await phone.page.getByRole('option').textContent()).toBe('未命名')
    await show('checkbox', { optionItems: [] })
    await phone.page.getByText('暂无数据').waitFor()
  })

  it('is usable by keyboard and returns the focus', async () => {
    await show('select', { optionItems: items('展会', '电话') })
    await phone.page.getByRole('combobox').focus()
    await phone.page.keyboard.press('Enter')
    await sheet().waitFor()
    await phone.page.keyboard.press('Tab')
    await phone.page.keyboard.press('Enter')
    await gone()
    expect(await value('f')).toBe('电话')
    expect(await phone.page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
  })
})

const AREAS: Json = [
  {
    label: '浙江',
    value: 'zj',
    children: [
      {
        label: '杭州',
        value: 'hz',
        children: [
          { label: '西湖区', value: 'xh' },
          { label: '滨江区', value: 'bj' },
        ],
      },
      { label: '宁波', value: 'nb', disabled: true },
    ],
  },
  { label: '上海', value: 'sh' },
]

describe('a cascader', () => {
  it('has a tab for each level, and stores the value of every level', async () => {
    await open('cascader', { optionItems: AREAS })

    await option('浙江').click()
    expect(await option('宁波').isDisabled()).toBe(true)
    await option('杭州').click()
    expect(await phone.page.getByRole('tab').allTextContents()).toEqual(['浙江', '杭州', '请选择'])
    await phone.picture('widgets-cascader')
    await looksRight()
    await option('滨江区').click()

    await gone()
    expect(await value('f')).toEqual(['zj', 'hz', 'bj'])
    expect(await phone.page.getByRole('combobox').textContent()).toBe('浙江/杭州/滨江区')
  })

  it('is closed by Escape after a tapped level, and Tab stays inside it', async () => {
    await open('cascader', { optionItems: AREAS })
    await option('浙江').click()
    await option('杭州').waitFor()
    await phone.page.keyboard.press('Tab')
    expect(await phone.page.evaluate(() => document.activeElement?.textContent)).toBe('杭州')
    await phone.page.evaluate(() => (document.activeElement as HTMLElement).blur()) // as when the focused element is removed

    await phone.page.keyboard.press('Escape')

    await gone()
  })

  it('goes back by a tab, and opens at the previous position', async () => {
    await open('cascader', { optionItems: AREAS }, { values: { f: ['zj', 'hz', 'bj'] } })
    expect(await option('滨江区').getAttribute('aria-selected')).toBe('true')

    await phone.page.getByRole('tab', { name: '浙江' }).click()
    await option('上海').click()

    await gone()
    expect(await value('f')).toEqual(['sh'])
  })

  it('can be cleared', async () => {
    await show('cascader', { optionItems: AREAS }, { values: { f: ['sh'] } })
    await phone.page.getByRole('button', { name: '清除' }).click()
    expect(await value('f')).toEqual([])
  })

  it('accepts several paths', async () => {
    await open('cascader', { optionItems: AREAS, multiple: true })
    await option('上海').click()
    await option('浙江').click()
    await option('杭州').click()
    await option('西湖区').click()
    await phone.page.getByRole('button', { name: '确定 (2)' }).click()
    await gone()
    expect(await value('f')).toEqual([['sh'], ['zj', 'hz', 'xh']])
    expect(await phone.page.getByRole('combobox').textContent()).toBe('上海、浙江/杭州/西湖区')
  })

  it('finds a path by a word in it, and accepts any level if the page allows it', async () => {
    await open('cascader', {
      optionItems: AREAS,
      filterable: true,
      checkStrictly: true,
      showAllLevels: false,
    })
    await phone.page.getByRole('searchbox').fill('杭')
    expect(await phone.page.getByRole('option').allTextContents()).toEqual([
      '浙江 / 杭州 / 西湖区',
      '浙江 / 杭州 / 滨江区',
    ])
    await phone.page.getByRole('searchbox').fill('')
    await option('浙江').click()
    await phone.page.getByRole('button', { name: '选择“浙江”' }).click()
    await gone()
    expect(await value('f')).toEqual(['zj'])
    expect(await phone.page.getByRole('combobox').textContent()).toBe('浙江')
  })

  it('reports a search without results', async () => {
    await open('cascader', { optionItems: AREAS, filterable: true })
    await phone.page.getByRole('searchbox').fill('深圳')
    await phone.page.getByRole('status').filter({ hasText: '没有匹配的选项' }).waitFor()
    await phone.picture('widgets-cascader-nothing')
    await phone.page.getByRole('searchbox').fill('杭')
    await expect.poll(() => phone.page.getByRole('status').count()).toBe(0)
  })

  it('accepts a flat tree', async () => {
    const rows = [
      { id: 1, name: '销售部', pid: null },
      { id: 2, name: '华东', pid: 1 },
    ]
    await open('cascader', { optionItems: rows, labelKey: 'name', valueKey: 'id', parentField: 'pid' })
    await option('销售部').click()
    await option('华东').click()
    await gone()
    expect(await value('f')).toEqual([1, 2])
  })
})

describe('a data picker', () => {
  const rows = [
    { text: '销售部', value: 's' },
    { text: '华东区', value: 'e', parent_value: 's' },
  ]

  it('stores the value of the last level and reports each tap', async () => {
    const on = { nodeClick: [{ do: 'set', data: 'taps', value: 1 }] }
    await open('data-picker', { optionItems: rows, labelKey: 'text', on })
    await option('销售部').click()
    await option('华东区').click()
    await gone()
    expect(await value('f')).toBe('e')
    expect(await phone.page.getByRole('combobox').textContent()).toBe('销售部/华东区')
    expect(await phone.page.evaluate(() => window.stage.engine().scope().data.taps)).toBe(1)
  })

  it.each([
    ['that it could not be loaded', null, '选项加载失败'],
    ['what the server says', { refused: '没有查看部门的权限' }, '没有查看部门的权限'],
  ])('shows in place of the value %s', async (_, answer, words) => {
    const dataSources = [{ uniqueName: 'units', requestURL: '/units', requestMethod: 'get' }]
    await show(
      'data-picker',
      { dsEnabled: true, dsName: 'units' },
      { answers: { '/units': [answer] } },
      { dataSources },
    )
    await expect.poll(() => phone.page.getByRole('combobox').textContent()).toBe(words)
  })
})

describe('choices on a desktop', () => {
  beforeAll(() => phone.page.setViewportSize({ width: 1440, height: 900 }))
  afterAll(() => phone.page.setViewportSize({ width: 390, height: 844 }))
  const items = Array.from({ length: 40 }, (_, i) => ({ label: `来源 ${i}`, value: i }))
  const panel = async () => (await phone.page.locator('.vf-layer-panel').boundingBox())?.width
  const focused = () => phone.page.evaluate(() => document.activeElement?.textContent)

  it('open beside their field, and are navigated by the arrow keys', async () => {
    await open('select', { optionItems: items }, { values: { f: 3 } })
    await phone.picture('desk-select')
    expect(await panel()).toBe(301)
    expect((await phone.page.locator('.vf-layer-panel').boundingBox())?.height).toBeLessThan(480)
    expect(await focused()).toBe('来源 3')

    await phone.page.keyboard.press('ArrowDown')
    await phone.page.keyboard.press('ArrowDown')
    await phone.page.keyboard.press('End')
    expect(await focused()).toBe('来源 39')
    await phone.page.keyboard.press('ArrowUp')
    await phone.page.keyboard.press('Enter')

    await sheet().waitFor({ state: 'detached' })
    expect(await phone.page.evaluate(() => window.stage.engine().values().f)).toBe(38)
  })

  it('open the levels of a cascader by the arrow keys and Enter, and close by Escape', async () => {
    await open('cascader', { optionItems: AREAS })
    expect(await panel()).toBe(301)
    await phone.picture('desk-cascader')
    const begun = await focused()
    await phone.page.keyboard.press('Enter')
    await phone.page.keyboard.press('ArrowDown')
    expect(await focused()).not.toBe(begun)
    await phone.page.keyboard.press('Escape')

    await sheet().waitFor({ state: 'detached' })
    expect(await phone.page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
  })
})

describe('a tree in the side bar', () => {
  const rows = [
    { no: 'a', title: '总经办', people: 2, children: [{ no: 'b', title: '销售一部', people: 5 }] },
  ]
  const options = {
    label: '部门',
    itemsBind: 'data.depts.list',
    rowKey: 'no',
    rowText: '{{ row.title }}',
    rowNote: '{{ row.people }} 人',
    allText: '全部部门',
  }
  const world = { data: { depts: { list: rows } } }
  const branch = (name: string) => phone.page.getByRole('treeitem', { name })

  it('opens from its line on a phone and shows the rows of the page by their names, notes and keys', async () => {
    await show('side-tree', options, world)
    expect(await phone.page.getByRole('treeitem').count()).toBe(0)
    await phone.page.getByRole('button', { name: '全部部门' }).click()

    const words = await phone.page.getByRole('treeitem').allInnerTexts()
    expect(words.map((one) => one.replaceAll(/\s+/g, ' ').trim())).toEqual([
      '全部部门',
      expect.stringMatching(/^总经办 ?2 人$/),
      expect.stringMatching(/^销售一部 ?5 人$/),
    ])
    expect(await seriousFaults(phone.page)).toEqual([])
    await branch('销售一部').click()

    expect(await value('f')).toBe('b')
    await phone.page.getByRole('button', { name: '销售一部' }).waitFor()
  })

  it.each([true, false])('allows to move its rows only while the page does: %s', async (may) => {
    await phone.page.setViewportSize({ width: 1440, height: 900 })
    await show(
      'side-tree',
      { ...options, moveOn: { '==': [{ var: 'data.may' }, true] } },
      {
        data: { ...world.data, may },
      },
    )
    await branch('销售一部').focus()
    await phone.page.keyboard.press('m')

    expect((await phone.page.locator('.vf-side-tree-moving').allInnerTexts()).length).toBe(may ? 1 : 0)
    expect(await phone.page.locator('[role="treeitem"][draggable="true"]').count()).toBe(may ? 2 : 0)
    await phone.page.setViewportSize({ width: 390, height: 844 })
  })
})

describe('visible choices', () => {
  it('lock at the minimum and the maximum', async () => {
    await show(
      'checkbox',
      { min: 1, max: 2, optionItems: items('甲', '乙', '丙') },
      { values: { f: ['甲'] } },
    )
    const box = (name: string) => phone.page.getByRole('checkbox', { name })

    expect(await box('甲').isDisabled()).toBe(true)
    await box('乙').check()
    expect(await box('丙').isDisabled()).toBe(true)
    expect(await box('甲').isDisabled()).toBe(false)
    expect(await value('f')).toEqual(['甲', '乙'])
  })

  it('are segments that arrow keys move; choosing the same one reports nothing', async () => {
    const on = { clickItem: [{ do: 'toast', text: 'tapped' }] }
    await show('segmented-control', { on, optionItems: items('日', '周', '月') }, { values: { f: '日' } })
    await phone.page.getByRole('radio', { name: '日' }).click()
    expect(await phone.asked()).not.toContainEqual(['toast', 'tapped'])

    await phone.page.keyboard.press('ArrowRight')

    expect(await value('f')).toBe('周')
    expect(await phone.page.getByRole('radio', { name: '周' }).getAttribute('aria-checked')).toBe('true')
    expect(await smallTargets(phone.page, '.vf-segments')).toEqual([])
  })
})

it('nothing was logged to the console', () => {
  expect(phone.complaints()).toEqual([])
})

describe('a reference', () => {
  const RECORDS = [
    { value: 'c1', label: '云帆科技', desc: 'KH001' },
    { value: 'c2', label: '星海贸易', desc: 'KH002' },
    { value: 'c3', label: '远山重工', desc: 'KH003', disabled: true },
  ]
  const dataSources = [
    {
      uniqueName: 'customers',
      requestURL: '/customers',
      requestMethod: 'post',
      data: ['search', 'cursor', 'ids'].map((name) => ({ name, type: 'Variable', value: `DSV.${name}` })),
    },
  ]
  const begin = (options: JsonObject = {}, world: StageWorld = {}) =>
    phone.show(
      aDocument(
        [
          aWidget('reference', 'f', { label: '客户', dsName: 'customers', nameField: 'f_name', ...options }),
          aWidget('input', 'f_name', { label: '客户名', hidden: true }),
          aWidget('input', 'city', { label: '城市' }),
        ],
        { dataSources },
      ),
      { answers: { '/customers': [{ list: RECORDS }] }, ...world },
    )
  const face = () => phone.page.getByRole('combobox', { name: '客户' })
  const choose = async (...given: Parameters<typeof begin>) => {
    await begin(...given)
    await face().click()
    await sheet().waitFor()
    await option('云帆科技 KH001').waitFor()
    await phone.page.waitForTimeout(350)
  }
  const bodies = async () =>
    (await phone.asked()).flatMap(([what, , body]) => (what === 'send' ? [body as JsonObject] : []))

  it('stores a record with its name, and the fields the page derives from it', async () => {
    const rowText = '{{ row.desc }} · {{ row.city }}'
    const rows = RECORDS.map((row) => ({ ...row, city: '杭州' }))
    await begin(
      { rowText, on: { pick: [{ do: 'set', field: 'city', value: '{{ row.city }}' }] } },
      { answers: { '/customers': [{ list: rows }] } },
    )
    await face().click()
    await option('星海贸易 KH002 · 杭州').waitFor()
    await phone.page.waitForTimeout(350)
    await looksRight()
    await option('星海贸易 KH002 · 杭州').click()
    await gone()

    expect([await value('f'), await value('f_name'), await value('city')]).toEqual(['c2', '星海贸易', '杭州'])
    expect(await face().textContent()).toContain('星海贸易')
  })

  it('is cleared with its name, unless the page requires it', async () => {
    await begin({}, { values: { f: 'c1', f_name: '云帆科技' } })
    await phone.page.getByRole('button', { name: '清除' }).click()
    expect([await value('f'), await value('f_name')]).toEqual([null, null])

    await begin({ clearable: false }, { values: { f: 'c1', f_name: '云帆科技' } })
    expect(await phone.page.getByRole('button', { name: '清除' }).count()).toBe(0)
  })

  it('loads the name of an id without one, and reports a missing record', async () => {
    await begin({}, { values: { f: 'c2' } })
    await expect.poll(() => face().textContent()).toContain('星海贸易')
    expect((await bodies()).map(({ ids }) => ids)).toEqual(['c2'])

    await begin({}, { values: { f: 'c9' } })
    await expect.poll(() => face().textContent()).toContain('看不到名称')
  })

  it('never shows the name of one record for another', async () => {
    await begin({}, { values: { f: 'c1', f_name: '云帆科技' } })
    await phone.page.evaluate(() => window.stage.engine().setValues({ f: 'c2' }))

    await expect.poll(() => face().textContent()).toContain('星海贸易')
    expect(await value('f_name')).toBe('星海贸易')
  })

  it('searches 300 ms after the last keystroke, loads page by page, and reports an empty result', async () => {
    const pages = [
      { list: RECORDS.slice(0, 1), nextCursor: 'c1' },
      { list: RECORDS.slice(1), nextCursor: null },
      { list: [] },
    ]
    await choose({ empty: '还没有客户' }, { answers: { '/customers': pages } })
    await phone.page.getByRole('button', { name: '显示更多' }).click()
    await option('星海贸易 KH002').waitFor()
    expect(await option('远山重工 KH003').isDisabled()).toBe(true)

    await phone.page.getByRole('searchbox').pressSequentially('绝无', { delay: 20 })
    await phone.page.getByText('没有找到，换个关键字试试').waitFor()

    expect((await bodies()).map(({ search, cursor = '' }) => [search, cursor])).toEqual([
      ['', ''],
      ['', 'c1'],
      ['绝无', ''],
    ])
    await phone.page.getByRole('searchbox').fill('')
    await phone.page.getByText('还没有客户').waitFor()
  })

  it('searches the device’s cache while the network is down', async () => {
    await choose(
      {},
      { answers: { '/customers': [{ list: RECORDS }, { list: RECORDS }, { list: RECORDS }, null] } },
    )
    await option('星海贸易 KH002').click()
    await gone()
    await face().click()
    await phone.page.getByText('最近选过').waitFor()
    await option('星海贸易 KH002').waitFor()
    await phone.page.getByRole('searchbox').fill('星')
    await phone.page.getByText('没有网络，这里是设备上记得的').waitFor()

    expect(await phone.page.getByRole('option').allTextContents()).toEqual(['星海贸易KH002'])
    await option('星海贸易 KH002').click()
    await gone()
    expect(await value('f')).toBe('c2')
  })

  it('shows what it found nothing of without network once the page reads again, with the same search', async () => {
    await begin({}, { answers: { '/customers': [null, { list: RECORDS.slice(1, 2) }] } })
    await face().click()
    await phone.page.getByText('设备上还没有记得的，联网后再选').waitFor()

    await phone.page.evaluate(() => window.stage.engine().refresh())

    await option('星海贸易 KH002').waitFor()
    expect(await phone.page.getByText('没有网络，这里是设备上记得的').count()).toBe(0)
  })

  it('marks several up to the limit', async () => {
    await choose({ multiple: true, multipleLimit: 2 })
    await option('云帆科技 KH001').click()
    await option('星海贸易 KH002').click()
    await looksRight()
    await phone.page.getByRole('button', { name: '确定 (2/2)' }).click()
    await gone()

    expect([await value('f'), await value('f_name')]).toEqual([['c1', 'c2'], '云帆科技、星海贸易'])
  })

  it('creates a missing record, and chooses it; the input of the form stays', async () => {
    const create = '/pages/customer/my/add'
    const world = { made: { id: 'c2' } }
    await choose({ create, createOn: { '==': [{ var: 'form.city' }, '杭州'] } }, world)
    expect(await phone.page.getByRole('button', { name: /^新建/ }).count()).toBe(0)

    await choose({ create }, { ...world, values: { city: '杭州' } })
    await phone.page.getByRole('searchbox').fill('星海 贸易')
    await phone.page.getByRole('button', { name: '新建“星海 贸易”' }).click()

    await expect.poll(() => value('f_name')).toBe('星海贸易')
    expect([await value('f'), await value('city')]).toEqual(['c2', '杭州'])
    expect((await phone.asked()).filter(([what]) => what === 'ask')).toEqual([
      ['ask', `${create}?name=${encodeURIComponent('星海 贸易')}`],
    ])
  })

  it('opens the chosen record if the user may see it', async () => {
    await choose({ show: '/pages/customer/my/detail' }, { values: { f: 'c9', f_name: '别人的客户' } })
    expect(await phone.page.getByRole('button', { name: '查看' }).count()).toBe(0)

    await choose({ show: '/pages/customer/my/detail' }, { values: { f: 'c1', f_name: '云帆科技' } })
    await phone.page.getByRole('button', { name: '查看' }).click()
    expect((await phone.asked()).filter(([what]) => what === 'open')).toEqual([
      ['open', '/pages/customer/my/detail?id=c1'],
    ])
  })

  it('is navigated by keyboard', async () => {
    await choose()
    await option('云帆科技 KH001').focus()
    await phone.page.keyboard.press('ArrowDown')
    await phone.page.keyboard.press('Enter')
    await gone()

    expect(await value('f')).toBe('c2')
  })
})

/**
 * Types texts one right after the other and counts the requests sent 150 ms later; runs in the browser, since keys from outside may be 300 ms apart on
 * a busy machine.
 */
async function typeAndLook(box: Element, texts: readonly string[]): Promise<number> {
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  for (const text of texts) {
    write?.call(box, text)
    box.dispatchEvent(new Event('input', { bubbles: true }))
  }
  await new Promise((later) => setTimeout(later, 150))
  return window.stage.asked().filter(([what]) => what === 'send').length
}
