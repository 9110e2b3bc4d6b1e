import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { isObject } from '../../../runtime/core/json.ts'
import type { Clock, Http, Session } from '../../../runtime/core/ports.ts'
import { chooseMenus, createMenuStore, type MenuLimits, type Menus } from '../navigation/menu.ts'
import type { TypedStorage } from '../storage/typed-storage.ts'
import { createStore, type Store } from '../store.ts'
import { createLastPerson, type LastPerson } from './last-person.ts'
import { createOwnReads, type OwnReadsOptions } from './own-reads.ts'
import { createSignIn } from './sign-in.ts'
import { createStoredSession } from './stored-session.ts'

/** The server reports changed rights with every answer until the token is renewed: one read within this time is enough. */
const RIGHTS_PAUSE_MS = 60_000

/** Time for which a sign-out waits for the server. */
const LOGOUT_MS = 2_000

/** The values of `user` and `dict` in pages. */
export interface SessionContext {
  readonly user: JsonObject
  readonly dict: JsonObject
}

export interface SessionOptions extends OwnReadsOptions {
  readonly storage: TypedStorage
  /** Lives as long as the tab. */
  readonly perVisit: TypedStorage
  readonly clock: Clock
  readonly newId: () => string
  readonly limits: MenuLimits
  readonly urls: OwnReadsOptions['urls'] & { readonly logout: string }
  /** Another user or tenant has signed in: all caches of data are deleted (SHELL 6). */
  readonly onIdentityChange: () => void
  /** Calls are now made as another person or nobody: open streams belong to the previous one. */
  readonly onTokenChange: () => void
  /** Another tab has signed somebody else in: the open pages are closed before they can make calls as the new user. */
  readonly onLeave: () => void
  /** The user wants to sign out: their data on the device may be deleted first. False: they stay. */
  readonly onSigningOut: () => Promise<boolean>
  /** The user has signed out. */
  readonly onSignedOut: () => void
}

/** The state of this tab's session after other tabs changed theirs; `unknown`: they have not stored the user yet. */
type TakenOver = 'ours' | 'ended' | 'unknown' | 'same' | 'other'

export interface AppSession extends Session, Pick<LastPerson, 'startsAtHome'> {
  readonly context: Store<SessionContext>
  /** The token, unless it has expired or belongs to a session that another tab has begun. */
  token(): string | null
  /** Identifies this sign-in, from login to logout; null without a session. */
  signInId(): string | null
  /** Tenant and user, for the keys of drafts and caches. */
  owner(): string
  /** The encryption key of this user's drafts; null without a session. */
  draftKey(): string | null
  menus(): Menus
  /** Sets the port of the shell's own reads, which is created later. */
  connect(http: Http): void
  /** At launch: forgets the stored menus (SHELL 4). */
  launch(): void
  /** At each show: reads the user's detail if no menus are stored. */
  show(): Promise<void>
  /** Stores the unread counts as `user.unread`. */
  setUnread(unread: JsonObject): void
  /** Reads the dictionaries again. */
  dictChanged(): void
  /** Reads the user again, at most once a minute: every answer reports it until the token is renewed. */
  rightsChanged(): void
  /** Reads the user again immediately: the stream reports each change once. */
  rightsTold(): void
  /** Takes over a new token, unless the session it renews is not the current one any more. */
  renew(token: string, expiresAt: number, previous: string | null): void
  /** Deletes the stored session, unless it is another tab's. The visible page keeps its user until login opens. */
  clear(): void
  /** Removes the user from all pages. */
  forgetPerson(): void
  /** False once another tab has begun or ended a session, until {@link takeOver}. */
  isOurs(): boolean
  /** Switches to the session of the other tabs. `evenUnknown`: also if its user is not known yet. */
  takeOver(evenUnknown: boolean): TakenOver
}

