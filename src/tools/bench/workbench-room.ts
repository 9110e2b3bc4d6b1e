import type { Page } from 'playwright-core'

/** Path of the measured page: `bigPage` of `workbench.ts`. */
export const BIG = '/pages/x/big'

/** Maximum time of an action on a page of 1,000 widgets, in milliseconds, until its result is drawn. */
export const LIMITS = { open: 1_000, select: 50, type: 16, undo: 50 } as const
export type RoomAct = keyof typeof LIMITS

const ROUNDS = 11
const OPENINGS = 5

/**
 * The workbench in a browser: opening the page, selecting a widget on the canvas, typing a letter into its label until the canvas shows it, undoing
 * that. Times end with the layout of the new state.
 *
 * @param page  of a signed-in user who may change pages
 * @returns all measured times
 */
export async function measureRoom(page: Page): Promise<Readonly<Record<RoomAct, readonly number[]>>> {
  const open: number[] = []
  for (let i = 0; i < OPENINGS; i += 1) {
    await page.evaluate(() => {
      location.hash = '/pages/admin/page/sets'
    })
    await page.locator('.wb').waitFor({ state: 'detached' })
    open.push(await page.evaluate(opening, BIG))
  }
  await page.locator('.wb').getByRole('tab', { name: '属性' }).waitFor()
  // The TypeScript loader names functions by a helper that the page does not have.
  await page.evaluate('globalThis.__name = (one) => one')
  return { open, ...(await page.evaluate(acting, ROUNDS)) }
}

/** The minimum: a busy machine causes occasional delays, but code that is too slow is slow each time. */
export const best = (times: readonly number[]): number => Math.min(...times)

/** Runs in the page. */
async function opening(path: string): Promise<number> {
  const start = performance.now()
  location.hash = `/pages/admin/page/design?path=${path}`
  while (document.querySelector('.wb-paper')?.textContent?.includes('Field 1 of 0') !== true) {
    if (performance.now() - start > 20_000) throw new Error('the page is not drawn')
    await new Promise((done) => setTimeout(done))
  }
  document.body.getBoundingClientRect()
  return performance.now() - start
}

/** Runs in the page. */
async function acting(
  rounds: number,
): Promise<Readonly<Record<'select' | 'type' | 'undo', readonly number[]>>> {
  const times = { select: [] as number[], type: [] as number[], undo: [] as number[] }
  const rest = (ms: number) => new Promise((done) => setTimeout(done, ms))
  const turn = () =>
    new Promise((done) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = done
      port2.postMessage(0)
    })
  const timed = async (act: () => void, isDone: () => boolean): Promise<number> => {
    const start = performance.now()
    act()
    while (!isDone()) {
      if (performance.now() - start > 5_000) throw new Error(`it is not done: ${isDone}`)
      await turn()
    }
    document.body.getBoundingClientRect()
    return performance.now() - start
  }
  const paper = document.querySelector('.wb-paper')
  const glass = document.querySelector('.wb-glass')
  const labelBox = () => document.querySelector<HTMLInputElement>('.wb-right [data-option="label"] input')
  const on = (label: string) => paper?.textContent?.includes(label) === true
  const tap = (name: string) => {
    const box = document.querySelector(`.wb-paper [data-field="${name}"]`)?.getBoundingClientRect()
    if (box === undefined) throw new Error(`${name} is not on the canvas`)
    const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true }
    glass?.dispatchEvent(new MouseEvent('click', at))
  }
  const write = (value: string) => {
    const box = labelBox()
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box, value)
    box?.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const undo = () => document.querySelector<HTMLElement>('.wb-undo')?.click()
  for (let i = 0; i < rounds; i += 1) {
    const field = i % 2 === 0 ? 1 : 2
    const isSelected = () =>
      labelBox()?.value === `Field ${field} of 0` && document.querySelector('.wb-outline-name') !== null
    times.select.push(await timed(() => tap(`f0_${field}`), isSelected))
    await rest(700)
    times.type.push(
      await timed(
        () => write(`Word ${i}`),
        () => on(`Word ${i}`),
      ),
    )
    await rest(1_700)
    times.undo.push(await timed(undo, () => on(`Field ${field} of 0`) && !on(`Word ${i}`)))
    await rest(700)
  }
  return times
}
