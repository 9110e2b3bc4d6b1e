import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { another, newPage, openPhone, type Phone, type PhoneOptions, phoneOn, USUAL } from './phone.ts'

/**
 * Phones whose page is emptied when they are closed, and used for the next one: the browser then need not start another process and compile all code
 * again, which is half of the processor time of a visit. An emptied page has no stored data, history or listener of the one before.
 */
export interface KeptPages {
  readonly open: (url: string, options?: PhoneOptions) => Promise<Phone>
  /** Closes the pages themselves. */
  readonly close: () => Promise<void>
}

interface KeptPage {
  readonly page: Page
  readonly tools: CDPSession
  /** Its `PhoneLook` as JSON. */
  readonly look: string
  readonly origin: string
  /** True if a test has changed what emptying does not undo. */
  isSpoiled: boolean
}

/** A document of the server without the app. */
const EMPTY = '/livez'
/** What a test may do to a page or its context that emptying does not undo. */
const ADDED = [
  ...['addInitScript', 'exposeFunction', 'exposeBinding'],
  ...['route', 'routeWebSocket', 'setExtraHTTPHeaders'],
]
/** The same, of contexts only. */
const CHANGED = [
  ...['setOffline', 'grantPermissions', 'setGeolocation'],
  ...['newCDPSession', 'newPage', 'on', 'once'],
]
/** The same, of the clock that a context and its pages share. */
const TIMED = ['install', 'setFixedTime', 'setSystemTime', 'pauseAt']
/** Events of a page that tests listen to. */
const EVENTS = [
  ...['console', 'pageerror', 'request', 'requestfailed', 'requestfinished', 'response'],
  ...['dialog', 'download', 'filechooser', 'framenavigated', 'popup', 'worker', 'websocket'],
]

/** Kept pages of that browser. A phone that keeps the app's shell gets a new one: its service worker would serve the next phone. */
export function keptPages(browser: Browser): KeptPages {
  const free: KeptPage[] = []
  const contexts = new Set<BrowserContext>()

  const open: KeptPages['open'] = async (url, options = {}) => {
    if (options.keepsShell) return openPhone(browser, url, options)
    const { origin } = new URL(url)
    const look = JSON.stringify(options.look ?? USUAL)
    const at = free.findIndex((one) => one.origin === origin && one.look === look)
    const kept = at < 0 ? await create(origin, look, options) : (free.splice(at, 1)[0] as KeptPage)
    let isOpen = true
    const phone = await phoneOn(kept.page, url, options.storageState, {
      another: (to, other) => another(kept.page, options, other, (more) => open(to, more)),
      async close() {
        // A test may have closed it already, and another phone be on that page.
        if (!isOpen) return
        isOpen = false
        await giveBack(kept)
      },
    })
    // Opening itself adds a script, and removes it.
    kept.isSpoiled = false
    return phone
  }

  async function create(origin: string, look: string, options: PhoneOptions): Promise<KeptPage> {
    const page = await newPage(browser, options)
    const context = page.context()
    contexts.add(context)
    const kept = { page, tools: await context.newCDPSession(page), origin, look, isSpoiled: false }
    const spoil = () => {
      kept.isSpoiled = true
    }
    beforeCalls(page, ADDED, spoil)
    beforeCalls(context, [...ADDED, ...CHANGED], spoil)
    beforeCalls(context.clock, TIMED, spoil)
    return kept
  }

  async function giveBack(kept: KeptPage): Promise<void> {
    if (await emptied(kept)) return void free.push(kept)
    contexts.delete(kept.page.context())
    await kept.page.context().close()
  }

  return {
    open,
    async close() {
      await Promise.all([...contexts].map((context) => context.close()))
    },
  }
}

/** Removes what a phone has left in its page. @returns false if that is impossible */
async function emptied({ page, tools, origin, look, isSpoiled }: KeptPage): Promise<boolean> {
  const context = page.context()
  if (isSpoiled || page.isClosed() || context.pages().length > 1) return false
  for (const event of EVENTS) page.removeAllListeners(event)
  const answer = await page.goto(origin + EMPTY).catch(() => null)
  if (!answer?.ok()) return false
  await page.evaluate(() => sessionStorage.clear())
  await context.clearCookies()
  await tools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await tools.send('Page.resetNavigationHistory')
  await page.emulateMedia({ colorScheme: null, media: null, reducedMotion: null, forcedColors: null })
  await page.setViewportSize(JSON.parse(look))
  return true
}

/** Calls `noted` before each of these methods. */
function beforeCalls(target: object, names: readonly string[], noted: () => void): void {
  for (const name of names) {
    const act: (...values: unknown[]) => unknown = Reflect.get(target, name).bind(target)
    Reflect.set(target, name, (...values: unknown[]) => {
      noted()
      return act(...values)
    })
  }
}
