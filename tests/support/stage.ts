import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { logIn } from './acts.ts'
import { type KeptPages, keptPages } from './kept-pages.ts'
import { type Phone, type PhoneLook, type PhoneOptions, sharedBrowser } from './phone.ts'
import { type Product, type ProductOptions, startProduct } from './product.ts'

export interface Stage {
  readonly product: () => Product
  /**
   * A phone on a page of the product; closed after the test, which fails if the browser complained.
   * `origin`: the product's address for the phone, if not its own; `more`: instead of the options of the stage.
   */
  readonly phone: (at?: string, origin?: string, more?: PhoneOptions) => Promise<Phone>
  /**
   * The same with somebody signed in. The form is filled in once per file and account: other phones of that account get what it stored, so they
   * are one device. A test of signing in or out, or of several devices, uses `phone` and `logIn`.
   */
  readonly signedIn: (account?: string, at?: string, look?: Screen) => Promise<Phone>
}

type Screen = Pick<PhoneLook, 'width' | 'height'> & Partial<PhoneLook>

interface StageOptions extends ProductOptions, Pick<PhoneOptions, 'keepsShell'> {}

/** The real product and a browser for the tests of one file. */
export function aStage({ keepsShell = false, ...options }: StageOptions = {}): Stage {
  let product: Product | undefined
  let pages: KeptPages | undefined
  let phones: Phone[] = []
  const sessions = new Map<string, PhoneOptions['storageState']>()

  beforeAll(async () => {
    product = await startProduct(options)
    pages = keptPages(await sharedBrowser())
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log((await Promise.all(phones.map(lastSeen))).join('\n'))
    const complaints = phones.flatMap((phone) => phone.complaints())
    await Promise.all(phones.map((phone) => phone.close()))
    phones = []
    expect(complaints, product?.log().slice(-2_000)).toEqual([])
  })
  afterAll(async () => {
    await pages?.close()
    await product?.remove()
  })

  async function opened(url: string, more: PhoneOptions = {}): Promise<Phone> {
    const phone = await required(pages).open(url, { keepsShell, ...more })
    phones.push(phone)
    return phone
  }
  return {
    product: () => required(product),
    phone: (at = '/', origin = required(product).url, more = {}) => opened(`${origin}/#${at}`, more),
    async signedIn(account = 'demo', at = '/', screen) {
      const url = `${required(product).url}/#${at}`
      const look = screen && { look: { text: 1, ...screen } }
      const storageState = sessions.get(account)
      if (storageState !== undefined) return opened(url, { storageState, ...look })
      const login = `/pages/login/login?redirect=${encodeURIComponent(at)}`
      const phone = await opened(`${required(product).url}/#${login}`, look)
      await logIn(phone, account)
      await expect.poll(phone.at).not.toContain('/pages/login/')
      await phone.page.locator('.toast').waitFor({ state: 'detached' }) // those who get the session see no message either
      sessions.set(account, await phone.context.storageState())
      return phone
    },
  }
}

/** What a failed test's phone showed at the end. */
async function lastSeen({ at, said, page }: Phone): Promise<string> {
  const shown = page.locator('body').innerText({ timeout: 2_000 })
  const [toasts, text] = await Promise.all([said(), shown].map((one) => one.catch(String)))
  return `${at()}\ntoasts ${JSON.stringify(toasts)}\n${text}`
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the stage is not set up yet')
  return value
}
