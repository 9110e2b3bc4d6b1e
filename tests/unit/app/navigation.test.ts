import { describe, expect, it } from 'vitest'
import type { Layers } from '../../../runtime/react/layers/layers.ts'
import rows from '../../../schemas/routes.json'
import { createNavigation, type NavigationOptions } from '../../../src/app/navigation/navigation.ts'
import { aliveIn, topOf } from '../../../src/app/navigation/page-stack.ts'
import { createRouteTable, formatPlace } from '../../../src/app/navigation/routes.ts'
import { createSideBySide } from '../../../src/app/navigation/side-by-side.ts'
import { memoryHistory } from '../../support/memory-history.ts'

const LIST = '/pages/customer/my/index'
const DETAIL = '/pages/customer/my/detail'
const ME = '/pages/my/index'

describe('the stack of pages', () => {
  it('goes back to the page below with its own query', async () => {
    const app = anApp()

    await app.nav.move('navigateTo', LIST)
    await app.nav.move('navigateTo', `${DETAIL}?id=1`)
    await app.nav.move('navigateTo', '/pages/customer/my/follow/add?id=1')
    await app.nav.back(2)

    expect(app.shown()).toBe(LIST)
    expect(app.history.url()).toBe(LIST)
  })

  it('goes to / from a first page other than home', async () => {
    const app = anApp({ at: `${DETAIL}?id=1` })

    await app.nav.back()

    expect(app.shown()).toBe('/')
  })

  it('unloads every page on relaunch and leaves no history entries', async () => {
    const app = anApp()
    await app.nav.move('navigateTo', LIST)
    await app.nav.move('navigateTo', `${DETAIL}?id=1`)

    await app.nav.move('reLaunch', '/pages/my/about')

    expect(aliveIn(app.nav.stack()).map((one) => one.path)).toEqual(['/pages/my/about'])
    expect(app.history.at()).toBe(0)
  })

  it('keeps tab pages alive and closes the others when the tab changes', async () => {
    const app = anApp()
    const home = topOf(app.nav.stack()).id
    await app.nav.move('navigateTo', '/pages/my/about')

    await app.nav.move('switchTab', `${ME}?ignored=1`)
    const me = topOf(app.nav.stack())
    await app.nav.move('switchTab', '/')

    expect(me.query).toEqual({})
    expect(topOf(app.nav.stack()).id).toBe(home)
    expect(
      aliveIn(app.nav.stack())
        .map((one) => one.path)
        .sort(),
    ).toEqual(['/', ME])
  })

  it('switches to a page in the user’s bottom bar instead of opening it twice', async () => {
    const app = anApp({ chosenTabs: () => [LIST] })

    await app.nav.move('navigateTo', LIST)

    expect(app.nav.stack().entries.length).toBe(1)
    expect(topOf(app.nav.stack()).tab).toBe(true)
  })

  it('opens a page of the user’s bottom bar on top if it has a query', async () => {
    const app = anApp({ chosenTabs: () => [LIST] })

    await app.nav.move('navigateTo', `${LIST}?stat=new_customer`)
    const opened = topOf(app.nav.stack())
    await app.nav.back()

    expect([opened.path, opened.query, opened.tab]).toEqual([LIST, { stat: 'new_customer' }, false])
    expect(app.shown()).toBe('/')
  })

  it('is restored after a reload', async () => {
    const first = anApp()
    await first.nav.move('navigateTo', LIST)
    await first.nav.move('navigateTo', `${DETAIL}?id=1`)
    first.nav.dispose()

    const second = anApp({ history: first.history, restored: first.nav.stack().entries })
    await second.nav.back()

    expect(second.shown()).toBe(LIST)
    expect(second.nav.stack().entries.length).toBe(2)
  })
})

