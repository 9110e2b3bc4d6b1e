import { describe, expect, it } from 'vitest'
import { ask, goTo } from '../support/acts.ts'
import { long } from '../support/long.ts'
import { aStage } from '../support/stage.ts'

const DESK = { width: 1440, height: 900 }

describe('a page in the workbench is drawn as on a device', { timeout: 120_000 }, () => {
  const stage = aStage()

  it('and follows the width of its frame, not of the window: columns, boards, calendars and groups', async () => {
    const desk = await stage.signedIn('admin', '/pages/my/about', DESK)
    await ask(desk, '/engine/web/page/publish', {
      path: PATH,
      base: 0,
      document: WIDE,
      clientToken: 'bench-looks',
    })
    await goTo(desk, `/pages/admin/page/design?path=${PATH}`)
    const bench = desk.page.locator('.wb')
    const paper = bench.locator('.wb-paper')
    const facts = () =>
      paper.evaluate((element) => {
        const widthOf = (selector: string) =>
          element.querySelector(selector)?.getBoundingClientRect().width ?? 0
        const whole = element.getBoundingClientRect().width
        const columnsOf = (selector: string) =>
          getComputedStyle(element.querySelector(selector) ?? element).gridTemplateColumns.split(' ').length
        return {
          board: widthOf('.vf-board-column') > whole * 0.7 ? 'one' : 'several',
          week: columnsOf('.vf-agenda-week') === 7 ? 'seven' : 'one',
          cell: widthOf('[data-key="inCell"]') > whole * 0.7 ? 'whole' : 'part',
          fields: columnsOf('.vf-group-body'),
        }
      })
    await paper.getByText('初步').waitFor()
    await expect.poll(facts).toEqual({ board: 'one', week: 'one', cell: 'whole', fields: 1 })
    await bench.getByRole('button', { name: '1280', exact: true }).click()
    await expect.poll(facts).toEqual({ board: 'several', week: 'seven', cell: 'part', fields: 2 })
    await desk.picture('bench-wide')
  })

  it(
    'and reported as slow if a phone would take long to draw it; one edit makes it faster',
    long,
    async () => {
      const desk = await stage.signedIn('admin', '/pages/my/about', DESK)
      const path = '/pages/x/slow'
      const fields = Array.from({ length: 300 }, (_, i) => field(`f${i}`))
      const source = {
        uniqueName: 'rows',
        requestURL: '/mini/product/list',
        requestMethod: 'post',
        auto: true,
      }
      const data = [{ name: 'keyword', type: 'Variable', value: 'form.f0' }]
      const formConfig = { ...WIDE.formConfig, dataSources: [{ ...source, data }], page: { title: '慢' } }
      const document = { formConfig, widgetList: fields }
      await ask(desk, '/engine/web/page/publish', { path, base: 0, document, clientToken: 'bench-slow' })
      await goTo(desk, `/pages/admin/page/design?path=${path}`)
      const bench = desk.page.locator('.wb')
      await bench.locator('.wb-paper').getByText('f3', { exact: true }).waitFor()
      const browser = await desk.page.context().newCDPSession(desk.page)
      await browser.send('Emulation.setCPUThrottlingRate', { rate: 6 })
      await bench.getByRole('tab', { name: '检查' }).click()
      await bench.getByText('page-slow', { exact: true }).waitFor({ timeout: 30_000 })
      await desk.picture('bench-slow')
      await browser.send('Emulation.setCPUThrottlingRate', { rate: 1 })
      const eager = bench.getByRole('listitem').filter({ hasText: 'source-eager' })
      await eager.getByRole('button', { name: '改好它' }).click()
      await eager.waitFor({ state: 'detached' })
      await bench.getByRole('button', { name: '代码', exact: true }).click()
      await bench.locator('.cm-content').getByText('debounceMs').waitFor()
    },
  )

  it('and has text of double size on request, without other changes of size', async () => {
    const desk = await stage.signedIn('admin', '/pages/admin/page/design?path=/pages/product/add', DESK)
    const bench = desk.page.locator('.wb')
    const label = bench.locator('.wb-paper').getByText('产品名称')
    const size = () => label.evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize))
    const [before, tab] = [await size(), await bench.getByRole('tab', { name: '组件' }).boundingBox()]
    await bench.locator('.wb-params summary').click()
    await bench.getByRole('combobox', { name: '文字大小' }).selectOption('200%')
    await expect.poll(size).toBe(before * 2)
    expect(await bench.getByRole('tab', { name: '组件' }).boundingBox()).toEqual(tab)
    expect(await bench.locator('.wb-paper').evaluate((one) => one.scrollWidth)).toBeLessThanOrEqual(390)
    // Content that arrives later has the same size.
    await bench.getByRole('button', { name: '单行文本' }).click()
    const added = bench.locator('.wb-paper label, .wb-paper .vf-label').getByText('单行文本').first()
    await expect.poll(() => added.evaluate((one) => getComputedStyle(one).fontSize)).toBe(`${before * 2}px`)
    await desk.picture('bench-large-text')
    // A selection there is cleared by another action.
    expect(await bench.getByRole('combobox', { name: '文字大小' }).isVisible()).toBe(false)
    await bench.locator('.wb-params summary').click()
    await bench.getByRole('combobox', { name: '文字大小' }).selectOption('100%')
    await expect.poll(size).toBe(before)
  })
})

const PATH = '/pages/x/looks'
const field = (name: string) => ({ type: 'input', formItemFlag: true, options: { name, label: name } })
const cell = (name: string, ...widgetList: object[]) => ({
  type: 'grid-col',
  category: 'container',
  options: { name, responsive: true, xs: 24, sm: 12, md: 8 },
  widgetList,
})
const WIDE = {
  formConfig: {
    jsonVersion: -3,
    layoutType: 'H5',
    page: {
      title: '宽窄',
      on: {
        load: [
          {
            do: 'set',
            data: 'board',
            value: [
              { id: 'a', label: '初步', list: [] },
              { id: 'b', label: '报价', list: [] },
            ],
          },
          { do: 'set', data: 'days', value: [] },
        ],
      },
    },
  },
  widgetList: [
    {
      type: 'cell-group',
      category: 'container',
      options: { name: 'group', label: '资料' },
      widgetList: [field('a'), field('b')],
    },
    {
      type: 'grid',
      category: 'container',
      options: { name: 'grid' },
      cols: [
        cell('left', { type: 'static-text', options: { name: 'inCell', textContent: '左' } }),
        cell('right', field('d')),
      ],
    },
    {
      type: 'board',
      category: 'container',
      options: { name: 'board', bind: 'data.board', rowKey: 'id' },
      widgetList: [],
    },
    {
      type: 'agenda',
      category: 'container',
      options: { name: 'days', bind: 'data.days', mode: 'week' },
      widgetList: [],
    },
  ],
}
