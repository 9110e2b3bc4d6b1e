import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { tabTo } from '../support/bench-hands.ts'
import { aStage, type Stage } from '../support/stage.ts'

const DESK = { width: 1440, height: 900 }
const FORM = '/pages/product/add'

describe('the workbench, by each kind of input', { timeout: 120_000 }, () => {
  const stage = aStage()

  it('the mouse drags items on the canvas, several at once, and new ones', async () => {
    const { page, bench } = await atWork(stage.signedIn, DESK)
    const titles = titlesOf(bench)
    const name = await middleOf(bench.locator('.wb-paper').getByText('产品名称'))
    const unit = await middleOf(bench.locator('.wb-paper').getByText('单位', { exact: true }))
    await carry(page, name, { x: unit.x, y: unit.y + 14 })
    await expect.poll(async () => (await titles()).slice(1, 4)).toEqual(['产品分类', '单位', '产品名称'])
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await titles()).slice(1, 4)).toEqual(['产品名称', '产品分类', '单位'])

    await page.mouse.click(name.x, name.y)
    await page.keyboard.down('Shift')
    await page.mouse.click(unit.x, unit.y)
    await page.keyboard.up('Shift')
    await carry(page, unit, await middleOf(bench.locator('.wb-paper').getByText('规格型号')), 14)
    await expect
      .poll(async () => (await titles()).slice(1, 6))
      .toEqual(['产品分类', '产品编码', '规格型号', '产品名称', '单位'])

    const row = bench.getByRole('treeitem', { name: '标准单价' })
    await carry(
      page,
      await middleOf(row),
      await middleOf(bench.locator('.wb-paper').getByText('产品分类')),
      -14,
    )
    await expect.poll(async () => (await titles())[1]).toBe('标准单价')

    await bench.getByRole('tab', { name: '组件' }).click()
    const rating = await middleOf(bench.locator('.wb-thing').getByText('评分', { exact: true }))
    await carry(page, rating, await middleOf(bench.locator('.wb-paper').getByText('标准单价')), -14)
    await bench.getByRole('status').getByText('选中 评分').waitFor()
    await bench.getByRole('tab', { name: '结构' }).click()
    await expect.poll(async () => (await titles()).slice(0, 3)).toEqual(['产品信息', '评分', '标准单价'])
  })

  it('a resting finger drags, a moving finger scrolls', async () => {
    const { page, bench } = await atWork(stage.signedIn, { width: 1180, height: 820 })
    const titles = titlesOf(bench)
    const finger = await page.context().newCDPSession(page)
    const touch = (type: string, ...touchPoints: { x: number; y: number }[]) =>
      finger.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints })
    const paper = bench.locator('.wb-paper')
    const before = await titles()

    const [name, unit] = [
      await middleOf(paper.getByText('产品名称')),
      await middleOf(paper.getByText('单位', { exact: true })),
    ]
    await touch('touchStart', name)
    for (let i = 1; i <= 10; i += 1) await touch('touchMove', { x: name.x, y: name.y - 12 * i })
    await touch('touchEnd')
    await expect.poll(() => bench.locator('.wb-scroll').evaluate((one) => one.scrollTop)).toBeGreaterThan(40)
    expect(await titles()).toEqual(before)
    await bench.locator('.wb-scroll').evaluate((one) => {
      one.scrollTop = 0
    })

    await touch('touchStart', name)
    await bench.locator('.wb-glass').waitFor()
    await page.waitForTimeout(400)
    for (let i = 1; i <= 10; i += 1)
      await touch('touchMove', { x: name.x, y: name.y + ((unit.y + 14 - name.y) * i) / 10 })
    await bench.locator('.wb-line').waitFor()
    await touch('touchEnd')
    await expect.poll(async () => (await titles()).slice(1, 4)).toEqual(['产品分类', '单位', '产品名称'])
  })

  it('the keys pick up, move across containers and drop, and Escape cancels', async () => {
    const { page, bench } = await atWork(stage.signedIn, { width: 1280, height: 800 })
    const titles = titlesOf(bench)
    const before = await titles()
    await tabTo(page, await bench.getByRole('treeitem').first().textContent())
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await bench.getByRole('status').getByText('拿着“产品名称”').waitFor()
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    expect(await titles()).toEqual(before)

    await page.keyboard.press('Space')
    await page.keyboard.press('End')
    // Announced after each key: a user presses the next one after hearing it.
    const said = () => bench.locator('.wb-tree [role="status"]').first().textContent()
    for (let now = await said(); !now?.includes('放在“标准单价”前面'); now = await said()) {
      await page.keyboard.press('ArrowUp')
      await expect.poll(said).not.toBe(now)
    }
    await page.keyboard.press('Space')
    await expect.poll(async () => (await titles()).slice(0, 2)).toEqual(['产品信息', '产品分类'])
    const there = await titles()
    expect(there[there.indexOf('标准单价') - 1]).toBe('产品名称')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('产品名称')
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowLeft')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('产品名称')
  })
})

interface AtWork {
  readonly page: Page
  readonly bench: Locator
}

async function atWork(
  signedIn: Stage['signedIn'],
  size: { readonly width: number; readonly height: number },
): Promise<AtWork> {
  const desk = await signedIn('admin', `/pages/admin/page/design?path=${FORM}`, size)
  const bench = desk.page.locator('.wb')
  await bench.locator('.wb-paper').getByText('产品名称').waitFor()
  const draft = bench.getByRole('button', { name: '放弃草稿' })
  if (await draft.isEnabled()) {
    await draft.click()
    await desk.page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
    await bench.getByText('产品自带', { exact: true }).first().waitFor()
  }
  await bench.getByRole('tab', { name: '结构' }).click()
  return { page: desk.page, bench }
}

const titlesOf = (bench: Locator) => () => bench.locator('.wb-tree-title').allTextContents()

/** Of something that is at rest: lists and the canvas are laid out again after a change. */
async function middleOf(one: Locator): Promise<{ readonly x: number; readonly y: number }> {
  let before = { x: Number.NaN, y: Number.NaN }
  for (;;) {
    const box = await one.first().boundingBox()
    if (box === null) throw new Error('it is not in sight')
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    if (middle.x === before.x && middle.y === before.y) return middle
    before = middle
    await one.page().waitForTimeout(100)
  }
}

/** From the pointer to the label of the dragged item. */
const BESIDE_PX = 12

/** Drags an item with the mouse and drops it elsewhere, `by` px below. */
async function carry(
  page: Page,
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
  by = 0,
): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y + by, { steps: 12 })
  // An item is dropped at its last rendered position: on a busy machine that lags behind the pointer.
  const label = page.locator('.wb-carried')
  const behind = () =>
    label.evaluate(
      ({ style }: HTMLElement, at) =>
        Math.hypot(Number.parseFloat(style.left) - at.x, Number.parseFloat(style.top) - at.y),
      { x: to.x + BESIDE_PX, y: to.y + by + BESIDE_PX },
    )
  await expect.poll(behind).toBeLessThan(2)
  await page.locator('.wb-line, [data-placing]').first().waitFor()
  await page.mouse.up()
}
