import type { News } from '../messages/news.ts'
import type { AppSession } from '../session/session.ts'
import type { Store } from '../store.ts'
import type { Live } from './live.ts'
import type { OpenPages } from './open-pages.ts'

interface PageLifeParts {
  readonly pages: OpenPages
  readonly session: AppSession
  readonly online: Store<boolean>
  readonly live: Live
  readonly news: News
  /** Another tab has written to the shared storage. */
  readonly onStored: () => void
  /** Asks for a newer version of the app. */
  readonly lookForNewer: () => Promise<void>
}

/** Joins the browser's own life to the pages: launch, tab hidden and shown again, network lost and back (SHELL 1.3). */
export function watchDevice(parts: PageLifeParts): void {
  const { pages, session, online, live, news, onStored, lookForNewer } = parts
  const inSight = () => [...pages.all.get().values()].at(-1)
  session.launch()
  void session.show()

  const followPerson = () => {
    const { user } = session.context.get()
    // The server tells nothing until the password is changed.
    const isKnown = session.token() !== null && Boolean(user.id) && user.mustChangePassword !== true
    news.follow(isKnown ? session.owner() : null)
  }
  session.context.subscribe(followPerson)
  followPerson()

  document.addEventListener('visibilitychange', () => {
    const visible = document.visibilityState === 'visible'
    if (!visible) keepNow()
    inSight()?.setVisible(visible)
    if (!visible) return
    onStored() // a tab that slept may not have heard
    void session.show()
    void lookForNewer()
  })
  addEventListener('storage', onStored)
  // A phone may end a tab out of sight without another word; going out of sight is the last that is told for sure.
  const keepNow = () => {
    for (const page of pages.all.get().values()) page.keepNow()
  }
  addEventListener('pagehide', keepNow)
  addEventListener('offline', () => online.set(false))
  addEventListener('online', () => {
    online.set(true)
    live.restart()
    news.restart()
  })
  online.subscribe(() => {
    if (online.get()) for (const page of pages.all.get().values()) page.catchUp()
  })
}
