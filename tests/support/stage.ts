import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { openPhone, type Phone, type PhoneOptions, sharedBrowser } from './phone.ts'
import { type Product, type ProductOptions, startProduct } from './product.ts'

export interface Stage {
  readonly product: () => Product
  /**
   * A phone on a page of the product; closed after the test, which fails if the browser complained.
   * `origin`: the product's address for the phone, if not its own.
   */
  readonly phone: (at?: string, origin?: string) => Promise<Phone>
}

interface StageOptions extends ProductOptions, Pick<PhoneOptions, 'keepsShell'> {}

/** The real product and a browser for the tests of one file. */
export function aStage({ keepsShell = false, ...options }: StageOptions = {}): Stage {
  let product: Product | undefined
  let browser: Browser | undefined
  let phones: Phone[] = []

  beforeAll(async () => {
    product = await startProduct(options)
    browser = await sharedBrowser()
  })
  afterEach(async () => {
    const complaints = phones.flatMap((phone) => phone.complaints())
    await Promise.all(phones.map((phone) => phone.close()))
    phones = []
    expect(complaints, product?.log().slice(-2_000)).toEqual([])
  })
  afterAll(async () => {
    await product?.remove()
  })

  return {
    product: () => required(product),
    async phone(at = '/', origin = required(product).url) {
      const phone = await openPhone(required(browser), `${origin}/#${at}`, { keepsShell })
      phones.push(phone)
      return phone
    },
  }
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the stage is not set up yet')
  return value
}
