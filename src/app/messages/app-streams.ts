import { browserClock as clock } from '../../../runtime/browser/clock.ts'
import { valueAt } from '../../../runtime/core/json.ts'
import type { Http } from '../../../runtime/core/ports.ts'
import { openEventStream } from '../../../runtime/net/event-stream.ts'
import type { OnDevice } from '../device/on-device.ts'
import type { Navigation } from '../navigation/navigation.ts'
import { topOf } from '../navigation/page-stack.ts'
import { withBasePath } from '../net/app-path.ts'
import type { ReconnectingStreamOptions } from '../net/reconnecting-stream.ts'
import { type Live, listenToChanges } from '../pages/live.ts'
import type { OpenPages } from '../pages/open-pages.ts'
import type { PageSource } from '../pages/page-source.ts'
import type { AppSession } from '../session/session.ts'
import type { Settings } from '../settings.ts'
import { showBadge, unreadIn } from './app-badge.ts'
import { listenToServerEvents, type ServerEvents } from './server-events.ts'

interface StreamParts {
  readonly settings: Settings
  readonly onDevice: OnDevice
  readonly session: AppSession
  readonly source: PageSource
  readonly pages: OpenPages
  readonly quiet: Http
  readonly navigation: () => Navigation
  /** Checks for a newer version of the app. */
  readonly checkForUpdate: () => Promise<void>
}

/** The server's event streams: changed pages and dictionaries (`live`), and messages for the signed-in user (`news`). */
export function listenToServer(parts: StreamParts): {
  readonly live: Live
  readonly serverEvents: ServerEvents
} {
  const { settings, onDevice, session, source, pages } = parts
  const { online, headers, feedback } = onDevice
  const streamFrom =
    (url: string): ReconnectingStreamOptions['open'] =>
    ({ onOpen, onData, onEnd }) => {
      const token = session.token()
      return openEventStream({
        url: withBasePath(url),
        headers: { ...headers, ...(token === null ? {} : { Authorization: token }) },
        onOpen() {
          online.set(navigator.onLine)
          onOpen()
        },
        onData,
        onEnd,
      })
    }
  const live = listenToChanges({
    clock,
    open: streamFrom(settings.pageStreamUrl),
    onChange(path, problems) {
      source.report(path, problems)
      if (problems.length === 0) void source.changed(path)
    },
    onDict: session.dictChanged,
    onOpen: () => source.forgetReports(),
    onGap() {
      // The server may have been updated during the gap.
      void parts.checkForUpdate()
      session.dictChanged()
      for (const path of new Set([...pages.all.get().values()].map((page) => page.path)))
        void source.changed(path)
    },
  })
  const serverEvents = listenToServerEvents({
    clock,
    open: streamFrom(settings.newsStreamUrl),
    pollMs: settings.newsPollMs,
    async poll() {
      const outcome = await parts.quiet.send({ url: settings.unreadUrl, method: 'GET' })
      return outcome.ok ? valueAt(outcome.value.data, 'data') : undefined
    },
    onUnread: session.setUnread,
    onNews(event) {
      const words = valueAt(event, 'message.title')
      if (typeof words === 'string' && words !== '') feedback.toast({ text: words })
      const page = pages.all.get().get(topOf(parts.navigation().stack()).id)
      const engine = page?.state.get().engine
      if (event.kind === 'rights') {
        session.rightsTold()
        void engine?.refresh()
      }
      void engine?.pageEvent('live', event)
    },
  })
  // The count of the signed-in user; signing out removes it.
  session.context.subscribe(() => showBadge(unreadIn(session.context.get().user)))
  return { live, serverEvents }
}
