import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LoginRules } from '../../../runtime/cloud/index.ts'
import { cloudAt, NOW } from '../../support/cloud-server/cloud-at.ts'
import { type CloudServer, SPACES, startCloudServer } from '../../support/cloud-server/cloud-server.ts'
import { fakeClock } from '../../support/fake-clock.ts'

let server: CloudServer
beforeAll(async () => {
  server = await startCloudServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const RULES: LoginRules = {
  loginPage: 'pages/login/login',
  needLogin: ['^/pages/customer/', 'pages/home'],
  pages: { 'pages/customer/public': false, 'pages/me': true },
  tabPages: ['pages/home', 'pages/me'],
}

describe('going to a page', () => {
  it.each([
    ['open', '/pages/about', 'go', []],
    ['open', '/pages/customer/public?id=1', 'go', []],
    [
      'open',
      '/pages/customer/detail?id=1',
      'stop',
      ['open /pages/login/login?uniIdRedirectUrl=%2Fpages%2Fcustomer%2Fdetail%3Fid%3D1'],
    ],
    ['redirect', './me?x=1', 'stop', ['redirect /pages/login/login?uniIdRedirectUrl=%2Fpages%2Fme%3Fx%3D1']],
    ['relaunch', '/pages/me', 'stop', ['relaunch /pages/login/login?uniIdRedirectUrl=%2Fpages%2Fme']],
    ['switchTab', '/pages/home', 'stop', ['open /pages/login/login?uniIdRedirectUrl=%2Fpages%2Fhome']],
    ['open', '/pages/login/login', 'go', []],
  ] as const)('by %s to %s: %s', async (move, url, expected, moves) => {
    const scene = guardAt(RULES)

    const verdict = await scene.guard.check(move, url)
    await scene.clock.pass(0)

    expect(verdict).toBe(expected)
    expect(scene.moves).toEqual(moves)
  })

  it('uses switchTab if login is a tab page', async () => {
    const scene = guardAt({
      ...RULES,
      tabPages: ['pages/login/login'],
      loginPage: '/pages/login/login?from=tab',
    })

    await scene.guard.check('redirect', '/pages/me')
    await scene.clock.pass(0)

    expect(scene.moves).toEqual(['switchTab /pages/login/login?from=tab&uniIdRedirectUrl=%2Fpages%2Fme'])
  })

  it.each([
    [NOW, 'go'],
    [NOW - 1, 'stop'],
  ])('judges a token that ends at %i: %s', async (expired, expected) => {
    const scene = guardAt(RULES)
    await scene.storage.set('uni_id_token', 'a.b.c')
    await scene.storage.set('uni_id_token_expired', expired)

    expect(await scene.guard.check('open', '/pages/me')).toBe(expected)
  })

  it('notifies a listener, if there is one, and continues', async () => {
    const scene = guardAt(RULES)
    const told: unknown[] = []
    scene.cloud.on('needLogin', (need) => told.push(need))

    const verdict = await scene.guard.check('open', '/pages/me')
    expect(told).toEqual([])
    await scene.clock.pass(0)

    expect(verdict).toBe('go')
    expect(scene.moves).toEqual([])
    expect(told).toEqual([
      {
        errCode: 'uni-id-check-token-failed',
        errMsg: 'token无效，跳转登录页面',
        uniIdRedirectUrl: '/pages/me',
      },
    ])
  })

  it('checks the first page and redirects from it', async () => {
    const scene = guardAt(RULES)
    scene.here = '/pages/customer/my?tab=1'

    await scene.guard.checkFirst()
    await scene.clock.pass(0)

    expect(scene.moves).toEqual([
      'redirect /pages/login/login?uniIdRedirectUrl=%2Fpages%2Fcustomer%2Fmy%3Ftab%3D1',
    ])
  })

  it('refuses a login page that needs login', () => {
    expect(() => guardAt({ ...RULES, pages: { 'pages/login/login': true } })).toThrow(
      'Login page [pages/login/login] should not be "needLogin"',
    )
  })
})

describe('an answer of the cloud', () => {
  const LOGIN = 'open /pages/login/login?uniIdRedirectUrl=%2Fpages%2Fabout'
  const codes = ['TOKEN_INVALID', 'TOKEN_INVALID_TOKEN_EXPIRED', 'TOKEN_INVALID_INVALID_CLIENTID']
  const more = ['TOKEN_INVALID_WRONG_TOKEN', 'TOKEN_INVALID_ANONYMOUS_USER']
  const objectOnly = [
    'uni-id-token-expired',
    'uni-id-check-token-failed',
    'uni-id-token-not-exist',
    'uni-id-check-device-feature-failed',
  ]

  it.each([...codes, ...more, ...objectOnly])('opens the login page on %s of an object', async (errCode) => {
    const scene = guardAt(RULES)
    server.functions.set('failing', () => ({ errCode, errMsg: '请登录' }))

    await scene.cloud
      .importObject('failing', { customUI: true })
      .run?.()
      .catch(() => undefined)
    await scene.settle()

    expect(scene.moves).toEqual([LOGIN])
  })

  it.each([
    ...[...codes, ...more].map((code) => [code, [LOGIN]] as const),
    ...objectOnly.map((code) => [code, []] as const),
  ])('decides on %s of the database: %j', async (code, moves) => {
    const scene = guardAt(RULES)
    server.fail({ kind: 'answer', answer: { data: { data: { code, message: '请登录' } } } }, (seen) =>
      seen.raw.includes('DCloud-clientDB'),
    )

    await scene.cloud
      .database()
      .collection('customer')
      .get()
      .catch(() => undefined)
    await scene.settle()

    expect(scene.moves).toEqual(moves)
  })

  it('passes the text of the answer to a listener instead', async () => {
    const scene = guardAt(RULES)
    const told: unknown[] = []
    scene.cloud.on('needLogin', (need) => told.push(need))

    await scene.cloud
      .importObject('todo', { customUI: true })
      .expired?.()
      .catch(() => undefined)
    await scene.settle()

    expect(told).toEqual([
      { errCode: 'uni-id-token-expired', errMsg: '登录已过期', uniIdRedirectUrl: '/pages/about' },
    ])
    expect(scene.moves).toEqual([])
  })

  it.each([
    ['redirects after answers are switched off', { ...RULES, resToLogin: false }, '/pages/about'],
    ['the login page is in sight', RULES, '/pages/login/login?x=1'],
  ])('does nothing when %s', async (_, rules, here) => {
    const scene = guardAt(rules)
    scene.here = here

    await scene.cloud
      .importObject('todo', { customUI: true })
      .expired?.()
      .catch(() => undefined)
    await scene.settle()

    expect(scene.moves).toEqual([])
  })
})

function guardAt(rules: LoginRules) {
  const { cloud, storage, ports } = cloudAt(server, SPACES.aliyun)
  const clock = fakeClock(NOW)
  const moves: string[] = []
  const place = { here: '/pages/about' }
  return Object.assign(place, {
    cloud,
    storage,
    clock,
    moves,
    settle: async () => {
      await new Promise((resolve) => setTimeout(resolve, 0))
      await clock.pass(0)
    },
    guard: cloud.guardLogin(rules, {
      text: ports.text,
      clock,
      currentPage: () => place.here,
      navigator: {
        open: (url) => moves.push(`open ${url}`),
        redirect: (url) => moves.push(`redirect ${url}`),
        relaunch: (url) => moves.push(`relaunch ${url}`),
        switchTab: (url) => moves.push(`switchTab ${url}`),
        back: () => moves.push('back'),
      },
    }),
  })
}
