import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { chooseMenus } from '../../../src/app/navigation/menu.ts'
import { createRouteTable } from '../../../src/app/navigation/routes.ts'
import { sideMenus } from '../../../src/app/navigation/side-menus.ts'
import { type AppSession, createSession } from '../../../src/app/session/session.ts'
import { createSessionOver, guardLogin } from '../../../src/app/session/session-over.ts'
import { createTypedStorage, type TypedStorage } from '../../../src/app/storage/typed-storage.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const LOGIN = '/pages/login/login'
const limits = { shortcut: { max: 4 }, common: { max: 8 }, bottom: { max: 3 } }
const detail: JsonObject = {
  authorities: [
    { id: 100, title: '客户管理', path: '/pages/customer/my/index', icon: 'team', hide: 0 },
    { id: 110, title: '线索', path: '/pages/customer/leads/index', icon: 'flag', hide: 1 },
    { id: 160, title: '待办', path: '/pages/work/todo/index', icon: 'bell', hide: 0 },
  ],
  selected: { shortcut: [], common: [160, 100], bottom: [100, 110, 999, 160] },
  userInfo: { id: 'u1', name: '王芳' },
  permissions: ['customer:view'],
}

describe('signing in', () => {
  it('stores the token and reads user, menus and dictionary', async () => {
    const app = aSession()

    await app.session.signIn({ token: 't1', expiresAt: 5_000, tenantId: 'a' })

    expect(app.session.token()).toBe('t1')
    expect(app.session.owner()).toBe('a:u1')
    expect(app.session.context.get().user).toMatchObject({
      id: 'u1',
      name: '王芳',
      permissions: ['customer:view'],
    })
    expect(app.session.context.get().dict).toEqual({ level: [] })
    expect(app.session.menus().bottom.map((entry) => entry.id)).toEqual([100, 160])
  })

  it('works on a device whose clock is ahead of the end of the session, which the server tells then', async () => {
    const app = aSession()
    await app.session.signIn({ token: 't0', expiresAt: 60_000, tenantId: 'a' })
    await app.clock.pass(50_000)

    await app.session.signIn({ token: 't1', expiresAt: 40_000, tenantId: 'a' })
    await app.clock.pass(20_000)

    expect(app.session.token()).toBe('t1')
    expect(app.session.context.get().user).toMatchObject({ id: 'u1' })
  })

  it('reads changed dictionaries again but not the user, and reads nothing without a token', async () => {
    const app = aSession()
    app.session.dictChanged()
    await app.session.signIn({ token: 't1', expiresAt: 5_000, tenantId: 'a' })
    const before = app.asked.length

    app.session.dictChanged()
    await expect.poll(() => app.asked.slice(before)).toEqual(['/dict'])

    expect(before).toBe(2)
    expect(app.session.context.get().user).toMatchObject({ id: 'u1' })
  })

  it('shows the dictionaries of the last change, in whatever order the answers come', async () => {
    const answers: ((dict: Json) => void)[] = []
    const app = aSession({
      dict: (nth) => (nth === 0 ? Promise.resolve({ first: [] }) : new Promise((done) => answers.push(done))),
    })
    await app.session.signIn({ token: 't1', tenantId: 'a' })
    app.session.dictChanged()
    app.session.dictChanged()
    await expect.poll(() => answers.length).toBe(1)
    answers[0]?.({ older: [] })
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.({ newest: [] })

    await expect.poll(() => app.session.context.get().dict).toEqual({ newest: [] })
  })

  it('does not replace changed dictionaries by those from before a refresh', async () => {
    let answer = () => {}
    const app = aSession({
      dict: async (nth) => ({ [`read${nth}`]: [] }),
      detailed: () => (waits ? new Promise((done) => (answer = done)) : Promise.resolve()),
    })
    let waits = false
    await app.session.signIn({ token: 't1', tenantId: 'a' })
    waits = true
    const refreshed = app.session.refresh()
    app.session.dictChanged()
    await expect.poll(() => app.session.context.get().dict).toEqual({ read1: [] })
    answer()
    await refreshed

    expect(app.session.context.get().dict).toEqual({ read1: [] })
  })

  it('shows no dictionaries that were requested for the user before', async () => {
    let answer = (_: Json) => {}
    const app = aSession({
      dict: (nth) =>
        nth === 1 ? new Promise((done) => (answer = done)) : Promise.resolve({ [`read${nth}`]: [] }),
    })
    await app.session.signIn({ token: 't1', tenantId: 'a' })
    app.session.dictChanged()
    await expect.poll(() => app.asked.filter((one) => one === '/dict').length).toBe(2)
    await app.session.signIn({ token: 't2', tenantId: 'b' })
    answer({ ofTenantA: [] })
    await new Promise((done) => setTimeout(done))

    expect(app.session.context.get().dict).toEqual({ read2: [] })
  })

  it('deletes every cache of the previous user', async () => {
    const app = aSession()
    await app.session.signIn({ token: 't1', tenantId: 'a' })

    await app.session.signIn({ token: 't2', tenantId: 'b' })

    expect(app.identities()).toBe(2)
    expect(app.session.owner()).toBe('b:u1')
  })

  it('notifies streams when calls use another token', async () => {
    const app = aSession()

    await app.session.signIn({ token: 't1', tenantId: 'a' })
    await app.session.signIn({ token: 't2', tenantId: 'b' })
    await app.session.signOut()

    expect(app.tokens).toEqual(['t1', 't2', null])
  })

  it('goes on if the user, asked before the sign-out, wants to stay', async () => {
    const app = aSession({ stays: true })
    await app.session.signIn({ token: 't1', tenantId: 'a' })

    await app.session.signOut()

    expect(app.session.token()).toBe('t1')
    expect(app.asked).not.toContain('/logout')
  })

  it('is signed out within two seconds, and is told of it, although the server does not answer', async () => {
    const app = aSession({ signedOut: () => new Promise(() => {}) })
    await app.session.signIn({ token: 't1', tenantId: 'a' })

    const leaving = app.session.signOut()
    await expect.poll(() => app.asked).toContain('/logout')
    const told = [...app.loadings]
    await app.clock.pass(2_000)
    await leaving

    expect(told).toEqual(['login.leaving'])
    expect([app.session.token(), app.loadings, app.left()]).toEqual([null, [], 1])
  })

  it('reads the rights at most once a minute while answers report a change, and for each event of the stream', async () => {
    const app = aSession()
    await app.session.signIn({ token: 't1', tenantId: 'a' })
    app.asked.length = 0
    const reads = () => app.asked.filter((url) => url === '/detail').length

    app.session.rightsChanged()
    app.session.rightsChanged()
    await expect.poll(reads).toBe(1)
    app.session.rightsTold()
    app.session.rightsTold()
    await expect.poll(reads).toBe(3)
    app.session.rightsChanged()
    await app.clock.pass(60_000)
    expect(reads()).toBe(3)
    app.session.rightsChanged()
    await expect.poll(reads).toBe(4)
  })

  it('does not use an expired token', async () => {
    const app = aSession()
    await app.session.signIn({ token: 't1', expiresAt: 5_000, tenantId: 'a' })

    await app.clock.pass(5_000)

    expect(app.session.token()).toBeNull()
  })
})

