import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { arrive, box, goTo, inSight, logIn, open } from '../support/acts.ts'
import { long } from '../support/long.ts'
import { nextBuild } from '../support/next-build.ts'
import { BUILT, type Product, startProduct } from '../support/product.ts'
import { aStage } from '../support/stage.ts'

const ADD = '/pages/customer/my/add'

const stage = aStage({ keepsShell: true })
let next: Product | undefined
let root = ''
afterAll(async () => {
  await next?.remove()
  await rm(root, { recursive: true, force: true })
})

it(
  'an app that stays open during an upgrade continues, is offered the new version once, and keeps its input',
  long,
  async () => {
    const phone = await stage.phone()
    phone.allow(
      /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|error occurred when fetching the script/,
    )
    const { page } = phone
    const entry = () =>
      page.evaluate(() => document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src)
    const offer = page.locator('.draft-notice').filter({ hasText: '有新版本' })
    await logIn(phone)
    await arrive(phone, '/')
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    await open(phone, ADD)
    await box(page, 'name').fill('升级时正在写的客户')
    const before = await entry()

    const { url, dataDir, stop } = stage.product()
    root = await nextBuild()
    await stop()
    next = await startProduct({ dataDir, env: { PORT: new URL(url).port, APP_ROOT: root } })
    await offer.waitFor({ timeout: 30_000 })

    const asked = (await readdir(join(BUILT, 'dist/app/assets'))).filter((name) =>
      /^(?:agenda|board)-.*js$/.test(name),
    )
    const lazy = await Promise.all(asked.map((name) => fetch(`${url}/assets/${name}`)))
    expect(asked).toHaveLength(2)
    expect(lazy.map(({ status }) => status)).toEqual([200, 200])
    await goTo(phone, '/pages/stats/index')
    await inSight(page).getByText('合同金额').first().waitFor()
    await page.goBack()
    await expect.poll(() => box(page, 'name').inputValue()).toBe('升级时正在写的客户')
    await phone.picture('upgrade-offered')

    await offer.getByRole('button').click()
    await expect.poll(entry).not.toBe(before)
    await expect.poll(() => box(page, 'name').inputValue()).toBe('升级时正在写的客户')
    await expect
      .poll(() =>
        page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting !== null),
      )
      .toBe(true)
    await page.waitForTimeout(3_000)
    expect(await offer.isVisible()).toBe(false)
    await phone.picture('upgrade-done')
  },
)
