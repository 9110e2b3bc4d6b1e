import { describe, expect, it } from 'vitest'
import { arrive, box, inSight, logIn } from '../support/acts.ts'
import type { Phone } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

/** Rows that stand in the window together. */
const FEW = 8

describe('home', { timeout: 60_000 }, () => {
  const stage = aStage()

  it.each(['demo', 'director'])('opens for each number exactly so many rows, as %s', async (account) => {
    const phone = await signedIn(account)
    if (account === 'director') await inSight(phone.page).getByText('团队', { exact: true }).click()
    const tiles = inSight(phone.page).locator('[data-key="statistics"] .vf-stat')
    await expect.poll(() => tiles.count()).toBe(8)
    await phone.page.waitForTimeout(1_500)

    for (const at of [0, 1, 4, 5, 6, 7]) {
      const number = Number.parseInt(await tiles.nth(at).locator('.vf-stat-number').innerText(), 10)
      await tiles.nth(at).click()
      await arrive(phone, '/pages/stats/detail')
      const page = inSight(phone.page)
      await page.getByText(String(number), { exact: true }).first().waitFor()
      const rows = page.locator('[data-widget="list"] .vf-card:has([data-widget])')
      if (number <= FEW) await expect.poll(() => rows.count()).toBe(number)
      await phone.page.goBack()
      await arrive(phone, '/')
    }
  })

  it('fetches what draws charts only when one comes into view, and has their numbers as tables', async () => {
    const phone = await signedIn()
    const drawn = () =>
      phone.page.evaluate(() =>
        performance.getEntriesByType('resource').some((entry) => /\/draw-[^/]*\.js/.test(entry.name)),
      )
    await phone.page.waitForTimeout(2_500)
    const before = await drawn()
    const chart = inSight(phone.page).locator('[data-widget="chart"]')

    await chart.first().scrollIntoViewIfNeeded()
    await chart.first().locator('img').waitFor()
    await chart.first().getByRole('button', { name: '查看数据' }).click()

    expect(before).toBe(false)
    expect(await chart.first().locator('tbody tr').count()).toBe(6)
  })

  async function signedIn(account = 'demo'): Promise<Phone> {
    const phone = await stage.phone()
    await box(phone.page, 'password').waitFor()
    await logIn(phone, account)
    await arrive(phone, '/')
    await inSight(phone.page).locator('[data-widget="stat-grid"]').first().waitFor()
    return phone
  }
})