describe('menus', () => {
  it('are cleared at launch and read again at the next show, once', async () => {
    const app = aSession()
    await app.session.signIn({ token: 't1', tenantId: 'a' })
    app.asked.length = 0

    app.session.launch()
    await app.session.show()
    await app.session.show()

    expect(app.asked.filter((url) => url === '/detail').length).toBe(1)
  })

  it('show a failure with the server’s text or a default one', async () => {
    const app = aSession({ fail: true })
    app.storage.set('token', 't1')

    await app.session.show()

    expect(app.toasts).toEqual(['menu.failed'])
  })

  it('contain the visible entries in the chosen order, up to the maximum of the slot', () => {
    const crowded = { ...detail, selected: { bottom: [100, 160, 100, 160] } }

    expect(chooseMenus(detail, limits).common.map((entry) => entry.id)).toEqual([160, 100])
    expect(chooseMenus(crowded, limits).bottom.length).toBe(3)
  })
})

describe('a session ended by the server', () => {
  it('shows the message and, after one second, login once, with the page to return to', async () => {
    const app = anEnd('/pages/customer/my/detail?id=1')

    app.over('过期', 't1')
    app.over('过期', 't1')
    await app.clock.pass(999)
    const before = [...app.opened]
    await app.clock.pass(1)

    expect(app.toasts).toEqual(['过期'])
    expect(app.cleared()).toBe(1)
    expect(before).toEqual([])
    const back = encodeURIComponent('/pages/customer/my/detail?id=1')
    expect(app.opened).toEqual([`${LOGIN}?redirect=${back}`, 'nobody'])
  })

  it('keeps a user who has signed in again before login opened', async () => {
    const app = anEnd('/pages/customer/my/index')

    app.over('过期', 't1')
    app.signIn('t2')
    await app.clock.pass(1_000)

    expect(app.opened).not.toContain('nobody')
  })

  it('does not end a newer session', async () => {
    const app = anEnd('/')

    app.over('过期', 'older')
    await app.clock.pass(2_000)

    expect(app.cleared()).toBe(0)
    expect(app.opened).toEqual([])
  })
})

