import type { Browser } from 'playwright-core'
import { arrive, logIn } from './acts.ts'
import { openPhone, type Phone, type PhoneLook } from './phone.ts'

/** Several phones of one signed-in person, each used by one walk at a time. */
export interface Desk {
  readonly use: <T>(work: (phone: Phone) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

/** Signs `account` in once and opens that many phones, one after the other. */
export async function openDesk(
  browser: Browser,
  url: string,
  account: string,
  look: PhoneLook,
  count: number,
): Promise<Desk> {
  const first = await openPhone(browser, `${url}/#/pages/login/login`, { look })
  await logIn(first, account)
  await arrive(first, '/')
  const phones: Phone[] = [first]
  while (phones.length < count) phones.push(await first.another(`${url}/#/pages/my/about`))
  return deskWith(phones)
}

/** A phone of the same person with another look, signed in along with the first. */
export function anotherDesk(desk: Desk, url: string, look: PhoneLook): Promise<Desk> {
  return desk.use(async (phone) => deskWith([await phone.another(`${url}/#/pages/my/about`, look)]))
}

function deskWith(phones: readonly Phone[]): Desk {
  const free = [...phones]
  const waiting: ((phone: Phone) => void)[] = []
  const take = (): Promise<Phone> => {
    const phone = free.pop()
    return phone === undefined ? new Promise((given) => waiting.push(given)) : Promise.resolve(phone)
  }
  return {
    async use(work) {
      const phone = await take()
      try {
        return await work(phone)
      } finally {
        const next = waiting.shift()
        if (next === undefined) free.push(phone)
        else next(phone)
      }
    },
    async close() {
      for (const phone of phones) await phone.close()
    },
  }
}
