import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { isObject } from '../../../runtime/core/json.ts'
import type { Clock, Http, Session } from '../../../runtime/core/ports.ts'
import { chooseMenus, createMenuStore, type MenuLimits, type Menus } from '../navigation/menu.ts'
import type { TypedStorage } from '../storage/typed-storage.ts'
import { createStore, type Store } from '../store.ts'
import { createOwnReads, type OwnReadsOptions } from './own-reads.ts'
import { createSignIn } from './sign-in.ts'
import { createStoredSession } from './stored-session.ts'

/** The server says "rights changed" with every answer until the token is renewed: once in this time is enough. */
const RIGHTS_PAUSE_MS = 60_000

/** What pages read as `user` and `dict`. */
export interface SessionContext {
  readonly user: JsonObject
  readonly dict: JsonObject
}

export interface SessionOptions extends OwnReadsOptions {
  readonly storage: TypedStorage
  readonly clock: Clock
  readonly newId: () => string
  readonly limits: MenuLimits
  readonly urls: OwnReadsOptions['urls'] & { readonly logout: string }
  /** Another user or tenant: every cache of data is dropped (SHELL 6). */
  readonly onIdentityChange: () => void
  /** From now on calls are made for another person or for nobody: open streams belong to the previous one. */
  readonly onTokenChange: () => void
  /** Another tab has signed somebody else in: what is open here goes before anything can be asked in the new one's name. */
  readonly onLeave: () => void
  /** The user wants to leave: what they left on the device may go with them. */
  readonly onSigningOut: () => Promise<void>
  /** No session any more, by the user's own wish. */
  readonly onSignedOut: () => void
}

/** What became of this tab's session when it looked at what the others did; `unknown`: they have not told yet who it is. */
type TakenOver = 'ours' | 'ended' | 'unknown' | 'same' | 'other'

export interface AppSession extends Session {
  readonly context: Store<SessionContext>
  /** The token, unless it has expired or belongs to a session that another tab has begun. */
  token(): string | null
  /** Names this sign-in, from login to log-out; null without a session. */
  signInId(): string | null
  /** Tenant and user, for the keys of drafts and caches. */
  owner(): string
  /** The key that this person's drafts are encrypted with; null without a session. */
  draftKey(): string | null
  menus(): Menus
  /** The shell's own reads go through this port, given once the protocol stands. */
  connect(http: Http): void
  /** At the launch: forgets the saved menus (SHELL 4). */
  launch(): void
  /** At each show: reads the user's detail when no menus are saved. */
  show(): Promise<void>
  /** Keeps how much is unread as `user.unread`. */
  heard(unread: JsonObject): void
  /** Reads the dictionaries again. */
  dictChanged(): void
  /** Reads the user again, at most once a minute: every answer says so until the token is renewed. */
  rightsChanged(): void
  /** Reads the user again, now: the stream says so once for each change. */
  rightsTold(): void
  /** Goes on under a new token, unless the session it renews is no longer the one in use. */
  renew(token: string, expiresAt: number, previous: string | null): void
  /** Forgets what is stored, unless it is another tab's; the page in sight keeps its user until login opens. */
  clear(): void
  /** Shows nobody any more. */
  forgetPerson(): void
  /** False once another tab has begun or ended a session, until {@link takeOver}. */
  isOurs(): boolean
  /** Goes over to the session of the other tabs. With `evenUnknown` also where it is not known yet whose it is. */
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
  /** Who worked here last: the same person who comes back goes on where they were. */
  let lastOwner = ''
  let http: Http | undefined
  const reads = createOwnReads(options, () => http)
  let rightsReadAt = Number.NEGATIVE_INFINITY
  let readings: Promise<void> = Promise.resolve()
  let unread: JsonObject | null = null

  const owner = (): string => `${tenant}:${String(context.get().user.id ?? '')}`

  const token = (): string | null => (signIn.isOurs() ? stored.token() : null)

  async function refresh(): Promise<void> {
    const asked = token()
    if (asked === null) return
    const [detail, dict] = await Promise.all([reads.detail(), readDict()])
    if (token() !== asked || !isObject(detail)) return
    const chosen = chooseMenus(detail, options.limits)
    menus.save(chosen)
    const user = toUser(detail, chosen)
    stored.keepUser(user, detail.draftKey)
    context.set({
      user: unread === null ? user : { ...user, unread },
      dict: isObject(dict) ? dict : context.get().dict,
    })
  }

  /** One read at a time: a change reported during a read may be missing from its answer. */
  function readRights(): void {
    rightsReadAt = options.clock.now()
    readings = readings.then(refresh, refresh)
  }

  /** Cached on first use (SHELL 4.3); read again after the identity changed. */
  async function readDict(): Promise<Json | undefined> {
    return Object.keys(context.get().dict).length > 0 ? context.get().dict : reads.dict()
  }

  function clear(): void {
    if (!signIn.isOurs()) return
    stored.clear()
    signIn.end()
    menus.clear()
  }

  /** Nobody is known here any more. */
  function forgetPerson(): void {
    if (context.get().user.id !== undefined) lastOwner = owner()
    unread = null
    context.set({ user: {}, dict: {} })
  }

  function forget(): void {
    clear()
    forgetPerson()
    options.onIdentityChange()
  }

  function takeOver(evenUnknown: boolean): TakenOver {
    if (signIn.isOurs()) return 'ours'
    if (!stored.hasToken()) {
      forgetPerson()
      signIn.adopt()
      options.onTokenChange()
      return 'ended'
    }
    const told = stored.user()
    const user = isObject(told) ? told : {}
    if (user.id === undefined && !evenUnknown) return 'unknown'
    const before = context.get().user.id === undefined ? lastOwner : owner()
    const isSame = `${stored.tenant()}:${String(user.id ?? '')}` === before
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
    heard(count) {
      unread = count
      const { user, dict } = context.get()
      context.set({ user: { ...user, unread: count }, dict })
    },
    dictChanged() {
      if (token() === null) return
      void reads.dict().then((dict) => {
        if (isObject(dict)) context.set({ ...context.get(), dict })
      })
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
      signIn.adopt() // whatever another tab has begun meanwhile: it ends here
      forget()
      signIn.begin()
      stored.keepToken(answer.token, answer.expiresAt)
      stored.keepTenant(answer)
      tenant = stored.tenant()
      options.onTokenChange()
      await refresh()
    },
    async signOut() {
      await options.onSigningOut()
      if (token() !== null) await http?.send({ url: options.urls.logout, method: 'POST', body: {} })
      forget()
      options.onTokenChange()
      options.onSignedOut()
    },
  }
}

function toUser(detail: JsonObject, menus: Menus): JsonObject {
  const { userInfo, draftKey: _, ...rest } = detail // no page has to know what drafts are locked with
  return { ...(isObject(userInfo) ? userInfo : {}), ...rest, menus }
}
