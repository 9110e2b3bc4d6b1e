import type { Locator, Page } from 'playwright-core'
import { ask, type Row } from './acts.ts'
import type { Phone } from './phone.ts'

/** Grants somebody the permission to edit pages. */
export async function makeImplementer(admin: Phone, account: string): Promise<void> {
  const listOf = async (what: string): Promise<Row[]> =>
    (await ask(admin, `/engine/web/${what}/list`, {})).list as Row[]
  const person = (await listOf('user')).find((one) => one.account === account)
  const role = (await listOf('role')).find((one) => one.name === '管理员')
  await ask(admin, '/engine/web/user/save', {
    ...person,
    role_ids: [role?.id],
    clientToken: `implementer-${account}`,
  })
}

/** Publishes the page on the workbench. */
export async function publishOn(bench: Locator): Promise<void> {
  await bench.getByRole('button', { name: '发布', exact: true }).click()
  const asked = bench.getByRole('dialog', { name: '发布这一页' })
  await asked.getByRole('button', { name: '发布', exact: true }).click()
}

/** Presses Tab until the focused element has this name. */
export async function tabTo(page: Page, name: string | null, tag = ''): Promise<void> {
  for (let i = 0; i < 300; i += 1) {
    const now = await page.evaluate(() => {
      const at = document.activeElement
      const label = at instanceof HTMLElement && 'labels' in at ? (at as HTMLInputElement).labels?.[0] : null
      const said = at?.getAttribute('aria-label') ?? label?.textContent ?? at?.textContent ?? ''
      return { name: said.trim(), tag: at?.tagName ?? '' }
    })
    if (now.name === name?.trim() && (tag === '' || now.tag === tag)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no key leads to ${name}`)
}
