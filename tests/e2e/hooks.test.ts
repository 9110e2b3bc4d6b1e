import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { box, button, toasted } from '../support/acts.ts'
import { aStage } from '../support/stage.ts'

const PAGE = '/pages/vform/template/index'

describe('hooks of a page', () => {
  const stage = aStage({ extraSchemas: join(import.meta.dirname, '../support/schemas') })

  it('run in their own worker and write into the page', async () => {
    const phone = await stage.phone(PAGE)

    await box(phone.page, 'source').fill('甲')
    await box(phone.page, 'copy').click()

    await expect.poll(() => box(phone.page, 'copy').inputValue()).toBe('复制：甲')
  })

  it.each([
    ['that loops for ever', 'loop'],
    ['that loops in a native string search', 'native'],
  ])(
    'are aborted if one is a hook %s: the page responds meanwhile, shows the notice and continues to work',
    async (_, name) => {
      const phone = await stage.phone(PAGE)
      const { page } = phone
      await box(page, 'source').fill('热身')
      await box(page, 'copy').click()
      await expect.poll(() => box(page, 'copy').inputValue()).toBe('复制：热身')

      await box(page, name).fill('x')
      await box(page, 'copy').click()
      const asked = Date.now()
      await button(page, '点我').click()
      await expect.poll(phone.said, { interval: 20 }).toContain('页面还活着')
      const answered = Date.now() - asked

      await expect.poll(phone.said).toContain('页面中的一段脚本没有运行成功')
      await phone.picture(`hook-${name}`)
      await box(page, 'source').fill('乙')
      await box(page, 'copy').click()
      await expect.poll(() => box(page, 'copy').inputValue()).toBe('复制：乙')
      expect(answered).toBeLessThan(1_000)
    },
  )

  it('are stopped after failing three times, until the page is loaded again', async () => {
    const phone = await stage.phone(PAGE)
    const { page } = phone

    for (const value of ['1', '2', '3']) {
      await box(page, 'loop').fill(value)
      await box(page, 'copy').click()
      await page.locator('.toast').waitFor()
      if (value !== '3') await page.locator('.toast').waitFor({ state: 'detached' })
    }

    await toasted(phone, '已停用')
  })
})
