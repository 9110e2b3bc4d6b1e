import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchChromium } from '../../src/tools/browser.ts'

const OUTPUT = join(import.meta.dirname, '../output')
let shared: Promise<Browser> | null = null

/** One browser for all test files of a process; each file closes the contexts it opened. */
export async function sharedBrowser(): Promise<Browser> {
  if (shared === null || !(await shared).isConnected()) shared = launchChromium()
  return shared
}

/** What a browser itself writes to its console while there is no network. */
export const LOST_NETWORK = /net::ERR_INTERNET_DISCONNECTED|error occurred when fetching the script/

/** A user's phone: one browser context with one page. */
export interface Phone {
  readonly page: Page
  readonly context: BrowserContext
  /** Console warnings and errors, uncaught errors and policy reports so far, except allowed ones. */
  readonly complaints: () => readonly string[]
  /** Every toast since the page was loaded, in order; some disappear before a test can look. */
  readonly said: () => Promise<readonly string[]>
  /** From here on, matching complaints are expected (a lost network writes to the console by itself). */
  readonly allow: (pattern: RegExp) => void
  /** Path and query in the address bar's hash. */
  readonly at: () => string
  /** A picture under tests/output, not committed, if `SCREENS=yes` requests pictures. */
  readonly picture: (name: string) => Promise<void>
  /**
   * Another phone of the same person, signed in like this one: a page in the background is not rendered. It has the
   * same screen as this one, unless options are given.
   */
  readonly another: (url: string, look?: PhoneLook) => Promise<Phone>
  readonly close: () => Promise<void>
}

/** The size of a phone's screen, and the text size that its owner has set. */
export interface PhoneLook {
  readonly width: number
  readonly height: number
  readonly text: number
  /** False: a desktop with a mouse. */
  readonly touch?: boolean
}

/** An idle machine needs a tenth of it. */
export const TIMEOUT_MS = 30_000

export const USUAL: PhoneLook = { width: 390, height: 844, text: 1 }

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

export interface PhoneOptions {
  readonly look?: PhoneLook
  /** The stored data of another phone of the same person. */
  readonly storageState?: StorageState
  /**
   * The app's service worker caches all files in advance, which costs more than the rest of a short visit: enabled only where it matters.
   * Without it every visit is a first visit, with the browser's data saver on: parts and pages are loaded when they are needed. Loading them
   * ahead would be a third of the processor time of a visit.
   */
  readonly keepsShell?: boolean
}

/** What Playwright writes to the console if service workers are blocked. */
const NO_WORKER = /^warning: Service Worker registration blocked by Playwright/

/** Opens `url` at 390×844 unless options say otherwise, in Chinese, and collects every complaint of the browser. */
export async function openPhone(browser: Browser, url: string, options: PhoneOptions = {}): Promise<Phone> {
  const page = await newPage(browser, options)
  return phoneOn(page, url, options.storageState, {
    another: (at, look) => another(page, options, look, (more) => openPhone(browser, at, more)),
    close: () => page.context().close(),
  })
}

/** What a phone needs of whoever opened it. */
export type PhoneKeeper = Pick<Phone, 'another' | 'close'>

/** A phone of the same person: with that one's stored data, and its screen unless another is given. */
export async function another(
  page: Page,
  options: PhoneOptions,
  look: PhoneLook | undefined,
  open: (options: PhoneOptions) => Promise<Phone>,
): Promise<Phone> {
  const storageState = await page.context().storageState()
  return open({ ...options, storageState, ...(look && { look }) })
}

/** An empty page in a context of its own. */
export async function newPage(
  browser: Browser,
  { look = USUAL, keepsShell = false }: PhoneOptions,
): Promise<Page> {
  const { width, height, text, touch = true } = look
  const context = await browser.newContext({
    viewport: { width, height },
    isMobile: text !== 1,
    // Four times as many pixels to draw as layout needs: only for pictures of the manual.
    deviceScaleFactor: process.env.PICTURES === 'yes' ? 2 : 1,
    hasTouch: touch,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    serviceWorkers: keepsShell ? 'allow' : 'block',
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
  if (!keepsShell) await saveData(context, true)
  if (text !== 1)
    await context.addInitScript((times) => {
      // Like a phone with large system text: the root keeps 100 %.
      addEventListener('DOMContentLoaded', () => {
        document.documentElement.style.setProperty('text-size-adjust', `${times * 100}%`)
      })
    }, text)
  return context.newPage()
}

/** Stores the data when the page's first document begins. Playwright itself opens a page for that, which costs a sixth of a visit. */
async function openWith(page: Page, url: string, { cookies, origins }: StorageState): Promise<void> {
  await page.context().addCookies(cookies)
  const script = await page.addInitScript((stored) => {
    const own = stored.find(({ origin }) => origin === location.origin)
    for (const { name, value } of own?.localStorage ?? []) localStorage.setItem(name, value)
  }, origins)
  await page.goto(url)
  await script.dispose()
}

/** A picture under tests/output, if `SCREENS=yes` requests pictures: each costs as much processor time as opening a page. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.SCREENS !== 'yes') return
  const path = join(OUTPUT, `${name}.png`)
  await mkdir(dirname(path), { recursive: true })
  await page.screenshot({ path })
}

/** Turns the browser's data saver on or off, for the documents loaded from now on. */
export async function saveData(context: BrowserContext, isOn: boolean): Promise<void> {
  await context.addInitScript((value) => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: value }, configurable: true })
  }, isOn)
}

/** A toast, and the page's time when it appeared. */
export interface Said {
  readonly text: string
  readonly at: number
  /** A test has found it. */
  isHeard?: boolean
}

/** Opens `url` in a page, from then on with its console output. */
export async function phoneOn(
  page: Page,
  url: string,
  stored: StorageState | undefined,
  keeper: PhoneKeeper,
): Promise<Phone> {
  const complaints: string[] = []
  const allowed: RegExp[] = [NO_WORKER]
  const complain = (text: string) => {
    if (!allowed.some((pattern) => pattern.test(text))) complaints.push(text)
  }
  page.setDefaultTimeout(TIMEOUT_MS)
  page.on('console', (message) => {
    if (message.type() === 'warning' || message.type() === 'error') {
      complain(`${message.type()}: ${message.text()} (${message.location().url})`)
    }
  })
  page.on('pageerror', (error) => complain(`uncaught: ${error.stack ?? error.message}`))
  await (stored === undefined ? page.goto(url) : openWith(page, url, stored))
  return {
    page,
    context: page.context(),
    complaints: () => complaints,
    said: () => page.evaluate(() => (window as unknown as { said: Said[] }).said.map(({ text }) => text)),
    allow: (pattern) => allowed.push(pattern),
    at: () => new URL(page.url()).hash.replace(/^#/, '') || '/',
    picture: (name) => takePicture(page, name),
    ...keeper,
  }
}
