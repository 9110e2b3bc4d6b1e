import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aDocument, aSubForm, aWidget } from '../../support/a-page.ts'
import { type OpenStage, openStage, type StagePhone } from '../stage/open-stage.ts'

let stage: OpenStage
let phone: StagePhone
beforeAll(async () => {
  stage = await openStage()
  phone = await stage.phone()
}, 60_000)
afterAll(() => stage.close())

const fields = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    aWidget(i % 3 === 2 ? 'textarea' : 'input', `f${i}`, {
      label: `字段${i}`,
      // Higher than estimated: the height of items above the viewport differs from the reserved space.
      ...(i % 3 === 0
        ? { hint: '这里写一句很长的提示，长到一行放不下，要占两三行才能写完，看它会不会把别的挤走。' }
        : {}),
    }),
  )
const drawn = () => phone.page.locator('[data-field]').count()
const topOf = (name: string) =>
  phone.page.locator(`[data-field="${name}"]`).evaluate((field) => field.getBoundingClientRect().top)
const scrollTo = (top: number) => phone.page.evaluate((y) => window.scrollTo(0, y), top)
/** Height in px of the empty parts of the screen's middle column. */
const blank = () =>
  phone.page.evaluate(() => {
    let px = 0
    for (let y = 2; y < innerHeight; y += 4)
      if (document.elementFromPoint(190, y)?.closest('.vf-space')) px += 4
    return px
  })

describe('a form of 1,000 fields', () => {
  beforeEach(() => phone.show(aDocument(fields(1000))))

  it('fills the screen at once, draws little beyond it, and draws no more without scrolling', async () => {
    expect(await blank()).toBe(0)
    await expect.poll(drawn).toBeGreaterThan(12)
    await phone.page.waitForTimeout(500)
    expect(await drawn()).toBeLessThan(40)
  })

  it('draws every part that scrolling reaches', async () => {
    for (const top of [3000, 40_000, 12_345, 60_000, 0]) {
      await scrollTo(top)
      await expect.poll(blank).toBe(0)
    }
  })

  it('keeps the visible fields in place while fields above them are drawn for the first time', async () => {
    await phone.page.evaluate(() => window.stage.reveal('f700'))
    const before = await topOf('f700')

    await phone.page.evaluate(() => window.scrollBy(0, -300))
    await expect.poll(() => phone.page.locator('[data-field="f688"]').count()).toBe(1)

    expect(Math.abs((await topOf('f700')) - before - 300)).toBeLessThan(3)
  })

  it('keeps them in place in a browser without scroll anchoring too', async () => {
    await phone.page.evaluate(() => {
      CSS.supports = () => false
      document.documentElement.style.overflowAnchor = 'none'
    })
    await phone.page.evaluate(() => window.stage.reveal('f700'))
    const before = await topOf('f700')

    await phone.page.evaluate(() => window.scrollBy(0, -300))
    await expect.poll(() => phone.page.locator('[data-field="f688"]').count()).toBe(1)

    expect(Math.abs((await topOf('f700')) - before - 300)).toBeLessThan(3)
    await phone.page.reload()
  })

  it('is complete in print, and as before on the screen afterwards', async () => {
    await expect.poll(drawn).toBeGreaterThan(12)
    const before = await drawn()
    await phone.page.evaluate(() => {
      const count = () => document.querySelectorAll('[data-field]').length
      window.addEventListener('beforeprint', () => Object.assign(window, { onPaper: count() }), {
        once: true,
      })
    })

    await phone.page.pdf()

    expect(await phone.page.evaluate(() => Reflect.get(window, 'onPaper'))).toBe(1000)
    await expect.poll(drawn).toBeLessThan(before + 40)
  })
})

it('is gradually drawn completely if its length is moderate, so that all of it can be searched and read aloud', async () => {
  await phone.show(aDocument(fields(60)))

  await expect.poll(drawn).toBe(60)

  expect(await phone.page.locator('.vf-space').count()).toBe(0)
  expect(await phone.page.locator('.vf-page').innerText()).toContain('字段59')
})

it('fills the first screen even if items are lower than estimated', async () => {
  const groups = Array.from({ length: 60 }, (_, i) =>
    aWidget('cell-group', `g${i}`, {}, { category: 'container', widgetList: [aWidget('input', `g${i}f`)] }),
  )

  await phone.show(aDocument(groups))

  expect(await blank()).toBe(0)
})

it('draws the bar below it from the beginning', async () => {
  const bar = aWidget(
    'action-bar',
    'bar',
    {},
    {
      category: 'container',
      widgetList: [aWidget('button', 'save', { label: '保存' })],
    },
  )

  await phone.show(aDocument([...fields(200), bar]))

  expect(await phone.page.getByRole('button', { name: '保存' }).isVisible()).toBe(true)
})

it('keeps the typing field unaffected by an inserted row', async () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({ c: `甲${i}` }))
  await phone.show(aDocument([aSubForm('rows', [aWidget('input', 'c', { label: '名称' })])]), {
    values: { rows },
  })
  const box = phone.page.getByRole('textbox').nth(2)
  await box.focus()

  await phone.page.evaluate(() => window.stage.engine().addRow('rows', 1))
  await phone.page.keyboard.type('乙')

  expect(await phone.page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toContain('甲2')
  expect(await phone.page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toContain('乙')
})

it('nothing was logged to the console', () => {
  expect(phone.complaints()).toEqual([])
})