describe('refusals', () => {
  it.each([
    ['navigateTo', ME, 'navigateTo:fail can not navigateTo a tabbar page'],
    ['redirectTo', '/', 'redirectTo:fail can not redirectTo a tabbar page'],
    ['switchTab', DETAIL, 'switchTab:fail can not switch to no-tabBar page'],
    ['navigateTo', '', 'navigateTo:fail Missing required args: "url"'],
    ['reLaunch', '/pages/nowhere', 'reLaunch:fail page `/pages/nowhere` is not found'],
    ['navigateTo', 'https://evil.example/', 'navigateTo:fail page `https://evil.example/` is not found'],
  ] as const)('rejects %s: %s', async (kind, url, text) => {
    const app = anApp()

    expect(await app.nav.move(kind, url)).toBe(text)
    expect(app.shown()).toBe('/')
  })

  it('ignore a second tap within 300 ms', async () => {
    const app = anApp()

    const answers = await Promise.all([
      app.nav.move('navigateTo', `${DETAIL}?id=1`),
      app.nav.move('navigateTo', `${DETAIL}?id=1`),
    ])

    expect(answers).toEqual([null, `navigateTo:fail ${DETAIL}?id=1 locked`])
    expect(app.nav.stack().entries.length).toBe(2)
  })

  it('allow a page to open again within 300 ms of going back', async () => {
    const app = anApp()
    await app.nav.move('navigateTo', LIST)
    await app.nav.back()

    expect(await app.nav.move('navigateTo', LIST)).toBeNull()
    expect(app.shown()).toBe(LIST)
  })
})

describe('the back-press hook', () => {
  it('keeps the user on the page', async () => {
    const app = anApp({ askBack: async () => true })
    await app.nav.move('navigateTo', LIST)

    expect(await app.nav.back()).toBe('navigateBack:fail onBackPress')
    expect(app.shown()).toBe(LIST)
  })

  it('is also called for the browser’s back button, whose navigation is undone', async () => {
    const app = anApp({ askBack: async () => true })
    await app.nav.move('navigateTo', LIST)

    app.history.go(-1)
    await pause()

    await expect.poll(() => app.history.url()).toBe(LIST)
    expect(app.shown()).toBe(LIST)
  })

  it('is told who goes back: the page itself, or the user', async () => {
    const asked: string[] = []
    const app = anApp({
      askBack: async (_, from) => {
        asked.push(from)
        return true
      },
    })
    await app.nav.move('navigateTo', LIST)

    await app.nav.back()
    await app.nav.back(1, 'backbutton')
    app.history.go(-1)
    await expect.poll(() => asked.length).toBe(3)

    expect(asked).toEqual(['navigateBack', 'backbutton', 'backbutton'])
  })
})

describe('a layer above the page', () => {
  it('is closed by the browser’s back button before the page is left, the newest first', async () => {
    const above = someLayers()
    const app = anApp({ layers: above.layers })
    await app.nav.move('navigateTo', LIST)
    above.open('sheet')
    above.open('dialog')
    await pause()

    app.history.go(-1)
    await expect.poll(() => above.names()).toEqual(['sheet'])
    await pause()
    app.history.go(-1)
    await expect.poll(() => above.names()).toEqual([])
    await pause()
    const stayed = app.shown()
    app.history.go(-1)
    await expect.poll(() => app.shown()).toBe('/')

    expect(stayed).toBe(LIST)
    expect(app.history.at()).toBe(0)
  })

  it('prevents leaving the first page', async () => {
    const above = someLayers()
    const app = anApp({ layers: above.layers })
    above.open('sheet')
    await pause()
    const steps = app.history.at()

    app.history.go(-1)
    await expect.poll(() => above.names()).toEqual([])

    expect(steps).toBe(1)
    expect(app.history.at()).toBe(0)
    expect(app.shown()).toBe('/')
  })

  it('leaves no history entry when it closes by itself, nor when a page opens from it', async () => {
    const above = someLayers()
    const app = anApp({ layers: above.layers })
    above.open('sheet')
    await pause()
    above.close()
    await pause()
    const closed = app.history.at()
    above.open('sheet')
    await pause()
    above.close()
    await app.nav.move('navigateTo', LIST)
    await pause()

    expect(closed).toBe(0)
    expect(app.history.entries()).toEqual(['/', LIST])
    app.history.go(-1)
    await expect.poll(() => app.shown()).toBe('/')
    expect(app.history.at()).toBe(0)
  })

  it('keeps the user where they are if it does not close', async () => {
    const above = someLayers()
    const app = anApp({ layers: above.layers })
    above.open('must be answered', () => {})
    await pause()

    app.history.go(-1)
    await new Promise((resolve) => setTimeout(resolve, 350))

    expect(above.names()).toEqual(['must be answered'])
    expect([app.shown(), app.history.at()]).toEqual(['/', 1])
  })

  it('does not stop the page itself from going back', async () => {
    const above = someLayers()
    const app = anApp({ layers: above.layers })
    await app.nav.move('navigateTo', LIST)
    above.open('sheet')

    expect(await app.nav.back(1, 'backbutton')).toBe('navigateBack:fail layer')
    above.open('sheet')
    expect(await app.nav.back()).toBeNull()

    expect(app.shown()).toBe('/')
  })

  it('leaves no history entry after a reload', async () => {
    const above = someLayers()
    const first = anApp({ layers: above.layers })
    await first.nav.move('navigateTo', LIST)
    above.open('sheet')
    await pause()
    first.nav.dispose()

    const second = anApp({ history: first.history, restored: first.nav.stack().entries })
    await pause()

    expect([second.shown(), second.history.at()]).toEqual([LIST, 1])
  })
})

