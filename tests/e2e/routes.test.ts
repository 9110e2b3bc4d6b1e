import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inSight } from '../support/acts.ts'
import { seriousFaults } from '../support/axe.ts'
import { anotherDesk, type Desk, openDesk } from '../support/desk.ts'
import { faultsOfLayout } from '../support/geometry.ts'
import { type Phone, sharedBrowser } from '../support/phone.ts'
import { type Product, startProduct } from '../support/product.ts'
import {
  beginChangeSet,
  type RouteCase,
  readRoutes,
  rightsOf,
  type Session,
  sampleOf,
  signIn,
  takeRights,
} from '../support/route-cases.ts'

/** A way to view the pages: one kind of screen, in one or several sizes. */
interface Screen {
  readonly name: string
  readonly sizes: readonly { readonly width: number; readonly height: number }[]
  readonly text: number
  readonly touch: boolean
}

const PHONES = [
  { width: 390, height: 844 },
  { width: 360, height: 640 },
  { width: 768, height: 1024 },
]
const PHONE: Screen = { name: 'phone', sizes: PHONES, text: 1, touch: true }
const LARGE: Screen = { name: 'large text', sizes: PHONES, text: 2, touch: true }
const DESK: Screen = { name: 'desk', sizes: [{ width: 1440, height: 900 }], text: 1, touch: false }
/** The size of a desktop page at 200 % zoom. */
const ZOOMED: Screen = { name: 'zoomed desk', sizes: [{ width: 720, height: 450 }], text: 1, touch: false }
const LOOKS = ['light', 'dark'] as const
const ACCOUNTS = ['demo', 'manager', 'director', 'finance', 'admin']

/** `ROUTES=full`: every account, size, text and look. Otherwise each route with one of them, which changes daily. */
const FULL = process.env.ROUTES === 'full'
const TURN = Number(process.env.ROUTES_TURN ?? Math.floor(Date.now() / 86_400_000))
/** An item of a list, the next one with each step. */
const nth = <T>(row: readonly [T, ...T[]] | readonly T[], step: number): T => row[step % row.length] as T

interface Walk {
  readonly account: string
  readonly screen: Screen
}
const WALKS: readonly Walk[] = FULL
  ? ACCOUNTS.flatMap((account) => [PHONE, LARGE, DESK, ZOOMED].map((screen) => ({ account, screen })))
  : [PHONE, LARGE, DESK].map((screen, at) => ({ account: nth(ACCOUNTS, TURN + at), screen }))

/** Shows calls to a cloud, which this server does not have. */
const CLOUD = '/pages/vform/cloud/'
/** A person with all permissions opens what the others may not. */
const KEEPER: Walk = { account: 'admin', screen: PHONE }

const cases = await readRoutes()
let product: Product
let browser: Browser
const sessions = new Map<string, Session>()
beforeAll(async () => {
  product = await startProduct({ env: { OPERATORS: `${KEEPER.account}@xinghai` } })
  browser = await sharedBrowser()
  for (const account of new Set([...WALKS, KEEPER].map((walk) => walk.account)))
    sessions.set(account, await signIn(product.url, account))
  await beginChangeSet(session(KEEPER.account))
})
afterAll(async () => {
  await product?.remove()
})

const session = (account: string): Session => {
  const found = sessions.get(account)
  if (found === undefined) throw new Error(`${account} has not signed in`)
  return found
}
const desks = new Map<string, Promise<Desk>>()
/**
 * Somebody's screen, signed in when first used. The other screens of this person are signed in along with it: a
 * person has at most three devices, and the first would be signed out.
 */
function deskOf({ account, screen }: Walk): Promise<Desk> {
  const key = `${account} ${screen.name}`
  const [size = { width: 390, height: 844 }] = screen.sizes
  const look = { ...size, ...screen }
  const first = [...desks].find(([name]) => name.startsWith(`${account} `))?.[1]
  const known =
    desks.get(key) ??
    (first === undefined
      ? openDesk(browser, product.url, account, look, 1)
      : first.then((desk) => anotherDesk(desk, product.url, look)))
  desks.set(key, known)
  return known
}
afterAll(async () => {
  for (const one of desks.values()) await (await one).close()
})

it('every page of the folder belongs to a route', () => {
  expect(cases.filter(({ page }) => page === null).map(({ path }) => path)).toEqual([])
  expect(cases.length).toBeGreaterThan(50)
})

