import { browserClock as clock } from '../../../runtime/browser/clock.ts'
import type { ServerEvents } from '../messages/server-events.ts'
import { whenBack } from '../net/when-back.ts'
import type { AppSession } from '../session/session.ts'
import type { Store } from '../store.ts'
import type { Live } from './live.ts'
import type { OpenPages } from './open-pages.ts'

interface PageLifeParts {
  readonly pages: OpenPages
  readonly session: AppSession
  readonly online: Store<boolean>
  readonly live: Live
  readonly serverEvents: ServerEvents
  /** Another tab has written to the shared storage. */
  readonly onStored: () => void
  /** Checks for a newer version of the app. */
  readonly checkForUpdate: () => Promise<void>
}

/** Passes events of the browser on to the pages: launch, tab hidden and shown, network lost and back (SHELL 1.3). */
export function watchDevice(parts: PageLifeParts): void {
  const { pages, session, online, live, serverEvents, onStored, checkForUpdate } = parts
  const inSight = () => [...pages.all.get().values()].at(-1)
  session.launch()
  void session.show()

  const followPerson = () => {
    const { user } = session.context.get()
    // The server sends no events until the password is changed.
    const isKnown = session.token() !== null && Boolean(user.id) && user.mustChangePassword !== true
    serverEvents.follow(isKnown ? session.owner() : null)
  }
  session.context.subscribe(followPerson)
  followPerson()

  document.addEventListener('visibilitychange', () => {
    const visible = document.visibilityState === 'visible'
    if (!visible) keepNow()
    inSight()?.setVisible(visible)
    if (!visible) return
    onStored() // a tab that slept may have missed the event
    void session.show()
    void checkForUpdate()
  })
  addEventListener('storage', onStored)
  // A phone may kill a hidden tab without another event, so hiding is the last reliable one.
  const keepNow = () => {
    for (const page of pages.all.get().values()) page.keepNow()
  }
  addEventListener('pagehide', keepNow)
  addEventListener('offline', () => online.set(false))
  addEventListener('online', () => {
    online.set(true)
    live.restart()
    serverEvents.restart()
  })
  whenBack(online, clock, () => {
    for (const page of pages.all.get().values()) page.catchUp()
  })
}