describe('the login guard', () => {
  it('shows login, with the page to return to', async () => {
    const app = anApp({
      guard: (place) => (place.path === '/pages/login/login' ? null : toLogin(formatPlace(place))),
    })

    await app.nav.move('navigateTo', `${DETAIL}?id=1`)

    expect(app.history.url()).toBe(`/pages/login/login?redirect=${encodeURIComponent(`${DETAIL}?id=1`)}`)
  })
})

describe('without a session', () => {
  const OPEN = '/pages/my/about'
  const LOGIN = '/pages/login/login'
  const aGuest = (at: string) => {
    const login = { signedIn: false }
    const app = anApp({
      at,
      guard: (place) =>
        login.signedIn || [LOGIN, OPEN].includes(place.path) ? null : toLogin(formatPlace(place)),
    })
    return { ...app, login, paths: () => app.nav.stack().entries.map((entry) => entry.path) }
  }
  /** A page above a list, after the session has ended. */
  const aLostSession = async () => {
    const app = aGuest('/')
    app.login.signedIn = true
    await app.nav.move('navigateTo', LIST)
    await app.nav.move('navigateTo', OPEN)
    app.login.signedIn = false
    return app
  }

  it('back on the first page opens login, not home', async () => {
    const app = aGuest(OPEN)

    await app.nav.back(1, 'backbutton')

    expect(app.shown()).toBe(LOGIN)
  })

  it('login opens on top of the page that required it, and back returns to that page', async () => {
    const app = aGuest(OPEN)

    await app.nav.move('navigateTo', `${DETAIL}?id=1`)
    const paths = app.paths()
    await app.nav.back()

    expect(paths).toEqual([OPEN, LOGIN])
    expect(app.shown()).toBe(OPEN)
  })

  it.each([
    ['redirectTo', DETAIL, [OPEN, LOGIN]],
    ['reLaunch', DETAIL, [LOGIN]],
    ['switchTab', '/', [OPEN, OPEN, LOGIN]],
  ] as const)('opens login the way it would have opened the page: %s', async (kind, url, expected) => {
    const app = aGuest(OPEN)
    await app.nav.move('navigateTo', `${OPEN}?second=1`)

    await app.nav.move(kind, url)

    expect(app.paths()).toEqual(expected)
  })

  it('login replaces the page on which the session was lost: back does not show that page', async () => {
    const app = await aLostSession()

    await app.nav.back()

    expect(app.paths()).toEqual([LOGIN])
    expect(app.history.url()).toBe(`${LOGIN}?redirect=${encodeURIComponent(LIST)}`)
  })

  it('the browser’s back button does not show that page either', async () => {
    const app = await aLostSession()

    app.history.go(-1)

    await expect.poll(app.shown).toBe(LOGIN)
    expect(app.paths()).toEqual([LOGIN])
  })
})