describe.each(WALKS.map((walk, at) => [walk.account, walk.screen.name, walk, at] as const))(
  'as %s, on a %s',
  { concurrent: true },
  (account, name, walk, place) => {
    const mine = cases.filter((_, at) => FULL || (at + TURN) % WALKS.length === place)
    it.each(mine.map((route, at) => [route.path, route, at] as const))(
      '%s opens, or reports that access is denied',
      async (path, route, at) => {
        const may = await rightsOf(session(account), route)
        // Without the full matrix, a page that this person may not see is drawn for one who may; the refusals are tested below.
        const { account: who, screen } = may || FULL ? walk : KEEPER
        const query = await sampleOf(session(may ? account : KEEPER.account), route)
        const sizes = FULL ? screen.sizes : [nth(screen.sizes, at + TURN)]
        const looks = FULL ? LOOKS : [nth(LOOKS, Math.floor(at / 3) + TURN)]
        await (await deskOf({ account: who, screen })).use(async (phone) => {
          const before = phone.complaints().length
          await phone.page.setViewportSize(nth(sizes, 0))
          await phone.page.emulateMedia({ colorScheme: nth(looks, 0) })
          await show(phone, route, query)
          if (!may && FULL) return expectRefused(phone, before)

          const faults: string[] = []
          for (const size of sizes) {
            await phone.page.setViewportSize(size)
            if (FULL)
              await phone.picture(`routes/${account}-${name}-${size.width}/${path.replaceAll('/', '_')}`)
            const found = await faultsOfLayout(phone.page, screen.touch)
            faults.push(...found.map((fault) => `${size.width} px: ${fault}`))
          }
          for (const [at, look] of looks.entries()) {
            await phone.page.emulateMedia({ colorScheme: look })
            // Another look differs in colours only.
            const found = await violations(phone, at === 0 ? [] : ['color-contrast'])
            faults.push(...found.map((fault) => `${look}: ${fault}`))
          }
          expect(faults, `ROUTES_TURN=${TURN}`).toEqual([])
          expect(phone.complaints().slice(before)).toEqual([])
          expect(await inSight(phone.page).locator('.page-closed, .page-failed, .page-broken').count()).toBe(
            0,
          )
          if (!path.startsWith(CLOUD)) expect(await inSight(phone.page).getByText('加载失败').count()).toBe(0)
        })
      },
    )
  },
)

describe('without the right', { concurrent: true }, () => {
  let nobody: Desk
  beforeAll(async () => {
    await takeRights(session(KEEPER.account), 'u-yuanmei')
    nobody = await openDesk(browser, product.url, 'yuanmei', { width: 390, height: 844, text: 1 }, 2)
  })
  afterAll(() => nobody?.close())

  it.each(cases.filter(({ permission }) => permission !== null).map((route) => [route.path, route] as const))(
    '%s reports that access is denied, and the session stays',
    async (_path, route) => {
      const query = await sampleOf(session(KEEPER.account), route)
      await nobody.use(async (phone) => {
        const before = phone.complaints().length
        await show(phone, route, query)
        await expectRefused(phone, before)
      })
    },
  )
})

async function expectRefused(phone: Phone, before: number): Promise<void> {
  expect(await inSight(phone.page).locator('.page-closed').last().innerText()).toContain('没有操作权限')
  expect(phone.at()).not.toContain('/pages/login/')
  expect(phone.complaints().slice(before)).toEqual([])
}

/** Opens a page and waits until nothing is loading. */
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
      !shown.querySelector('.vf-skeleton') &&
      !document.querySelector('.loading-mask')
    )
  })
  await calls.quiet()
}

/** Counts requests to the server from now on; streams stay open for ever. */
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

/** Waits for the end of colour transitions. */
async function colours(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame)
    const passing = document.getAnimations().filter((one) => one instanceof CSSTransition)
    await Promise.allSettled(passing.map(({ finished }) => finished))
  })
}

/** The findings of axe, by all its rules or by those named. */
async function violations({ page }: Phone, rules: readonly string[]): Promise<readonly string[]> {
  await colours(page)
  // The workbench is outside of the page that opens it.
  const beside = (await page.locator('.wb').count()) > 0 ? ['.wb'] : []
  return seriousFaults(page, { within: ['section.page:not([hidden])', ...beside], rules })
}
