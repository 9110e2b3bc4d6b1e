import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { arrive, goTo } from './acts.ts'
import type { Phone } from './phone.ts'
import type { Act } from './tutorial.ts'

/** How the user operates: with a finger, or with the keyboard alone. */
export interface Hands {
  press(target: Locator): Promise<void>
  write(target: Locator, text: string): Promise<void>
  /** In a native select. */
  pick(target: Locator, label: string): Promise<void>
}

export const FINGER: Hands = {
  press: (target) => target.click(),
  write: (target, text) => target.fill(text),
  pick: async (target, label) => void (await target.selectOption({ label })),
}

export const KEYS: Hands = {
  async press(target) {
    await reach(target)
    const kind = await target.evaluate((one) => one.getAttribute('role') ?? one.getAttribute('type'))
    await target.page().keyboard.press(kind === 'switch' || kind === 'radio' ? 'Space' : 'Enter')
  },
  async write(target, text) {
    await reach(target)
    await target.page().keyboard.press('Control+a')
    await target.page().keyboard.type(text)
  },
  async pick(target, label) {
    await reach(target)
    const { keyboard } = target.page()
    const chosen = () => target.evaluate((box: HTMLSelectElement) => box.selectedOptions[0]?.label)
    await keyboard.press('Home')
    for (let i = 0; i < 100 && (await chosen()) !== label; i += 1) await keyboard.press('ArrowDown')
    expect(await chosen()).toBe(label)
  },
}

/**
 * Presses Tab until the element or its container has the focus, or Shift+Tab if it is further up; in a tree and among radios the arrow keys
 * continue. The element is looked up once, and again only if the page replaces it: finding it by role and name costs more than all the keys.
 */
async function reach(target: Locator): Promise<void> {
  await target.waitFor()
  const { keyboard } = target.page()
  let wanted = await target.elementHandle()
  const tab = (await wanted?.evaluate(isAbove)) ? 'Shift+Tab' : 'Tab'
  for (let i = 0; i < 400; i += 1) {
    let where = await wanted?.evaluate(whereFocusIs)
    if (where === 'replaced') {
      wanted = await target.elementHandle()
      where = await wanted?.evaluate(whereFocusIs)
    }
    if (where === 'there') return
    await keyboard.press(where === 'beside' ? 'ArrowDown' : tab)
  }
  throw new Error(`no key leads to ${target}`)
}

/** True if the element comes before the focused one. */
function isAbove(wanted: Element): boolean {
  const place = document.activeElement?.compareDocumentPosition(wanted) ?? 0
  return (place & Node.DOCUMENT_POSITION_PRECEDING) > 0
}

/** Where the focus is, seen from the wanted element. */
function whereFocusIs(wanted: Element): 'replaced' | 'elsewhere' | 'there' | 'beside' {
  if (!wanted.isConnected) return 'replaced'
  const now = document.activeElement
  if (now === null || now === document.body) return 'elsewhere'
  if (now === wanted || now.contains(wanted)) return 'there'
  const around = '[role="tree"], [role="radiogroup"]'
  const group = wanted.closest(around)
  return group !== null && group === now.closest(around) ? 'beside' : 'elsewhere'
}

/** Performs a step. @returns once its effect is visible */
export async function follow(act: Act, phone: Phone, hands: Hands): Promise<void> {
  const { page } = phone
  switch (act.do) {
    case 'open':
      await goTo(phone, act.path)
      return arrive(phone, act.path.split('?')[0] ?? act.path)
    case 'tap':
      return hands.press(named(await partOf(page, act.part), act.name))
    case 'type':
      return hands.write(boxOf(await partOf(page), act.into), act.text)
    case 'choose': {
      const box = boxOf(await partOf(page), act.box)
      if ((await box.evaluate((one) => one.tagName)) === 'SELECT') return hands.pick(box, act.value)
      await hands.press(box)
      const picker = page.getByRole('dialog').last()
      await hands.press(picker.getByText(act.value, { exact: true }).first())
      const done = picker.getByRole('button', { name: '确定', exact: true })
      if ((await done.count()) > 0) await hands.press(done)
      return picker.waitFor({ state: 'hidden' })
    }
    case 'find':
      return expect.poll(() => boxOf(inSight(page), act.box).inputValue()).toBe(act.text)
    case 'see':
      return (await partOf(page, act.part, true))
        .getByText(act.text)
        .locator('visible=true')
        .first()
        .waitFor()
    case 'miss':
      return expect.poll(() => page.getByText(act.text).locator('visible=true').count()).toBe(0)
    case 'picture':
      return
  }
}

const inSight = (page: Page): Locator => page.locator('section.page:visible')

/** The part of the screen that a step means: the one of this name, else the topmost dialog, the workbench, the page. */
async function partOf(page: Page, name = '', whole = false): Promise<Locator> {
  if (name === '画布') return page.locator('.wb-screen')
  if (name !== '') return page.getByRole('group', { name }).or(page.getByRole('dialog', { name })).last()
  if (whole) return page.locator('body')
  const question = page.locator('[role="dialog"]:visible, dialog[open]')
  if ((await question.count()) > 0) return question.last()
  return page.locator('.wb').or(inSight(page)).last()
}

const ROLES = ['button', 'tab', 'treeitem', 'switch', 'radio', 'link', 'menuitem'] as const

/** The element to tap, by its text. */
function named(part: Locator, name: string): Locator {
  const row = part
    .locator('.wb-tree-row')
    .filter({ has: part.page().locator('.wb-tree-title').getByText(name, { exact: true }) })
  const controls = ROLES.map((role) => part.getByRole(role, { name, exact: true }))
  return [...controls, part.locator('summary').getByText(name, { exact: true })]
    .reduce((all, one) => all.or(one), row)
    .first()
}

/** The input with a label. */
const boxOf = (part: Locator, name: string): Locator =>
  part
    .getByRole('textbox', { name, exact: true })
    .or(part.getByRole('combobox', { name, exact: true }))
    .or(part.getByLabel(name, { exact: true }))
    .first()
