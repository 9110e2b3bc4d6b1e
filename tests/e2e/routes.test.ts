import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arrive, inSight, logIn } from '../support/acts.ts'
import { launchBrowser, openPhone, type Phone, type PhoneLook } from '../support/phone.ts'
import { type Product, startProduct } from '../support/product.ts'
import {
  type RouteCase,
  readRoutes,
  rightsOf,
  type Session,
  sampleOf,
  signIn,
  takeRights,
} from '../support/route-cases.ts'

/** `ROUTES=full`: every account, both sizes of phone, text as it is and twice as large. */
const FULL = process.env.ROUTES === 'full'
const ACCOUNTS = FULL ? ['demo', 'manager', 'director', 'finance', 'admin'] : ['demo']
const LOOKS: readonly PhoneLook[] = FULL
  ? [390, 360].flatMap((width) => [1, 2].map((text) => ({ width, height: width === 390 ? 844 : 640, text })))
  : [{ width: 390, height: 844, text: 1 }]
const SERIOUS = new Set(['serious', 'critical'])
/** Shows calls to a cloud, and says that this server has none. */
const CLOUD = '/pages/vform/cloud/'
/** Who may do everything opens what the first account may not. */
const KEEPER = 'admin'

const cases = await readRoutes()
let product: Product
let browser: Browser
const sessions = new Map<string, Session>()
beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
  for (const account of new Set([...ACCOUNTS, KEEPER]))
    sessions.set(account, await signIn(product.url, account))
}, 130_000)
afterAll(async () => {
  await browser?.close()
  await product?.remove()
}, 30_000)

const session = (account: string): Session => {
  const found = sessions.get(account)
  if (found === undefined) throw new Error(`${account} has not signed in`)
  return found
}

it('every page of the folder belongs to a route', () => {
  expect(cases.filter(({ page }) => page === null).map(({ path }) => path)).toEqual([])
  expect(cases.length).toBeGreaterThan(50)
})

describe.each(ACCOUNTS.flatMap((account) => LOOKS.map((look) => [account, look] as const)))(
  'as %s, %j',
  { timeout: 30_000 },
  (account, look) => {
    const phones = new Map<string, Phone>()
    /** The phone of who may see the page: the account itself, otherwise the keeper. */
    async function phoneFor(
      route: RouteCase,
    ): Promise<{ readonly phone: Phone; readonly who: string } | null> {
      const may = await rightsOf(session(account), route)
      if (!may && FULL) return null
      const who = may ? account : KEEPER
      const known = phones.get(who)
      if (known !== undefined) return { phone: known, who }
      const phone = await openPhone(browser, `${product.url}/#/pages/login/login`, look)
      phones.set(who, phone)
      await logIn(phone, who)
      await arrive(phone, '/')
      return { phone, who }
    }
    afterAll(() => Promise.all([...phones.values()].map((phone) => phone.close())))

    it.each(cases.map((route) => [route.path, route] as const))('%s opens', async (path, route) => {
      const chosen = await phoneFor(route)
      if (chosen === null) return
      const { phone, who } = chosen
      const query = await sampleOf(session(who), route)
      const before = phone.complaints().length
      await show(phone, route, query)

      await phone.picture(`routes/${account}-${look.width}-${look.text}x/${path.replaceAll('/', '_')}`)
      expect(phone.complaints().slice(before)).toEqual([])
      expect(await inSight(phone.page).locator('.page-closed, .page-failed, .page-broken').count()).toBe(0)
      if (!path.startsWith(CLOUD)) expect(await inSight(phone.page).getByText('加载失败').count()).toBe(0)
      expect(await overflow(phone)).toEqual([])
      if (look.text === 1 && look.width === 390 && account === ACCOUNTS[0])
        expect(await violations(phone)).toEqual([])
    })
  },
)

describe('without the right', { timeout: 30_000 }, () => {
  let phone: Phone
  beforeAll(async () => {
    await takeRights(session(KEEPER), 'u-yuanmei')
    phone = await openPhone(browser, `${product.url}/#/pages/login/login`)
    await logIn(phone, 'yuanmei')
    await phone.page.locator('section.page:visible[data-page="/"]').waitFor()
  }, 60_000)
  afterAll(() => phone?.close())

  it.each(cases.filter(({ permission }) => permission !== null).map((route) => [route.path, route] as const))(
    '%s says that it is not allowed, and the session stays',
    async (_path, route) => {
      const query = await sampleOf(session(KEEPER), route)
      await show(phone, route, query)

      expect(await inSight(phone.page).locator('.page-closed').innerText()).toContain('没有操作权限')
      expect(phone.at()).not.toContain('/pages/login/')
      expect(phone.complaints()).toEqual([])
    },
  )
})

/** Opens a page and waits until nothing of it is on its way. */
async function show({ page }: Phone, { path, route }: RouteCase, query: string): Promise<void> {
  const calls = watchCalls(page)
  await page.evaluate((hash) => {
    location.hash = hash
  }, path + query)
  await page.locator(`section.page:visible[data-page="${route}"]`).waitFor()
  await page.waitForFunction(() => {
    const shown = document.querySelector('section.page:not([hidden])')
    return (
      shown?.querySelector('.vf-page, .page-closed, .page-failed, .page-broken') &&
      !shown.querySelector('.vf-skeleton')
    )
  })
  await calls.quiet()
}

/** Counts what is asked of the server from now on; streams stay open for ever. */
function watchCalls(page: Page): { readonly quiet: () => Promise<void> } {
  let running = 0
  const count = (change: number) => (request: Request) => {
    const url = request.url()
    if (/\/(mini|engine)\//.test(url) && !url.includes('/stream')) running += change
  }
  const begin = count(1)
  const end = count(-1)
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end)
  return {
    async quiet() {
      await page.waitForTimeout(120)
      for (let round = 0; round < 40 && running > 0; round++) await page.waitForTimeout(80)
      page.off('request', begin).off('requestfinished', end).off('requestfailed', end)
    },
  }
}

/** Things that stick out of the screen. */
function overflow({ page }: Phone): Promise<readonly string[]> {
  return page.evaluate(() =>
    document.documentElement.scrollWidth <= innerWidth
      ? []
      : [...document.querySelectorAll('section.page:not([hidden]) *')]
          .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
          .slice(0, 3)
          .map((element) => element.outerHTML.slice(0, 160)),
  )
}

async function violations({ page }: Phone): Promise<readonly string[]> {
  const found = await new AxeBuilder({ page })
    .include('section.page:not([hidden])')
    .setLegacyMode(true)
    .analyze()
  return found.violations
    .filter(({ impact }) => SERIOUS.has(impact ?? ''))
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
    )
}
