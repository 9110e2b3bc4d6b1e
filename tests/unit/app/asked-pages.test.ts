import { describe, expect, it } from 'vitest'
import rows from '../../../schemas/routes.json'
import { createNavigation } from '../../../src/app/navigation/navigation.ts'
import { topOf } from '../../../src/app/navigation/page-stack.ts'
import { createPagesForResult } from '../../../src/app/navigation/pages-for-result.ts'
import { createRouteTable } from '../../../src/app/navigation/routes.ts'
import { memoryHistory } from '../../support/memory-history.ts'

const FORM = '/pages/customer/my/add'

describe('a form opened to create a record for the page below', () => {
  it('returns the new record to its opener and goes back', async () => {
    const app = anApp()
    const made = app.ask(FORM)
    await app.settled()

    expect(app.asked.answer({ id: 'c1' })).toBe(true)

    expect(await made).toEqual({ id: 'c1' })
    expect(app.shown()).toBe('/')
  })

  it('returns nothing if the user leaves it, or if another page replaces it', async () => {
    const app = anApp()
    const left = app.ask(FORM)
    await app.settled()
    await app.nav.back()
    expect(await left).toBe(null)

    const replaced = app.ask(`${FORM}?name=x`)
    await app.settled()
    await app.nav.move('redirectTo', '/pages/my/about')
    expect(await replaced).toBe(null)
    expect(app.asked.answer({ id: 'c2' })).toBe(false)
  })

  it('returns one result, and only from the page that was opened', async () => {
    const app = anApp()
    expect(app.asked.answer({ id: 'nobody asked' })).toBe(false)
    const outer = app.ask(FORM)
    await app.settled()
    const inner = app.ask('/pages/activity/add')
    await app.settled()

    expect(app.asked.answer({ id: 'a1' })).toBe(true)
    expect(app.asked.answer({ id: 'a2' })).toBe(false)
    expect(await inner).toEqual({ id: 'a1' })
    expect(app.shown()).toBe(FORM)
    expect(app.asked.answer({ id: 'c1' })).toBe(true)
    expect(await outer).toEqual({ id: 'c1' })
  })

  it('returns nothing of a page that was left: another form that is waited for is not answered by it', async () => {
    const app = anApp()
    const left = app.ask(FORM)
    await app.settled()
    const { id } = topOf(app.nav.stack())
    await app.nav.back()
    const other = app.ask('/pages/activity/add')
    await app.settled()

    expect(app.asked.answer({ id: 'late' }, id)).toBe(false)
    expect(app.asked.answer({ id: 'a1' })).toBe(true)
    expect([await left, await other]).toEqual([null, { id: 'a1' }])
  })

  it('returns nothing if the page does not exist', async () => {
    const app = anApp()

    expect(await app.ask('/pages/none')).toBe(null)
  })
})

function anApp() {
  let ids = 0
  const nav = createNavigation({
    routes: createRouteTable(rows),
    history: memoryHistory('/'),
    now: () => ids * 1_000,
    newId: () => `e${++ids}`,
    chosenTabs: () => [],
    guard: () => null,
    askBack: async () => false,
    layers: { isOpen: () => false, closeTop: () => false, subscribe: () => () => {} },
    sideBySide: { listOf: () => null, belowOf: () => null },
    homePath: '/',
  })
  const asked = createPagesForResult(() => nav)
  return {
    nav,
    asked,
    ask: (url: string) => asked.ask(() => nav.move('navigateTo', url)),
    settled: () => new Promise((resolve) => setTimeout(resolve)),
    shown: () => topOf(nav.stack()).path,
  }
}
