import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Phone } from './phone.ts'

export const PASSWORD = 'Crm@2026'

/** The page in sight; others stay mounted behind it. */
export function inSight(page: Page): Locator {
  return page.locator('section.page:visible')
}

/** A field of the page in sight. */
export function field(page: Page, address: string): Locator {
  return inSight(page).locator(`[data-field="${address}"]`)
}

/** The control of a text field. */
export function box(page: Page, address: string): Locator {
  return field(page, address).locator('input, textarea').first()
}

/** A button of the page in sight, by its name. */
export function button(page: Page, name: string): Locator {
  return inSight(page).getByRole('button', { name, exact: true })
}

/** Fills in the login form and sends it. */
export async function logIn(phone: Phone, account = 'demo', password = PASSWORD): Promise<void> {
  await box(phone.page, 'account').fill(account)
  await box(phone.page, 'password').fill(password)
  await field(phone.page, 'agree').locator('input').first().check()
  await button(phone.page, '登录').click()
}

/** Waits until the address bar shows that page. */
export async function arrive(phone: Phone, path: string | RegExp): Promise<void> {
  await expect
    .poll(phone.at, { timeout: 15_000 })
    .toMatch(typeof path === 'string' ? new RegExp(`^${path}(\\?|$)`) : path)
}

/** Waits until the words stand in the toast. */
export async function toasted(phone: Phone, text: string | RegExp): Promise<void> {
  await phone.page.locator('.toast').filter({ hasText: text }).waitFor()
}

/** A new tab of the same phone, as after the first one was killed. */
export async function anotherTab(phone: Phone, at: string): Promise<Phone> {
  const page = await phone.context.newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(`${new URL(phone.page.url()).origin}/#${at}`)
  return {
    ...phone,
    page,
    at: () => new URL(page.url()).hash.replace(/^#/, ''),
    picture: async (name) => void (await page.screenshot({ path: `tests/output/${name}.png` })),
  }
}

/** All that anybody who holds the device can read of the app with the browser's own tools: its databases and both stores. */
export function lyingOnDevice(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }]
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name))
      for (const table of database.objectStoreNames) {
        const store = database.transaction(table).objectStore(table)
        found.push(table, await done(store.getAllKeys()), await done(store.getAll()))
      }
      database.close()
    }
    return JSON.stringify(found)
  })
}
