import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Phone, type Said, TIMEOUT_MS, takePicture } from './phone.ts'

export const PASSWORD = 'Crm@2026'

/** A picture of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** The visible page; others stay mounted behind it. */
export function inSight(page: Page): Locator {
  return page.locator('section.page:visible')
}

/** A field of the visible page. */
export function field(page: Page, address: string): Locator {
  return inSight(page).locator(`[data-field="${address}"]`)
}

/** The control of a text field. */
export function box(page: Page, address: string): Locator {
  return field(page, address).locator('input, textarea').first()
}

/** A button of the visible page, by its name. */
export function button(page: Page, name: string): Locator {
  return inSight(page).getByRole('button', { name, exact: true })
}

/** Fills in and submits the login form. */
export async function logIn(phone: Phone, account = 'demo', password = PASSWORD): Promise<void> {
  await box(phone.page, 'account').fill(account)
  await box(phone.page, 'password').fill(password)
  await field(phone.page, 'agree').locator('input').first().check()
  await button(phone.page, '登录').click()
}

/** Waits until the address bar shows that page. */
export async function arrive(phone: Phone, path: string | RegExp): Promise<void> {
  await expect.poll(phone.at).toMatch(typeof path === 'string' ? new RegExp(`^${path}(\\?|$)`) : path)
}

/** A toast is visible for 1.5 s; a busy machine may look later. */
const TOAST_HEARD_MS = 5_000

/** Waits for a toast with this text, or finds one that just appeared. The same text must appear again to be found again. */
export async function toasted({ page }: Pick<Phone, 'page'>, text: string | RegExp): Promise<void> {
  await expect.poll(() => hear(page, text), { message: `a toast: ${text}` }).toBe(true)
}

/** Marks the first such toast that no test has found, and those before it. @returns false if there is none */
const hear = (page: Page, text: string | RegExp): Promise<boolean> =>
  page.evaluate(
    ([wanted, limit]) => {
      const says = (words: string) =>
        typeof wanted === 'string' ? words.includes(wanted) : wanted.test(words)
      const all = (window as unknown as { said: Said[] }).said
      const at = all.findIndex((one) => !one.isHeard && performance.now() - one.at <= limit && says(one.text))
      for (const one of all.slice(0, at + 1)) one.isHeard = true
      return at >= 0
    },
    [text, TOAST_HEARD_MS] as const,
  )

/** Enters another address in the address bar, as a link would. */
export function goTo(phone: Phone, path: string): Promise<void> {
  return phone.page.evaluate((to) => {
    location.hash = to
  }, path)
}

/** Opens a page and waits until its widgets are there. */
export async function open(phone: Phone, path: string): Promise<void> {
  await goTo(phone, path)
  await arrive(phone, path.split('?')[0] ?? path)
  const page = `section.page[data-page="${path.split('?')[0]}"]:visible`
  await phone.page.locator(`${page} [data-widget]`).first().waitFor()
}

/** Selects by label in a picker of the visible page: with its search box if there is one, and confirms if necessary. */
export async function choose({ page }: Phone, address: string, label: string): Promise<void> {
  await field(page, address).locator('.vf-picker-face').click()
  const picker = page.getByRole('dialog')
  const choice = picker.getByText(label, { exact: true }).first()
  const search = picker.getByRole('searchbox')
  await choice.or(search).first().waitFor()
  if (await search.isVisible()) await search.fill(label)
  await choice.click()
  const done = picker.getByRole('button', { name: '确定' })
  if ((await done.count()) > 0) await done.click()
}

export type Row = Record<string, unknown>

/** Calls the server as the signed-in person. @returns the answer's data */
export function ask({ page }: Phone, url: string, body: Row): Promise<Row> {
  return page.evaluate(
    async ([address, sent]) => {
      const answer = await fetch(address as string, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: localStorage.getItem('token') ?? '',
        },
        body: JSON.stringify(sent),
      })
      return (await answer.json()).data
    },
    [url, body] as const,
  )
}

/** A new tab of the same phone, as after the first one was killed. */
export async function anotherTab(phone: Phone, at: string): Promise<Phone> {
  const page = await phone.context.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  await page.goto(`${new URL(phone.page.url()).origin}/#${at}`)
  return {
    ...phone,
    page,
    at: () => new URL(page.url()).hash.replace(/^#/, ''),
    picture: (name) => takePicture(page, name),
  }
}

/** All data of the app that anybody who holds the device can read with the browser's own tools: its databases and both stores. */
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

/** Waits for a toast or a banner with this text. */
export const hears = ({ said }: Phone, words: string): Promise<void> =>
  expect.poll(said).toContainEqual(expect.stringContaining(words))

/** Waits until the service worker has cached the app's files, and the device the pages. */
export async function shellKept({ page }: Phone): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
}
