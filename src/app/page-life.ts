import type { Live } from './live.ts'
import type { OpenPages } from './open-pages.ts'
import type { AppSession } from './session.ts'
import type { Store } from './store.ts'

interface PageLifeParts {
  readonly pages: OpenPages
  readonly session: AppSession
  readonly online: Store<boolean>
  readonly live: Live
}

/** Joins the browser's own life to the pages: launch, tab hidden and shown again, network lost and back (PLATFORM 4.3). */
export function watchDevice({ pages, session, online, live }: PageLifeParts): void {
  const inSight = () => [...pages.all.get().values()].at(-1)
  session.launch()
  void session.show()

  document.addEventListener('visibilitychange', () => {
    const visible = document.visibilityState === 'visible'
    inSight()?.setVisible(visible)
    if (visible) void session.show()
  })
  addEventListener('pagehide', () => {
    for (const page of pages.all.get().values()) void page.flush()
  })
  addEventListener('offline', () => online.set(false))
  addEventListener('online', () => {
    online.set(true)
    live.restart()
  })
  online.subscribe(() => {
    if (online.get()) for (const page of pages.all.get().values()) page.catchUp()
  })
}