it('says at the end of a session that what was typed is kept as a draft, if something was', () => {
  const app = anEnd('/a', true)
  app.over('登录已过期。', 't1')

  expect(app.toasts).toEqual(['login.kept 登录已过期。'])
})

it('replaces pages that need a session by login, which leads back', () => {
  const routes = createRouteTable([
    { path: '/a', title: '' },
    { path: '/open', title: '', needLogin: false },
  ])
  const guard = guardLogin({ ...PLACES, routes, token: () => null })

  expect(guard({ path: '/a', query: { id: '1' } })).toEqual({ path: LOGIN, query: { redirect: '/a?id=1' } })
  expect(guard({ path: '/open', query: {} })).toBeNull()
})

it('replaces every page except public ones by the password form until the password is changed', () => {
  const routes = createRouteTable([
    { path: '/a', title: '' },
    { path: '/password', title: '' },
    { path: '/open', title: '', needLogin: false },
  ])
  let must = true
  const guard = guardLogin({ ...PLACES, routes, token: () => 'token', mustChangePassword: () => must })
  const at = (path: string) => guard({ path, query: {} })

  expect([at('/a'), at('/password'), at('/open')]).toEqual([{ path: '/password', query: {} }, null, null])
  must = false
  expect(at('/a')).toBeNull()
})

it('opens home instead of the page to return to if another person has signed in', () => {
  const routes = createRouteTable([
    { path: '/', title: '' },
    { path: '/a', title: '' },
    { path: '/open', title: '', needLogin: false },
  ])
  let isOther = true
  const guard = guardLogin({
    ...PLACES,
    routes,
    token: () => 'token',
    startsAtHome: () => isOther,
  })
  const at = (path: string) => guard({ path, query: {} })

  expect([at('/a'), at('/'), at('/open')]).toEqual([{ path: '/', query: {} }, null, null])
  isOther = false
  expect(at('/a')).toBeNull()
})

describe('after a session that has ended', () => {
  const people: Record<string, string> = { t1: 'u1', t2: 'u1', t3: 'u2' }
  async function ended() {
    const perVisit = aStorage()
    let token = ''
    const make = () =>
      aSession({ perVisit, userDetail: () => ({ ...detail, userInfo: { id: people[token] ?? '' } }) })
    const first = make()
    const signIn = async (app: typeof first, next: string, tenantId = 'a') => {
      token = next
      await app.session.signIn({ token, tenantId })
    }
    await signIn(first, 't1')
    expect(first.session.startsAtHome()).toBe(false)
    first.session.clear()
    return { first, signIn, reloaded: make, perVisit }
  }

  it('the same person returns to the page', async () => {
    const { first, signIn } = await ended()
    first.session.forgetPerson()
    await signIn(first, 't2')

    expect(first.session.startsAtHome()).toBe(false)
  })

  it.each([
    ['another person', 't3', 'a'],
    ['the same person in another company', 't2', 'b'],
  ])('%s starts at home, and is free to go afterwards', async (_, token, tenant) => {
    const { first, signIn } = await ended()
    first.session.forgetPerson()
    await signIn(first, token, tenant)

    expect([first.session.startsAtHome(), first.session.startsAtHome()]).toEqual([true, false])
  })

  it('another person starts at home after a reload of the login page, too', async () => {
    const { signIn, reloaded } = await ended()
    const app = reloaded()
    await signIn(app, 't3')

    expect(app.session.startsAtHome()).toBe(true)
  })

  it('nothing is kept of who was there once they have signed out', async () => {
    const { first, signIn, perVisit } = await ended()
    await signIn(first, 't2')
    await first.session.signOut()
    expect(perVisit.get('last_owner')).toBeUndefined()
    await signIn(first, 't3')

    expect(first.session.startsAtHome()).toBe(false)
  })
})

it.each(['https://evil.example/', '//evil.example', 'javascript:alert(1)', '/pages/nowhere', '/a@evil'])(
  'drops the crafted return address %s',
  (redirect) => {
    const routes = createRouteTable([
      { path: '/a', title: '' },
      { path: LOGIN, title: '', needLogin: false },
    ])
    const guard = guardLogin({ ...PLACES, routes, token: () => null })

    expect(guard({ path: LOGIN, query: { redirect } })).toEqual({ path: LOGIN, query: {} })
    expect(guard({ path: LOGIN, query: { uniIdRedirectUrl: redirect } })).toEqual({ path: LOGIN, query: {} })
    expect(guard({ path: LOGIN, query: { redirect: '/a?id=1' } })).toBeNull()
  },
)

