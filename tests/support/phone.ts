import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchChromium } from '../../src/tools/browser.ts'

const OUTPUT = join(import.meta.dirname, '../output')
let shared: Promise<Browser> | null = null

/** One browser for the files of a process, which ends with it: each closes the contexts it opened. */
export async function sharedBrowser(): Promise<Browser> {
  if (shared === null || !(await shared).isConnected()) shared = launchChromium()
  return shared
}

/** What a browser writes to its console by itself while there is no network. */
export const LOST_NETWORK = /net::ERR_INTERNET_DISCONNECTED|error occurred when fetching the script/

/** A phone in a person's hand: one browser context with one page. */
export interface Phone {
  readonly page: Page
  readonly context: BrowserContext
  /** Console warnings and errors, uncaught errors and policy reports so far, those allowed left out. */
  readonly complaints: () => readonly string[]
  /** Every toast since the page was loaded, in order; some are gone before one can look. */
  readonly said: () => Promise<readonly string[]>
  /** From here on complaints that match are expected (a lost network writes to the console by itself). */
  readonly allow: (pattern: RegExp) => void
  /** Path and query in the address bar's hash. */
  readonly at: () => string
  /** A picture under tests/output, not committed. */
  readonly picture: (name: string) => Promise<void>
  /**
   * A further phone of the same person, signed in as this one: a page beside another is not drawn while that is in front. It looks
   * as this one, or as said.
   */
  readonly another: (url: string, look?: PhoneLook) => Promise<Phone>
  readonly close: () => Promise<void>
}

/** The size of a phone's screen, and how many times as large as usual its owner wants text. */
export interface PhoneLook {
  readonly width: number
  readonly height: number
  readonly text: number
  /** False: a desk with a mouse. */
  readonly touch?: boolean
}

/** A quiet machine needs a tenth of it. */
export const PATIENCE_MS = 30_000

const USUAL: PhoneLook = { width: 390, height: 844, text: 1 }

export interface PhoneOptions {
  readonly look?: PhoneLook
  /** What another phone of the same person has stored. */
  readonly storageState?: Awaited<ReturnType<BrowserContext['storageState']>>
  /**
   * The app's service worker fetches all files ahead, which costs more than all else of a short visit: only where it has a part. Without
   * it a phone is as on its first visit.
   */
  readonly keepsShell?: boolean
}

/** What Playwright writes to the console where no service worker may be. */
const NO_WORKER = /^warning: Service Worker registration blocked by Playwright/

/** Opens `url` at 390×844 or as said, in Chinese, and listens for every complaint of the browser. */
export async function openPhone(browser: Browser, url: string, options: PhoneOptions = {}): Promise<Phone> {
  const { look = USUAL, storageState, keepsShell = false } = options
  const { width, height, text, touch = true } = look
  const context = await browser.newContext({
    viewport: { width, height },
    isMobile: text !== 1,
    deviceScaleFactor: 2,
    hasTouch: touch,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    serviceWorkers: keepsShell ? 'allow' : 'block',
    ...(storageState && { storageState }),
  })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(
        `policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
      )
    })
  })
  await context.addInitScript(() => {
    const said: Said[] = []
    Object.assign(window, { said })
    new MutationObserver((changes) => {
      for (const node of changes.flatMap((change) => [...change.addedNodes])) {
        if (node instanceof Element && node.classList.contains('toast'))
          said.push({ text: node.textContent ?? '', at: performance.now() })
      }
    }).observe(document, { subtree: true, childList: true })
  })
  if (text !== 1)
    await context.addInitScript((times) => {
      // What a phone does whose owner wants large text: the root says 100 %.
      addEventListener('DOMContentLoaded', () => {
        document.documentElement.style.setProperty('text-size-adjust', `${times * 100}%`)
      })
    }, text)
  return watched(context, url, async (at, other = look) =>
    openPhone(browser, at, { look: other, storageState: await context.storageState(), keepsShell }),
  )
}

/** A toast, and the page's time when it came. */
export interface Said {
  readonly text: string
  readonly at: number
}

/** A page of that browser, with everything it says. */
async function watched(context: BrowserContext, url: string, another: Phone['another']): Promise<Phone> {
  const complaints: string[] = []
  const allowed: RegExp[] = [NO_WORKER]
  const complain = (text: string) => {
    if (!allowed.some((pattern) => pattern.test(text))) complaints.push(text)
  }
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  page.on('console', (message) => {
    if (message.type() === 'warning' || message.type() === 'error') {
      complain(`${message.type()}: ${message.text()} (${message.location().url})`)
    }
  })
  page.on('pageerror', (error) => complain(`uncaught: ${error.stack ?? error.message}`))
  await page.goto(url)
  return {
    page,
    context,
    complaints: () => complaints,
    said: () => page.evaluate(() => (window as unknown as { said: Said[] }).said.map(({ text }) => text)),
    allow: (pattern) => allowed.push(pattern),
    at: () => new URL(page.url()).hash.replace(/^#/, '') || '/',
    async picture(name) {
      const path = join(OUTPUT, `${name}.png`)
      await mkdir(dirname(path), { recursive: true })
      await page.screenshot({ path })
    },
    another,
    close: () => context.close(),
  }
}