describe('a page whose answer comes after the user has gone on', () => {
  const FORM = '/pages/customer/my/add'
  const CALLS = [
    ['back', (app: ReturnType<typeof anApp>, id: string) => app.nav.back(1, 'navigateBack', id)],
    [
      'redirect',
      (app: ReturnType<typeof anApp>, id: string) => app.nav.move('redirectTo', `${DETAIL}?id=1`, id),
    ],
  ] as const

  it.each(CALLS)('moves nobody by %s: it was left, or another page covers it', async (_, call) => {
    const app = anApp()
    await app.nav.move('navigateTo', LIST)
    await app.nav.move('navigateTo', FORM)
    const form = topOf(app.nav.stack())
    await app.nav.move('navigateTo', '/pages/work/todo/index')

    expect(await call(app, form.id)).toMatch(/:fail page left$/)
    expect(app.shown()).toBe('/pages/work/todo/index')
    await app.nav.back(2)
    expect(await call(app, form.id)).toMatch(/:fail page left$/)
    expect(app.shown()).toBe(LIST)
  })

  it.each(CALLS)('moves its user by %s while it is visible, also beside a record', async (_, call) => {
    const app = anApp({ wide: true })
    await app.nav.move('navigateTo', LIST)
    const list = topOf(app.nav.stack())
    expect(await call(app, list.id)).toBeNull()

    await app.nav.move('reLaunch', LIST)
    const again = topOf(app.nav.stack())
    await app.nav.move('navigateTo', `${DETAIL}?id=2`, again.id)
    expect(await call(app, again.id)).toBeNull()
  })
})

describe('a record in a window wide enough for its list', () => {
  it('lies above the list in the history, and the next record of the list replaces it', async () => {
    const app = anApp({ wide: true })
    await app.nav.move('navigateTo', LIST)
    const list = topOf(app.nav.stack())
    await app.nav.move('navigateTo', `${DETAIL}?id=1`, list.id)
    const one = app.sideBySide.listOf(app.nav.stack())

    await app.nav.move('navigateTo', `${DETAIL}?id=2`, list.id)
    const two = app.sideBySide.listOf(app.nav.stack())
    const at = app.history.url()
    await app.nav.back()

    expect([one, two]).toEqual([list, list])
    expect(at).toBe(`${DETAIL}?id=2`)
    expect(app.shown()).toBe(LIST)
    expect(app.sideBySide.listOf(app.nav.stack())).toBeNull()
  })

  it('stays if its page keeps the user, and if the same record is opened again', async () => {
    let keeps = false
    const app = anApp({ wide: true, askBack: async () => keeps })
    await app.nav.move('navigateTo', LIST)
    const list = topOf(app.nav.stack()).id
    await app.nav.move('navigateTo', `${DETAIL}?id=1`, list)
    const record = topOf(app.nav.stack()).id

    await app.nav.move('navigateTo', `${DETAIL}?id=1`, list)
    keeps = true
    const refusal = await app.nav.move('navigateTo', `${DETAIL}?id=2`, list)

    expect(topOf(app.nav.stack()).id).toBe(record)
    expect(refusal).toBe('navigateTo:fail onBackPress')
  })

  it('opens other pages on top of itself', async () => {
    const app = anApp({ wide: true })
    await app.nav.move('navigateTo', LIST)
    await app.nav.move('navigateTo', `${DETAIL}?id=1`, topOf(app.nav.stack()).id)

    await app.nav.move('navigateTo', '/pages/customer/my/add?id=1', topOf(app.nav.stack()).id)

    expect(app.nav.stack().entries.length).toBe(4)
    expect(app.sideBySide.listOf(app.nav.stack())).toBeNull()
  })

  it('opens together with its list if an address names only the record; back leads to the list', async () => {
    const app = anApp({ wide: true, at: `${DETAIL}?id=7` })
    const before = app.nav.stack().entries.map(({ path }) => path)
    const url = app.history.url()

    app.history.go(-1)
    await pause()

    expect(before).toEqual([LIST, DETAIL])
    expect(url).toBe(`${DETAIL}?id=7`)
    expect(app.shown()).toBe(LIST)
  })

  it('opens alone on a phone, over another list, and over a dashboard', async () => {
    const phone = anApp({ at: `${DETAIL}?id=7` })
    const other = anApp({ wide: true })
    await other.nav.move('navigateTo', '/pages/contract/index')
    await other.nav.move('navigateTo', `${DETAIL}?id=7`)
    const figures = anApp({ wide: true })
    await figures.nav.move('navigateTo', '/pages/stats/index')
    await figures.nav.move('navigateTo', '/pages/stats/detail?key=new_customer')

    expect(phone.nav.stack().entries.length).toBe(1)
    for (const app of [phone, other, figures]) expect(app.sideBySide.listOf(app.nav.stack())).toBeNull()
  })
})

