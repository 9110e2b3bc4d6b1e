import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inSight } from '../support/acts.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { type Phone, type PhoneLook, sharedBrowser } from '../support/phone.ts'
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
const TEXTS = FULL ? [1, 2] : [1]
const PHONE = { width: 390, height: 844 }
const SIZES = FULL ? [PHONE, { width: 360, height: 640 }] : [PHONE]
const SERIOUS = new Set(['serious', 'critical'])
/** Shows calls to a cloud, and says that this server has none. */
const CLOUD = '/pages/vform/cloud/'
/** Who may do everything opens what the first account may not. */
const KEEPER = 'admin'
/** Phones of one person that are walked side by side: while one waits, the other draws. */
const SIDE_BY_SIDE = 2

const cases = await readRoutes()
let product: Product
let browser: Browser
const sessions = new Map<string, Session>()
beforeAll(async () => {
  product = await startProduct()
  browser = await sharedBrowser()
  for (const account of new Set([...ACCOUNTS, KEEPER]))
    sessions.set(account, await signIn(product.url, account))
}, 130_000)
afterAll(async () => {
  await product?.remove()
}, 30_000)

const session = (account: string): Session => {
  const found = sessions.get(account)
  if (found === undefined) throw new Error(`${account} has not signed in`)
  return found
}
const desk = (account: string, look: PhoneLook): Promise<Desk> =>
  openDesk(browser, product.url, account, look, SIDE_BY_SIDE)

it('every page of the folder belongs to a route', () => {
  expect(cases.filter(({ page }) => page === null).map(({ path }) => path)).toEqual([])
  expect(cases.length).toBeGreaterThan(50)
})

describe.each(ACCOUNTS.flatMap((account) => TEXTS.map((text) => [account, text] as const)))(
  'as %s, text × %i',
  { timeout: 60_000, concurrent: true },
  (account, text) => {
    const desks = new Map<string, Promise<Desk>>()
    const deskOf = (who: string): Promise<Desk> => {
      const known = desks.get(who) ?? desk(who, { ...PHONE, text })
      desks.set(who, known)
      return known
    }
    afterAll(async () => {
      for (const one of desks.values()) await (await one).close()
    })

    it.each(cases.map((route) => [route.path, route] as const))(
      '%s opens, or says that it is not allowed',
      async (path, route) => {
        const may = await rightsOf(session(account), route)
        // Without the full matrix a page that demo may not see is drawn for who may; the refusals are tried below.
        const who = may || FULL ? account : KEEPER
        const query = await sampleOf(session(may ? account : KEEPER), route)
        await (await deskOf(who)).use(async (phone) => {
          const before = phone.complaints().length
          await phone.page.setViewportSize(PHONE)
          await show(phone, route, query)
          if (!may && FULL) return expectRefused(phone, before)

          for (const size of SIZES) {
            await phone.page.setViewportSize(size)
            await phone.picture(`routes/${account}-${size.width}-${text}x/${path.replaceAll('/', '_')}`)
            expect(await overflow(phone, size.width)).toEqual([])
          }
          expect(phone.complaints().slice(before)).toEqual([])
          expect(await inSight(phone.page).locator('.page-closed, .page-failed, .page-broken').count()).toBe(
            0,
          )
          if (!path.startsWith(CLOUD)) expect(await inSight(phone.page).getByText('加载失败').count()).toBe(0)
          if (text === 1 && account === ACCOUNTS[0]) expect(await violations(phone)).toEqual([])
        })
      },
    )
  },
)

describe('without the right', { timeout: 60_000, concurrent: true }, () => {
  let nobody: Desk
  beforeAll(async () => {
    await takeRights(session(KEEPER), 'u-yuanmei')
    nobody = await desk('yuanmei', { ...PHONE, text: 1 })
  }, 60_000)
  afterAll(() => nobody?.close())

  it.each(cases.filter(({ permission }) => permission !== null).map((route) => [route.path, route] as const))(
    '%s says that it is not allowed, and the session stays',
    async (_path, route) => {
      const query = await sampleOf(session(KEEPER), route)
      await nobody.use(async (phone) => {
        const before = phone.complaints().length
        await show(phone, route, query)
        await expectRefused(phone, before)
      })
    },
  )
})

async function expectRefused(phone: Phone, before: number): Promise<void> {
  expect(await inSight(phone.page).locator('.page-closed').innerText()).toContain('没有操作权限')
  expect(phone.at()).not.toContain('/pages/login/')
  expect(phone.complaints().slice(before)).toEqual([])
}

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

/** Things that stick out of the screen; a phone zooms out for them, so its width is told from outside. */
function overflow({ page }: Phone, width: number): Promise<readonly string[]> {
  return page.evaluate(
    (right) =>
      document.documentElement.scrollWidth <= right
        ? []
        : [...document.querySelectorAll('section.page:not([hidden]) *')]
            .filter((element) => element.getBoundingClientRect().right > right + 1)
            .slice(0, 3)
            .map((element) => element.outerHTML.slice(0, 160)),
    width,
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
