import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import en from '../../schemas/text/en.json'
import es from '../../schemas/text/es.json'
import fr from '../../schemas/text/fr.json'
import hans from '../../schemas/text/zh-hans.json'
import hant from '../../schemas/text/zh-hant.json'
import { arrive, box, button, goTo, inSight, logIn, toasted } from '../support/acts.ts'
import { long } from '../support/long.ts'
import type { Phone } from '../support/phone.ts'
import { type Step, sightOf, startWalk, walk } from '../support/stack-model.ts'
import { aStage } from '../support/stage.ts'
import { CHOICES, type FILES, TOOLS, writeToolPage } from '../support/tool-page.ts'
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
/** The message of a page that could not be fetched (SHELL 1.5). */
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
await writeToolPage(pages)
const stage = aStage({ extraSchemas: pages })

describe('in the browser', () => {
  it('Back closes a layer first, even on the first page', async () => {
    const phone = await stage.phone(TOOLS)
    const { page } = phone
    const panel = page.getByRole('dialog', { name: '面板' })
    const wheels = page.locator('.vf-wheels:visible')

    await press(phone, 'ask')
    await page.getByText('内容').waitFor()
    await page.goBack()
    await toasted(phone, '已取消')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await press(phone, 'open')
    await panel.waitFor()
    await panel.getByText('选日期').click()
    await wheels.waitFor()
    await page.goBack()
    await wheels.waitFor({ state: 'hidden' })
    const still = await panel.isVisible()
    await page.goBack()
    await panel.waitFor({ state: 'detached' })
    await press(phone, 'must')
    await page.getByText('必须确定').waitFor()
    await page.goBack()
    await page.waitForTimeout(500)

    expect(still).toBe(true)
    expect(await page.getByText('必须确定').isVisible()).toBe(true)
    expect(phone.at()).toBe(TOOLS)
  })

  it(
    'a random walk opens the pages of the simple model, back and forward keys and reload included',
    long,
    async () => {
      const phone = await stage.signedIn()
      await inSight(phone.page).getByRole('button', { name: 'back 1' }).waitFor()
      let expected = startWalk('/')
      const [steps = []] = fc.sample(fc.array(step, { minLength: STEPS, maxLength: STEPS }), {
        numRuns: 1,
        seed: 20_261_120,
      })

      for (const [at, one] of steps.entries()) {
        // Before the first page there is no entry of ours: that step would leave the app.
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
    },
  )

  it('a tab page keeps its scroll position, and a page opened again begins at its top', async () => {
    const phone = await stage.signedIn()
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

  it('one rem is 16 px at a width of 375 and grows with it up to 960', async () => {
    const phone = await stage.phone('/pages/login/protocol')
    const sizes: string[] = []

    for (const width of [375, 750, 960, 961]) {
      await phone.page.setViewportSize({ width, height: 844 })
      sizes.push(await phone.page.evaluate(() => getComputedStyle(document.documentElement).fontSize))
    }

    expect(sizes).toEqual(['16px', '32px', '40.96px', '16px'])
  })

  it('elements that pages pin to the edges of a wide window stay within it', async () => {
    const phone = await stage.signedIn('demo', '/pages/customer/my/index')
    await phone.page.setViewportSize({ width: 1440, height: 900 })
    const sides = async (part: string) => {
      const box = await inSight(phone.page).locator(part).first().boundingBox()
      return box && [box.x, box.x + box.width]
    }
    await inSight(phone.page).locator('.vf-fab').waitFor()
    const [, fab = 0] = (await sides('.vf-fab')) ?? []
    await goTo(phone, '/pages/customer/my/add')
    await inSight(phone.page).locator('.vf-bar').waitFor()

    expect(fab).toBe(1440 - 16)
    // The menus take the left side.
    expect(await sides('.vf-bar')).toEqual([200, 1440])
    await phone.picture('desk-bar')
  })

  it('a page that cannot be loaded reports it in the user’s language, and a tap retries', async () => {
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

  it('an app that cannot be loaded reports it, and a tap reloads it', async () => {
    const phone = await stage.phone('/pages/login/protocol')
    phone.allow(/net::ERR_FAILED/)
    await phone.page.route('**/assets/index-*.js', (route) => route.abort())
    await phone.page.reload()

    const words = phone.page.getByRole('link', { name: FAILED['zh-Hans'], includeHidden: true })
    const atFirst = await words.isVisible()
    await words.evaluate((link) => {
      for (const animation of link.getAnimations()) animation.finish() // 20 s
    })
    await phone.picture('app-failed')
    await phone.page.unroute('**/assets/index-*.js')
    await words.click()

    expect(atFirst).toBe(false)
    await inSight(phone.page).locator('[data-widget]').first().waitFor()
  })

  it('a lost part of the app is requested again, and the app works without its icons', async () => {
    const phone = await stage.phone('/pages/login/protocol')
    phone.allow(/net::ERR_FAILED/)
    let asked = 0
    let pictures = 0
    await phone.context.route('**/assets/icon-set-*.js', (route) => {
      pictures += 1
      return route.abort()
    })
    await phone.context.route('**/assets/uploads-*.js', (route) => {
      asked += 1
      return asked === 1 ? route.abort() : route.continue()
    })

    await phone.page.evaluate((to) => {
      location.hash = `#${to}`
    }, TOOLS)
    await inSight(phone.page).getByRole('button', { name: 'good.pdf', exact: true }).waitFor()
    await phone.page.evaluate(() => {
      location.hash = '#/'
    })
    await logIn(phone)

    const tabs = phone.page.getByRole('navigation').getByRole('button')
    await tabs.first().waitFor()
    await expect.poll(() => pictures).toBe(3)
    await phone.page.waitForTimeout(300) // after the last one nothing follows
    expect(await tabs.first().textContent()).toBe('首页')
    expect(asked).toBe(3) // lost, fetched, imported: a browser whose requests are intercepted caches nothing
    expect(await phone.page.getByText('WIDGET_FAILED').count()).toBe(0)
  })

  it('a login required by the cloud leads back to its page, and never out of the app', async () => {
    const login = (back: string) => `/pages/login/login?uniIdRedirectUrl=${encodeURIComponent(back)}`
    const phone = await stage.phone(login(`${ABOUT}?id=2`))
    await logIn(phone)
    await arrive(phone, `${ABOUT}\\?id=2`)

    await phone.page.evaluate((to) => {
      localStorage.removeItem('token')
      location.hash = `#${to}`
    }, login('//evil.example/pages/my/about'))
    await expect.poll(phone.at).toBe('/pages/login/login')
    await logIn(phone)
    await arrive(phone, /^\/$/)
    expect(new URL(phone.page.url()).origin).toBe(stage.product().url)
  })
})

describe('layers above the page', () => {
  it('show one toast at a time, each for its full 1500 ms', async () => {
    const phone = await stage.phone(TOOLS)
    const seen = await watchToasts(phone)

    await press(phone, 'two')
    await expect.poll(() => seen.evaluate(({ ended }) => ended)).toBeGreaterThan(0)
    const { most, began, ended } = await seen.jsonValue()

    expect(most).toBe(1)
    expect(ended - began).toBeGreaterThan(1_450) // of the second one, which appeared a second after the first
    expect(ended - began).toBeLessThan(2_200)
  })

  it('of a form that is left while it is saved: no 正在保存 stays over the next page', async () => {
    const phone = await stage.signedIn('demo', '/')
    await goTo(phone, '/pages/customer/my/add')
    await box(phone.page, 'name').fill('离开时还在保存的客户')
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await phone.page.route('**/mini/customer/create', async (route) => {
      await held
      await route.continue()
    })
    let isGivenUp = false
    phone.page.on('requestfailed', (request) => {
      isGivenUp ||= request.url().endsWith('/customer/create')
    })
    const saving = phone.page.locator('.toast').getByText('正在保存')
    await button(phone.page, '保存').click()
    await saving.waitFor()
    await phone.page.goBack()

    await saving.waitFor({ state: 'detached' })
    expect(isGivenUp).toBe(false)
    await arrive(phone, /^\/$/)
    const stored = phone.page.waitForResponse('**/mini/customer/create')
    answer()
    expect((await stored).status()).toBe(200)
    expect(await saving.count()).toBe(0)
  })

  it('answer a modal by its buttons and keys, not by the mask', async () => {
    const phone = await stage.phone(TOOLS)
    const dialog = phone.page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: '确定' })
    const answered = async (act: () => Promise<void>, words: string) => {
      await press(phone, 'ask')
      await dialog.waitFor()
      await act()
      await toasted(phone, words)
    }

    await press(phone, 'ask')
    await phone.page.mouse.click(5, 5)
    expect(await dialog.getByRole('button').allTextContents()).toEqual(['取消', '确定'])
    expect(await confirm.evaluate((button) => getComputedStyle(button).color)).toBe('rgb(0, 122, 255)')
    await phone.picture('modal')
    await confirm.click()
    await toasted(phone, '已确定')
    await answered(() => dialog.getByRole('button', { name: '取消' }).click(), '已取消')
    await answered(() => phone.page.keyboard.press('Enter'), '已确定')
    await answered(() => phone.page.keyboard.press('Escape'), '已取消')

    await press(phone, 'must')
    await dialog.getByText('必须确定').waitFor()
    for (let times = 0; times < 3; times += 1) await phone.page.keyboard.press('Escape')
    await expect.poll(() => dialog.getByRole('button').allTextContents()).toEqual(['确定'])
    await confirm.click()
    await answered(() => confirm.click(), '已确定')
  })

  it('cut off a long action sheet in the middle of an entry, and close it by its button, the mask and Escape', async () => {
    const phone = await stage.phone(TOOLS)
    const sheet = phone.page.getByRole('dialog')

    for (const leave of [
      () => sheet.getByRole('button', { name: '取消' }).click(),
      () => phone.page.mouse.click(195, 20),
      () => phone.page.keyboard.press('Escape'),
    ]) {
      await press(phone, 'choose')
      await sheet.waitFor()
      await leave()
      await sheet.waitFor({ state: 'detached' })
    }
    await press(phone, 'choose')
    await phone.picture('action-sheet')
    const [entry] = await sheet.locator('.sheet-items button').all()
    const heights = await Promise.all(
      [sheet.locator('.sheet-items'), entry].map(async (one) => (await one?.boundingBox())?.height),
    )
    expect(heights).toEqual([11.5 * 44, 44])
    expect(await sheet.locator('.sheet-items button').allTextContents()).toEqual([...CHOICES])
    await sheet.getByRole('button', { name: '乙' }).nth(1).click()

    await toasted(phone, '选了第 3 个')
  })

  it('show a document in a window, and a message for a missing or empty one', async () => {
    const phone = await stage.phone(TOOLS)
    phone.allow(/404/)
    const tokens: (string | undefined)[] = []
    const answers = { good: { body: '%PDF-1.4' }, gone: { status: 404 }, empty: { body: '' } } as const
    for (const [name, answer] of Object.entries(answers))
      await phone.context.route(`**/files/${name}`, (route) => {
        tokens.push(route.request().headers().authorization)
        return route.fulfill({ contentType: 'application/pdf', ...answer })
      })
    const tap = (name: keyof typeof FILES) =>
      inSight(phone.page).getByRole('button', { name }).first().click()

    const opened = phone.context.waitForEvent('page')
    await tap('good.pdf')
    const apart = await opened
    await apart.close()
    for (const [at, name] of (['gone.pdf', 'empty.pdf'] as const).entries()) {
      await tap(name)
      await expect
        .poll(async () => (await phone.said()).filter((words) => words === '文件不支持预览').length)
        .toBe(at + 1)
    }

    expect(phone.context.pages()).toHaveLength(1)
    expect(await phone.page.locator('.loading-mask').count()).toBe(0)
    expect(tokens.every((token) => token === undefined)).toBe(true)
  })
})

/** Performs it by finger, address bar or keyboard. */
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

/** By the page's own clock: how many toasts were visible at once, when the last one appeared, when none was left. */
function watchToasts({ page }: Phone) {
  return page.evaluateHandle(() => {
    const seen = { most: 0, began: 0, ended: 0 }
    let text = ''
    new MutationObserver(() => {
      const toasts = document.querySelectorAll('.toast')
      const now = toasts[0]?.textContent ?? ''
      seen.most = Math.max(seen.most, toasts.length)
      if (now !== '' && now !== text) seen.began = performance.now()
      if (now === '' && text !== '') seen.ended = performance.now()
      text = now
    }).observe(document, { subtree: true, childList: true })
    return seen
  })
}