describe('switchTab', () => {
  it('opens a tab page that is not in the user’s bottom bar without showing the bar', async () => {
    const app = anApp()

    const refusal = await app.nav.move('switchTab', `${LIST}?stat=new`)

    const top = topOf(app.nav.stack())
    expect([refusal, top.path, top.query, top.tab]).toEqual([null, LIST, {}, false])
  })

  it('reopens a page that is open with a query without the query', async () => {
    const app = anApp({ chosenTabs: () => [LIST] })
    await app.nav.move('navigateTo', `${LIST}?stat=new`)

    const refusal = await app.nav.move('switchTab', `${LIST}?stat=new`)

    const top = topOf(app.nav.stack())
    expect([refusal, top.path, top.query, top.tab]).toEqual([null, LIST, {}, true])
    expect(app.history.url()).toBe(LIST)
  })
})

describe('a typed address', () => {
  it('opens its page on top', async () => {
    const app = anApp()

    app.history.type(`${DETAIL}?id=7`)
    await pause()

    expect(app.shown()).toBe(DETAIL)
    expect(app.nav.stack().entries.length).toBe(2)
  })

  it('opens its page once if the guard redirects it to the visible page', async () => {
    const app = anApp({
      at: LIST,
      guard: (place) => (place.path === DETAIL ? { path: LIST, query: {} } : null),
    })

    app.history.type(DETAIL)
    await pause()

    expect(app.nav.stack().entries.map((entry) => entry.path)).toEqual([LIST])
  })
})

function anApp(
  given: Partial<NavigationOptions> & {
    at?: string
    history?: ReturnType<typeof memoryHistory>
    tick?: number
    wide?: boolean
  } = {},
) {
  const history = given.history ?? memoryHistory(given.at)
  let ids = 0
  let time = 0
  const { wide = false, ...options } = given
  const routes = createRouteTable(rows)
  const sideBySide = createSideBySide(routes, () => wide)
  const nav = createNavigation({
    routes,
    sideBySide,
    now: () => {
      time += given.tick ?? 0
      return time
    },
    newId: () => `${given.restored ? 'r' : 'p'}${++ids}`,
    chosenTabs: () => [],
    guard: () => null,
    askBack: async () => false,
    homePath: '/',
    layers: someLayers().layers,
    ...options,
    history,
  })
  return { nav, history, sideBySide, shown: () => topOf(nav.stack()).path }
}

/** Layers as the views create them: a closing one disappears a moment later. */
function someLayers() {
  let open: readonly { readonly name: string; readonly close: () => void }[] = []
  const listeners = new Set<() => void>()
  const change = (next: typeof open) => {
    open = next
    for (const listener of listeners) listener()
  }
  const drop = () => setTimeout(() => change(open.slice(0, -1)), 0)
  const layers: Layers = {
    isOpen: () => open.length > 0,
    closeTop() {
      open.at(-1)?.close()
      return open.length > 0
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return {
    layers,
    names: () => open.map((it) => it.name),
    open: (name: string, close: () => void = drop) => change([...open, { name, close }]),
    close: () => change(open.slice(0, -1)),
  }
}

function toLogin(back: string) {
  return { path: '/pages/login/login', query: { redirect: back } }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}