/** Token, user and menus of the product (SHELL 4). */
export function createSession(options: SessionOptions): AppSession {
  const { storage } = options
  const menus = createMenuStore(storage)
  const stored = createStoredSession(storage, () => options.clock.now())
  const savedUser = stored.user()
  const context = createStore<SessionContext>({ user: isObject(savedUser) ? savedUser : {}, dict: {} })
  const signIn = createSignIn(storage, options.newId)
  let tenant = stored.tenant()
  let http: Http | undefined
  const reads = createOwnReads(options, () => http)
  let rightsReadAt = Number.NEGATIVE_INFINITY
  let readings: Promise<void> = Promise.resolve()
  let dictReadings: Promise<void> = Promise.resolve()
  let unread: JsonObject | null = null
  /** Increases with each user, and between two: what one of them requested is not for the next. */
  let visit = 0

  const owner = (): string => `${tenant}:${String(context.get().user.id ?? '')}`

  const lastPerson = createLastPerson(options.perVisit, owner)

  const token = (): string | null => (signIn.isOurs() ? stored.token() : null)

  async function refresh(): Promise<void> {
    const tokenBefore = token()
    if (tokenBefore === null) return
    const [detail, dict] = await Promise.all([reads.detail(), readDict()])
    if (token() !== tokenBefore || !isObject(detail)) return
    const chosen = chooseMenus(detail, options.limits)
    menus.save(chosen)
    const user = toUser(detail, chosen)
    stored.keepUser(user, detail.draftKey)
    const { dict: known } = context.get()
    context.set({
      user: unread === null ? user : { ...user, unread },
      // Dictionaries that came meanwhile are newer.
      dict: isEmpty(known) && isObject(dict) ? dict : known,
    })
  }

  /** One read at a time, as of dictionaries: a change reported during a read may be missing from its answer. */
  function readRights(): void {
    rightsReadAt = options.clock.now()
    readings = readings.then(refresh, refresh)
  }

  /** Cached at the first use (SHELL 4.3); read again after the identity changed. */
  async function readDict(): Promise<Json | undefined> {
    return isEmpty(context.get().dict) ? reads.dict() : context.get().dict
  }

  async function readDictAgain(): Promise<void> {
    if (token() === null) return
    const before = visit
    const dict = await reads.dict()
    if (visit === before && isObject(dict)) context.set({ ...context.get(), dict })
  }

  function clear(): void {
    if (!signIn.isOurs()) return
    lastPerson.keep()
    stored.clear()
    signIn.end()
    menus.clear()
  }

  /** Removes the user from the pages. */
  function forgetPerson(): void {
    lastPerson.keep()
    unread = null
    visit += 1
    context.set({ user: {}, dict: {} })
  }

  function forget(): void {
    clear()
    forgetPerson()
    options.onIdentityChange()
  }

  /** Nobody waits long for a server that is away; the call goes on. */
  async function tellServer(): Promise<void> {
    if (token() === null) return
    const told = http?.send({ url: options.urls.logout, method: 'POST', body: {} })
    await Promise.race([told, new Promise<void>((resolve) => options.clock.after(LOGOUT_MS, resolve))])
  }

  function takeOver(evenUnknown: boolean): TakenOver {
    if (signIn.isOurs()) return 'ours'
    if (!stored.hasToken()) {
      forgetPerson()
      signIn.adopt()
      options.onTokenChange()
      return 'ended'
    }
    const storedUser = stored.user()
    const user = isObject(storedUser) ? storedUser : {}
    if (user.id === undefined && !evenUnknown) return 'unknown'
    const isSame = `${stored.tenant()}:${String(user.id ?? '')}` === lastPerson.owner()
    if (!isSame) {
      options.onLeave()
      forgetPerson()
    }
    signIn.adopt()
    tenant = stored.tenant()
    context.set({ user, dict: isSame ? context.get().dict : {} })
    options.onTokenChange()
    void refresh()
    return isSame ? 'same' : 'other'
  }

  return {
    context,
    token,
    signInId: () => (token() === null ? null : (signIn.id() ?? signIn.begin())),
    owner,
    isOurs: signIn.isOurs,
    takeOver,
    draftKey: () => (signIn.isOurs() ? stored.draftKey() : null),
    menus: () => {
      const saved = context.get().user.menus
      return isObject(saved) ? (saved as Menus) : { shortcut: [], common: [], bottom: [] }
    },
    connect(port) {
      http = port
    },
    launch: menus.clear,
    show: async () => {
      if (!menus.has()) await refresh()
    },
    refresh,
    setUnread(count) {
      unread = count
      const { user, dict } = context.get()
      context.set({ user: { ...user, unread: count }, dict })
    },
    dictChanged() {
      if (token() !== null) dictReadings = dictReadings.then(readDictAgain, readDictAgain)
    },
    rightsChanged() {
      if (options.clock.now() - rightsReadAt >= RIGHTS_PAUSE_MS) readRights()
    },
    rightsTold: readRights,
    clear,
    forgetPerson,
    renew(renewed, expiresAt, previous) {
      if (previous === null || token() !== previous || !Number.isFinite(expiresAt)) return
      stored.keepToken(renewed, expiresAt)
    },
    async signIn(answer) {
      if (typeof answer.token !== 'string' || answer.token === '') return
      signIn.adopt() // also ends a session that another tab has begun meanwhile
      forget()
      signIn.begin()
      stored.keepToken(answer.token, answer.expiresAt)
      stored.keepTenant(answer)
      tenant = stored.tenant()
      options.onTokenChange()
      await refresh()
      lastPerson.follow()
    },
    startsAtHome: lastPerson.startsAtHome,
    async signOut() {
      if (!(await options.onSigningOut())) return
      const done = options.feedback.loading(options.text('login.leaving'))
      await tellServer()
      done()
      forget()
      lastPerson.forget()
      options.onTokenChange()
      options.onSignedOut()
    },
  }
}

const isEmpty = (value: JsonObject): boolean => Object.keys(value).length === 0

function toUser(detail: JsonObject, menus: Menus): JsonObject {
  const { userInfo, draftKey: _, ...rest } = detail // no page needs the encryption key of drafts
  return { ...(isObject(userInfo) ? userInfo : {}), ...rest, menus }
}
