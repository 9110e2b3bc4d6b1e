import type { Clock, Feedback, Http, Text } from '../../../runtime/core/ports.ts'
import type { OpenPages } from '../pages/open-pages.ts'
import type { AppSession } from '../session/session.ts'
import type { CurrentCipher } from '../storage/cipher.ts'
import type { Store } from '../store.ts'
import { type AnswerCache, createAnswerCache } from './answer-cache.ts'
import { inOneTab } from './in-one-tab.ts'
import { type OfflineDatabase, offlineDatabase } from './offline-database.ts'
import { type AppOutbox, createOutbox } from './outbox.ts'

const HOUR_MS = 3_600_000
const LOCAL_SOURCE = 'local:/outbox'

interface Settings {
  readonly keptAnswers: { readonly count: number; readonly chars: number }
  readonly outboxTokenHours: number
}

/** The parts for times without network: cached answers, and the outbox once the product's calls exist. */
export interface Offline {
  readonly database: OfflineDatabase
  readonly answers: AnswerCache
}

export function createOffline(settings: Settings, session: () => AppSession, clock: Clock): Offline {
  const database = offlineDatabase()
  const answers = createAnswerCache({
    database,
    signIn: () => session().signInId(),
    now: clock.now,
    limits: settings.keptAnswers,
  })
  return { database, answers }
}

interface OutboxParts {
  readonly settings: Settings
  readonly database: OfflineDatabase
  readonly http: Http
  readonly clock: Clock
  readonly session: AppSession
  readonly currentCipher: CurrentCipher
  readonly feedback: Feedback
  readonly text: Text
  /** The visible page is reloaded after a write was sent. */
  readonly pages: () => OpenPages
}

/** The outbox of the signed-in user, which reports results to them. */
export function createAppOutbox(parts: OutboxParts): AppOutbox {
  const { session, feedback, text, pages } = parts
  return createOutbox({
    database: parts.database,
    http: parts.http,
    clock: parts.clock,
    alone: inOneTab,
    owner: () => (session.token() === null || session.owner().endsWith(':') ? null : session.owner()),
    tokenMs: parts.settings.outboxTokenHours * HOUR_MS,
    unsureText: text('outbox.unsure'),
    currentCipher: parts.currentCipher,
    lostText: text('outbox.lost'),
    onRound({ sent, refused }) {
      if (refused > 0) feedback.toast({ text: text('outbox.refused', { n: refused }) })
      else feedback.toast({ text: text('outbox.sent', { n: sent }), icon: 'success' })
      const inSight = [...pages().all.get().values()].at(-1)
      void inSight?.state.get().engine?.refresh()
    },
  })
}

/** Sends when the network is back or another user has signed in; pages that show the outbox are updated. */
export function followOutbox(
  outbox: AppOutbox,
  { session, online, pages }: { session: AppSession; online: Store<boolean>; pages: OpenPages },
): void {
  let owner = session.owner()
  session.context.subscribe(() => {
    if (session.owner() === owner) return
    owner = session.owner()
    void outbox.reload().then(outbox.flush)
  })
  online.subscribe(() => {
    if (online.get()) void outbox.flush()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void outbox.flush()
  })
  outbox.entries.subscribe(() => {
    for (const page of pages.all.get().values()) {
      const { engine } = page.state.get()
      for (const source of engine?.page.dataSources.values() ?? [])
        if (source.requestURL === LOCAL_SOURCE) void engine?.refresh(source.uniqueName)
    }
  })
  void outbox.reload().then(outbox.flush)
}
