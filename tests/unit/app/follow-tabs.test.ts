import { describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import type { Http } from '../../../runtime/core/ports.ts'
import { followTabs } from '../../../src/app/session/follow-tabs.ts'
import { type AppSession, createSession } from '../../../src/app/session/session.ts'
import { createSessionOver } from '../../../src/app/session/session-over.ts'
import { createTypedStorage } from '../../../src/app/storage/typed-storage.ts'
import { fakeClock } from '../../support/fake-clock.ts'

/** The owner of a token. */
const PEOPLE: Readonly<Record<string, string>> = { t1: 'u1', t1b: 'u1', t2: 'u2' }

describe('a tab after another tab has replaced the session', () => {
  it('sends nothing with the new token before it has switched to it', async () => {
    const { a, b, clock } = twoTabs()
    await a.session.signIn({ token: 't1', tenantId: 'a' })
    await clock.pass(100)

    await a.session.signIn({ token: 't2', tenantId: 'a' })

    expect(b.session.token()).toBeNull()
    expect(b.session.owner()).toBe('a:u1')
  })

  it('switches to the other user at once: it closes open pages and starts over', async () => {
    const { a, b, clock } = twoTabs()
    await a.session.signIn({ token: 't1', tenantId: 'a' })
    await clock.pass(100)
    b.told.length = 0

    await a.session.signIn({ token: 't2', tenantId: 'b' })
    await clock.pass(50)

    expect(b.told).toEqual(['leave a:u1 without token', 'other b:u2 t2'])
    expect(b.tokens.at(-1)).toBe('t2') // the token its streams send from now on
  })

  it('switches even if the tab that signed in was closed before it stored the user', async () => {
    const { a, b, clock } = twoTabs()
    await a.session.signIn({ token: 't1', tenantId: 'a' })
    await clock.pass(100)
    b.told.length = 0

    a.answers.detail = false
    await a.session.signIn({ token: 't2', tenantId: 'b' })
    await clock.pass(50)
    const early = [...b.told]
    await clock.pass(3_000)
    await clock.pass(0)

    expect(early).toEqual([])
    expect(b.told[0]).toBe('leave a:u1 without token')
    expect(b.session.owner()).toBe('b:u2')
  })

  it('keeps its pages if the same user has signed in again', async () => {
    const { a, b, clock } = twoTabs()
    await a.session.signIn({ token: 't1', tenantId: 'a' })
    await clock.pass(100)
    await a.session.signOut()
    await clock.pass(100)
    b.told.length = 0

    await a.session.signIn({ token: 't1b', tenantId: 'a' })
    await clock.pass(100)

    expect(b.told).toEqual(['same a:u1 t1b'])
  })

  it('opens the login page if the other tab signs out', async () => {
    const { a, b, clock } = twoTabs()
    await a.session.signIn({ token: 't1', tenantId: 'a' })
    await clock.pass(100)
    b.told.length = 0

    await a.session.signOut()
    await clock.pass(50)

    expect(b.told).toEqual(['ended a: null'])
  })

  it('does not end the other tab’s session if its own calls are refused', async () => {
    const { a, b, clock } = twoTabs()
    await a.session.signIn({ token: 't1', tenantId: 'a' })
    await clock.pass(100)
    await a.session.signIn({ token: 't2', tenantId: 'a' })

    b.over('登录已过期', null)
    b.over('登录已过期', 't1')
    b.session.clear()
    await clock.pass(2_000)

    expect(a.session.token()).toBe('t2')
    expect(b.session.token()).toBe('t2')
  })

  it('does not overwrite the other user’s data with its own', async () => {
    const { a, b, clock, shared } = twoTabs()
    await a.session.signIn({ token: 't1', tenantId: 'a' })
    await clock.pass(100)
    const late = b.session.refresh()

    await a.session.signIn({ token: 't2', tenantId: 'a' })
    await late
    b.session.renew('t1c', 9e15, 't1')

    expect(a.session.token()).toBe('t2')
    expect(createTypedStorage(shared).get('user')).toMatchObject({ id: 'u2' })
  })
})

it('with a renewed token shares only the token with the other tabs', async () => {
  const { a, b, clock } = twoTabs()
  await a.session.signIn({ token: 't1', tenantId: 'a' })
  await clock.pass(100)
  b.told.length = 0

  a.session.renew('t1b', 9e15, 't1')
  await clock.pass(100)

  expect(b.session.token()).toBe('t1b')
  expect(b.told).toEqual([])
})

/** Two tabs of one browser: each is notified of what the other writes to their shared storage. */
function twoTabs() {
  const clock = fakeClock()
  const values = new Map<string, string>()
  const heard: (() => void)[] = []
  let ids = 0
  const ofTab = () => {
    const own = new Map<string, string>()
    return createTypedStorage({
      getItem: (key) => own.get(key) ?? null,
      setItem: (key, value) => own.set(key, value),
      removeItem: (key) => own.delete(key),
    })
  }
  const storeOf = (tab: number) => {
    const tell = () => {
      for (const [at, listen] of heard.entries()) if (at !== tab) listen()
    }
    return {
      getItem: (key: string) => values.get(key) ?? null,
      setItem(key: string, value: string) {
        values.set(key, value)
        tell()
      },
      removeItem(key: string) {
        values.delete(key)
        tell()
      },
    }
  }

  function aTab(tab: number) {
    const told: string[] = []
    const tokens: (string | null)[] = []
    const answers = { detail: true }
    const feedback = {
      toast: () => {},
      loading: () => () => {},
      modal: async () => ({ confirm: false }),
      actionSheet: async () => -1,
    }
    const session: AppSession = createSession({
      storage: createTypedStorage(storeOf(tab)),
      perVisit: ofTab(),
      clock,
      newId: () => `sign-in-${++ids}`,
      limits: { shortcut: { max: 4 }, common: { max: 8 }, bottom: { max: 3 } },
      feedback,
      text: (code) => code,
      urls: { detail: '/detail', dict: '/dict', logout: '/logout' },
      onIdentityChange: () => {},
      onTokenChange: () => tokens.push(session.token()),
      onSigningOut: async () => true,
      onLeave: () => told.push(`leave ${session.owner()} ${session.token() ?? 'without token'}`),
      onSignedOut: () => {},
    })
    session.connect(serverFor(session.token, answers))
    const note = (what: string) => () => void told.push(`${what} ${session.owner()} ${session.token()}`)
    heard[tab] = followTabs({
      session,
      clock,
      onEnded: note('ended'),
      onSamePerson: note('same'),
      onOtherPerson: note('other'),
    })
    const over = createSessionOver({
      text: (code) => code,
      hasDrafts: () => false,
      clock,
      feedback,
      delayMs: 1_000,
      loginPath: '/login',
      token: session.token,
      isOurs: session.isOurs,
      clear: session.clear,
      url: () => '/',
      relaunch: async () => {},
      forgetPerson: session.forgetPerson,
    })
    return { session, told, tokens, over, answers }
  }
  const [a, b] = [aTab(0), aTab(1)]
  return { a, b, clock, shared: storeOf(9) }
}

function serverFor(token: () => string | null, answers: { readonly detail: boolean }): Http {
  return {
    async send({ url }) {
      const id = PEOPLE[token() ?? '']
      if (url === '/detail' && !answers.detail)
        return { ok: false, error: { code: 'NETWORK', message: '', shown: true } }
      const data: Json = url === '/detail' ? { userInfo: { id: id ?? null } } : {}
      return { ok: true, value: { status: 200, headers: {}, data: { meta: { code: 200 }, data } } }
    },
    upload: async () => ({ ok: false, error: { code: 'NETWORK', message: '' } }),
  }
}
