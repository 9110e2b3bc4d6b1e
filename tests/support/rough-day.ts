import { expect } from 'vitest'
import { box, button, inSight } from './acts.ts'
import type { Phone } from './phone.ts'

const LIST = '/pages/customer/my/index?tab=mine'
const ADD = '/pages/customer/my/add?module=customer'
const FOLLOW = '/pages/customer/my/follow/add'
/** A person may hold 200 customers; then only calls are logged. */
const MAX_CUSTOMERS = 40
/** Long enough for a lost call, two lost retries, and a page that is reloaded once. */
const POLL_OPTIONS = { timeout: 45_000 }

/** The records somebody has written without a refusal. */
export interface RoughDay {
  readonly customers: string[]
  readonly follows: { readonly customer: string; readonly content: string }[]
  /** The number of lists read. */
  reads: number
}

/** On a network that loses calls: reads the list, writes a customer, then logs a call, repeatedly until `end` (ms since the epoch). */
export async function workUntil(end: number, phone: Phone): Promise<RoughDay> {
  const day: RoughDay = { customers: [], follows: [], reads: 0 }
  const known: string[] = []
  for (let round = 0; Date.now() < end; round += 1) {
    await goTo(phone, LIST, '.vf-card [data-widget]')
    day.reads += 1
    if (round < MAX_CUSTOMERS) {
      const name = `风浪客户${round}号`
      await write(phone, ADD, { name, mobile: `137${20_000_000 + round}` })
      day.customers.push(name)
      const id = /customer\/my\/detail\?id=([\w-]+)/.exec(phone.at())?.[1] // none while it waits for the network
      if (id !== undefined) known.push(id)
    }
    const customer = known[round % Math.max(1, known.length)]
    if (customer === undefined) continue
    const content = `风浪里的第 ${round} 通电话`
    await write(phone, `${FOLLOW}?targetType=customer&targetId=${customer}`, { content })
    day.follows.push({ customer, content })
  }
  return day
}

/** Opens a page by its address, and retries if it reports a failure. */
async function goTo({ page }: Phone, url: string, sign: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = `#${to}`
  }, url)
  await expect
    .poll(async () => {
      const failed = inSight(page).locator('.page-failed, [data-widget="list"] .vf-empty button')
      if ((await failed.count()) > 0) await failed.first().click()
      return inSight(page).locator(sign).count()
    }, POLL_OPTIONS)
    .toBeGreaterThan(0)
}

/** Fills in a form and presses its button, and retry if offered, until it is saved or waits for the network. */
async function write(phone: Phone, url: string, values: Readonly<Record<string, string>>): Promise<void> {
  const { page } = phone
  const [path = ''] = url.split('?')
  const [first = ''] = Object.keys(values)
  await goTo(phone, url, `[data-field="${first}"]`)
  for (const [name, text] of Object.entries(values)) await box(page, name).fill(text)
  await button(page, '保存').click()
  await expect
    .poll(async () => {
      const retry = page.getByRole('dialog').getByRole('button', { name: '重试' })
      if ((await retry.count()) > 0) await retry.click()
      return phone.at()
    }, POLL_OPTIONS)
    .not.toContain(path)
}