const PLACES = {
  loginPath: LOGIN,
  passwordPath: '/password',
  homePath: '/',
  mustChangePassword: () => false,
  startsAtHome: () => false,
}

interface Given {
  readonly fail?: boolean
  readonly perVisit?: TypedStorage
  /** The answer to a read of the user's detail. */
  readonly userDetail?: () => JsonObject
  /** Asked before a sign-out, the user wants to stay. */
  readonly stays?: boolean
  /** The answer to a read of the dictionaries, by its number from 0. */
  readonly dict?: (nth: number) => Promise<Json>
  /** Resolves when the user's detail is answered. */
  readonly detailed?: () => Promise<void>
  /** Resolves when the sign-out is answered. */
  readonly signedOut?: () => Promise<void>
}

function aStorage() {
  const store = new Map<string, string>()
  return createTypedStorage({
    getItem: (key) => store.get(key) ?? null,
    setItem: (key, value) => store.set(key, value),
    removeItem: (key) => store.delete(key),
  })
}

function aSession(given: Given = {}) {
  const clock = fakeClock()
  const storage = aStorage()
  const asked: string[] = []
  const toasts: string[] = []
  const loadings: string[] = []
  let identities = 0
  let left = 0
  const tokens: (string | null)[] = []
  const session: AppSession = createSession({
    storage,
    perVisit: given.perVisit ?? aStorage(),
    clock,
    newId: () => 'sign-in',
    limits,
    feedback: {
      toast: ({ text }) => toasts.push(text),
      loading(text = '') {
        loadings.push(text)
        return () => void loadings.splice(loadings.indexOf(text), 1)
      },
      modal: async () => ({ confirm: false }),
      actionSheet: async () => -1,
    },
    text: (code) => code,
    urls: { detail: '/detail', dict: '/dict', logout: '/logout' },
    onIdentityChange: () => {
      identities += 1
    },
    onTokenChange: () => tokens.push(session.token()),
    onSigningOut: async () => given.stays !== true,
    onLeave: () => {},
    onSignedOut: () => {
      left += 1
    },
  })
  session.connect({
    async send({ url }) {
      asked.push(url)
      if (given.fail) return { ok: false, error: { code: 'TIMEOUT', message: '', status: 5 } }
      if (url === '/detail') await given.detailed?.()
      if (url === '/logout') await given.signedOut?.()
      const nth = asked.filter((one) => one === '/dict').length - 1
      const user = given.userDetail?.() ?? detail
      const data: Json = url === '/detail' ? user : ((await given.dict?.(nth)) ?? { level: [] })
      return { ok: true, value: { status: 200, headers: {}, data: { meta: { code: 200 }, data } } }
    },
    upload: async () => ({ ok: false, error: { code: 'NETWORK', message: '' } }),
  })
  return {
    session,
    clock,
    storage,
    asked,
    toasts,
    loadings,
    tokens,
    identities: () => identities,
    left: () => left,
  }
}

function anEnd(url: string, hasDrafts = false) {
  const clock = fakeClock()
  const opened: string[] = []
  const toasts: string[] = []
  let token: string | null = 't1'
  let cleared = 0
  const over = createSessionOver({
    isOurs: () => true,
    clock,
    feedback: {
      toast: ({ text }) => toasts.push(text),
      loading: () => () => {},
      modal: async () => ({ confirm: false }),
      actionSheet: async () => -1,
    },
    delayMs: 1_000,
    loginPath: LOGIN,
    token: () => token,
    clear: () => {
      token = null
      cleared += 1
    },
    url: () => url,
    hasDrafts: () => hasDrafts,
    text: (code, params) => `${code} ${params?.message}`,
    relaunch: async (to) => void opened.push(to),
    forgetPerson: () => opened.push('nobody'),
  })
  const signIn = (newer: string): void => {
    token = newer
  }
  return { over, clock, opened, toasts, signIn, cleared: () => cleared }
}

describe('menus of a wide window', () => {
  const entry = (id: number, slot: Json, hide = 0): JsonObject => ({
    id,
    title: `菜单${id}`,
    path: `/pages/${id}/index`,
    icon: '',
    slot,
    hide,
  })

  it('contain every page that can be in a menu, in order, except those that only create a record', () => {
    const user = {
      authorities: [entry(3, ['common', 'bottom']), entry(1, ['shortcut']), entry(2, ['common'])],
    }

    expect(sideMenus(user).map(({ id }) => id)).toEqual([3, 2])
  })

  it('omit entries hidden from the user, and are empty before the user is known', () => {
    expect(sideMenus({ authorities: [entry(1, ['common'], 1), entry(2, null)] })).toEqual([])
    expect(sideMenus({})).toEqual([])
  })
})
