import { describe, expect, it } from 'vitest'
import type { Draft } from '../../../runtime/core/engine.ts'
import { type Entry, popTo, pushEntry, startWith } from '../../../src/app/navigation/page-stack.ts'
import type { OpenPage } from '../../../src/app/pages/open-page.ts'
import { createOpenPages } from '../../../src/app/pages/open-pages.ts'

describe('opened pages', () => {
  it('hides before the next page loads and shows; back unloads it and shows the first again', () => {
    const app = somePages()
    const one = startWith(anEntry('a', 0))
    const two = pushEntry(one, anEntry('b', 1))

    app.pages.follow(one)
    app.pages.follow(two)
    app.pages.follow(popTo(two, 0))

    expect(app.log).toEqual(['load a', 'show a', 'hide a', 'load b', 'show b', 'hide b', 'close b', 'show a'])
  })

  it('shows the visible page again after an action of a page that has closed meanwhile', () => {
    const app = somePages()
    const [list, detail] = [anEntry('list', 0), anEntry('detail', 1)]
    app.pages.follow(startWith(list))
    app.pages.follow(pushEntry(startWith(list), detail))
    app.pages.done(detail)
    app.pages.follow(startWith(list))
    app.log.length = 0

    app.pages.done(list)
    app.pages.done(detail)

    expect(app.log).toEqual(['again list'])
  })

  it('closes the page hidden longest beyond the limit, and reopens it when it is needed', () => {
    const app = somePages(3)
    let stack = startWith(anEntry('a', 0))
    app.pages.follow(stack)
    for (const id of ['b', 'c', 'd']) {
      stack = pushEntry(stack, anEntry(id, stack.entries.length))
      app.pages.follow(stack)
    }
    const kept = [...app.pages.all.get().keys()]
    const typed = { ...app.typed }

    app.pages.follow(popTo(stack, 0))

    expect(kept).toEqual(['b', 'c', 'd'])
    expect(app.log.filter((line) => line === 'load a').length).toBe(2)
    expect([typed.a, app.typed.a]).toEqual([undefined, { values: { name: 'typed into a' }, rows: {} }])
  })

  it('opens a list together with its record, and never closes it for the limit', () => {
    const app = somePages(2)
    const list = anEntry('list', 0)
    const one = pushEntry(startWith(list), anEntry('one', 1))
    const two = pushEntry(startWith(list), anEntry('two', 1))

    app.pages.follow(one, list)
    app.pages.follow(two, list)

    expect([...app.pages.all.get().keys()]).toEqual(['list', 'two'])
    expect(app.log).toEqual([
      'load list',
      'load one',
      'show one',
      'hide one',
      'close one',
      'load two',
      'show two',
    ])
  })

  it('forgets the input of a page that is unloaded, or whose user has signed out', () => {
    for (const leave of ['back', 'person'] as const) {
      const app = somePages(2)
      const [a, b, c] = [anEntry('a', 0), anEntry('b', 1), anEntry('c', 2)]
      const full = pushEntry(pushEntry(startWith(a), b), c)
      app.pages.follow(startWith(a))
      app.pages.follow(pushEntry(startWith(a), b))
      app.pages.follow(full)

      if (leave === 'back') app.pages.follow(startWith(c))
      else app.pages.closeAll()
      app.pages.follow(startWith(a))

      expect(app.typed.a).toBeUndefined()
    }
  })
})

function anEntry(id: string, index: number): Entry {
  return { id, index, path: `/${id}`, query: {}, tab: false }
}

function somePages(limit = 10) {
  const log: string[] = []
  const typed: Record<string, Draft | undefined> = {}
  const open = (entry: Entry, before: Draft | undefined): OpenPage => {
    let visible = false
    typed[entry.id] = before
    log.push(`load ${entry.id}`)
    return {
      entry,
      setVisible(next: boolean) {
        if (next !== visible) log.push(`${next ? 'show' : 'hide'} ${entry.id}`)
        visible = next
      },
      showAnew: () => void log.push(`again ${entry.id}`),
      typed: () => ({ values: { name: `typed into ${entry.id}` }, rows: {} }),
      close: async () => void log.push(`close ${entry.id}`),
    } satisfies Partial<OpenPage> as unknown as OpenPage
  }
  return { log, typed, pages: createOpenPages(open, limit) }
}
