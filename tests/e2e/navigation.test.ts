import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import en from '../../schemas/text/en.json'
import es from '../../schemas/text/es.json'
import fr from '../../schemas/text/fr.json'
import hans from '../../schemas/text/zh-hans.json'
import hant from '../../schemas/text/zh-hant.json'
import { arrive, inSight, logIn } from '../support/acts.ts'
import type { Phone } from '../support/phone.ts'
import { type Step, sightOf, startWalk, walk } from '../support/stack-model.ts'
import { aStage } from '../support/stage.ts'
import { labelOf, writeWalkPages } from '../support/walk-pages.ts'

const ME = '/pages/my/index'
const ABOUT = '/pages/my/about'
const KEEPER = '/pages/my/setting/edit'
const DOCUMENTS = {
  '/': '/pages/index',
  [ME]: ME,
  [ABOUT]: ABOUT,
  [KEEPER]: KEEPER,
}
const URLS = ['/', ME, `${ABOUT}?id=1`, `${ABOUT}?id=2`, KEEPER]
const WORLD = {
  routes: { '/': 'fixed', [ME]: 'fixed', [ABOUT]: 'none', [KEEPER]: 'none' },
  keepers: [KEEPER],
} as const
/** PLATFORM 11.1, uni.async.error. */
const FAILED = {
  en: en['page.failed'],
  es: es['page.failed'],
  fr: fr['page.failed'],
  'zh-Hant': hant['page.failed'],
  'zh-Hans': hans['page.failed'],
} as const
const STEPS = 36
const SETTLE_MS = 60
/** A second tap on the same address within 300 ms is ignored. */
const LOCK_MS = 320

const url = fc.constantFrom(...URLS)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('navigateTo' as const), url }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('redirectTo' as const, 'reLaunch' as const, 'switchTab' as const),
      url,
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('type' as const), url }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('back' as const), delta: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constant('browser' as const), delta: fc.constantFrom(-1, -1, 1) }),
  },
  { weight: 1, arbitrary: fc.constant({ act: 'reload' as const }) },
)

const pages = await writeWalkPages(DOCUMENTS, URLS, KEEPER)

describe('in the browser', { timeout: 90_000 }, () => {
  const stage = aStage({ extraSchemas: pages })

  it('a random walk opens what the plain model opens, back and forward keys and reload included', async () => {
    const phone = await stage.phone('/')
    await logIn(phone)
    await inSight(phone.page).getByRole('button', { name: 'back 1' }).waitFor()
    let expected = startWalk('/')
    const [steps = []] = fc.sample(fc.array(step, { minLength: STEPS, maxLength: STEPS }), {
      numRuns: 1,
      seed: 20_261_120,
    })

    for (const [at, one] of steps.entries()) {
      // Before the first page there is nothing of ours: that step would leave the app.
      if (one.act === 'browser' && sightOf(expected).at + one.delta < 0) continue
      await take(phone, one)
      expected = walk(expected, one, WORLD)
      const shown = sightOf(expected).url
      await expect
        .poll(() => inSightNow(phone), {
          timeout: 5_000,
          message: `after step ${at}, ${JSON.stringify(one)}`,
        })
        .toEqual({ address: shown, page: shown.split('?')[0] })
    }
  })

  it('a tab page is where it was left, a page opened anew begins at its top', async () => {
    const phone = await stage.phone('/')
    await logIn(phone)
    await inSight(phone.page).getByRole('button', { name: 'back 1' }).waitFor()

    await scrollTo(phone, 300)
    await phone.page.getByRole('navigation').getByRole('button').last().click()
    await arrive(phone, ME)
    const first = await scrolled(phone)
    await scrollTo(phone, 120)
    await phone.page.getByRole('navigation').getByRole('button').first().click()
    await arrive(phone, /^\/$/)
    await expect.poll(() => scrolled(phone)).toBe(300)
    await press(phone, `navigateTo ${ABOUT}?id=1`)
    await arrive(phone, ABOUT)
    const opened = await scrolled(phone)
    await phone.page.goBack()

    expect([first, opened]).toEqual([0, 0])
    await expect.poll(() => scrolled(phone)).toBeGreaterThan(0)
  })

  it.each([
    [375, '16px'],
    [750, '32px'],
    [960, '40.96px'],
    [961, '16px'],
  ])('one rem at a width of %i is %s', async (width, size) => {
    const phone = await stage.phone('/pages/login/protocol')

    await phone.page.setViewportSize({ width, height: 844 })

    expect(await phone.page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(size)
  })

  it('a page that does not come says so in the user’s language, and a tap asks again', async () => {
    const phone = await stage.phone('/pages/login/protocol')
    phone.allow(/net::ERR_FAILED/)
    await phone.page.route('**/engine/web/page/detail?path=*widgets*', (route) => route.abort())

    for (const [locale, words] of Object.entries(FAILED)) {
      await phone.page.evaluate((to) => {
        localStorage.setItem('UNI_LOCALE', to)
        location.hash = '#/pages/vform/widgets/index'
      }, locale)
      await phone.page.reload()
      await inSight(phone.page).getByRole('button', { name: words }).waitFor()
      expect(await phone.page.locator('html').getAttribute('lang')).toBe(locale)
    }
    await phone.picture('page-failed')
    await phone.page.unroute('**/engine/web/page/detail?path=*widgets*')
    await inSight(phone.page).locator('.page-failed').click()

    await inSight(phone.page).locator('[data-widget]').first().waitFor()
  })
})

/** Lets the user's finger, the address bar or the browser's keys do it. */
async function take(phone: Phone, one: Step): Promise<void> {
  if (one.act === 'reload') {
    await phone.page.reload()
    await inSight(phone.page).getByRole('button', { name: 'back 1' }).waitFor()
  } else if (one.act === 'type') {
    await phone.page.evaluate((to) => {
      location.hash = `#${to}`
    }, one.url)
  } else if (one.act === 'browser') {
    await phone.page.evaluate((delta) => history.go(delta), one.delta)
  } else await press(phone, labelOf(one))
  await phone.page.waitForTimeout(one.act === 'navigateTo' ? LOCK_MS : SETTLE_MS)
}

function press(phone: Phone, label: string): Promise<void> {
  return inSight(phone.page)
    .getByRole('button', { name: label, exact: true })
    .evaluate((button) => (button as HTMLElement).click())
}

async function inSightNow(phone: Phone): Promise<{ address: string; page: string | null }> {
  return { address: decodeURI(phone.at()), page: await inSight(phone.page).getAttribute('data-page') }
}

const scrollTo = (phone: Phone, y: number) => phone.page.evaluate((to) => window.scrollTo(0, to), y)
const scrolled = (phone: Phone) => phone.page.evaluate(() => Math.round(window.scrollY))
