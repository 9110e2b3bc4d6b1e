import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { arrive, box, inSight, logIn } from '../support/acts.ts'
import { aStage } from '../support/stage.ts'

const PAGE = 'pages/customer/my/add.json'

describe('an implementer’s walk', { timeout: 90_000 }, () => {
  const stage = aStage()

  it('changes a page on disk: the open screen follows within a second and keeps what is typed', async () => {
    const phone = await stage.phone('/pages/customer/my/add')
    const { page } = phone
    await logIn(phone)
    await arrive(phone, '/pages/customer/my/add')
    const file = join(stage.product().schemasDir, PAGE)
    const good = await readFile(file, 'utf8')
    await box(page, 'contact_name').fill('李四')
    await box(page, 'name').click()
    await page.keyboard.type('银河')
    await page.evaluate(() => scrollTo(0, 60))
    const scrolled = await page.evaluate(() => scrollY)

    await writeFile(file, good.replace('"requiredHint": "请填写名称"', '"label": "企业全称"'))
    const at = Date.now()
    await inSight(page).getByText('企业全称').waitFor()
    const took = Date.now() - at
    await page.keyboard.type('有限公司')

    expect(took).toBeLessThan(1_000)
    expect(await box(page, 'name').inputValue()).toBe('银河有限公司')
    expect(await box(page, 'contact_name').inputValue()).toBe('李四')
    expect(await page.evaluate(() => scrollY)).toBe(scrolled)
    await phone.picture('live-change')
    console.log(`live change: ${took} ms`)
  })

  it('a broken edit leaves the last good page and names file, pointer, sentence and hint', async () => {
    const phone = await stage.phone('/pages/customer/my/add')
    const { page } = phone
    await logIn(phone)
    await arrive(phone, '/pages/customer/my/add')
    const file = join(stage.product().schemasDir, PAGE)
    const good = await readFile(file, 'utf8')
    await box(page, 'name').fill('银河')

    await writeFile(file, good.slice(0, -20))
    const banner = inSight(page).getByRole('alert')
    await banner.getByText('JSON_INVALID').waitFor()
    await phone.picture('live-broken')
    const said = await banner.textContent()
    await writeFile(file, good)
    await banner.waitFor({ state: 'detached' })

    expect(said).toContain(`schemas/${PAGE}`)
    expect(said).toContain('look at the line and column')
    expect(await box(page, 'name').inputValue()).toBe('银河')
  })
})
