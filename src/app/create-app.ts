import type { Catalogue } from '../../runtime/browser/catalogue-text.ts'
import { browserClock as clock } from '../../runtime/browser/clock.ts'
import type { Ports } from '../../runtime/core/ports.ts'
import { createHttp } from '../../runtime/net/http.ts'
import { isWideWindow } from '../../runtime/react/kit/use-is-desktop.ts'
import type { App } from './app-context.ts'
import { createAppViews } from './app-views.ts'
import { linkCards } from './card/card-link.ts'
import { createAppPorts } from './device/app-ports.ts'
import { savesData } from './device/device-facts.ts'
import { openDevice } from './device/on-device.ts'
import { checkForUpdate } from './device/script.ts'
import { listenToServer } from './messages/app-streams.ts'
import { linkPush, takeMessageId } from './messages/push-link.ts'
import { openNavigation } from './navigation/app-navigation.ts'
import { createNavigators } from './navigation/app-navigators.ts'
import { createRouteTable, type RouteRow } from './navigation/routes.ts'
import { createSideBySide } from './navigation/side-by-side.ts'
import { linkAppCloud } from './net/app-cloud.ts'
import { createAppHttp } from './net/app-http.ts'
import { basePathHttp } from './net/app-path.ts'
import { createAppOutbox, createOffline, followOutbox } from './offline/create-offline.ts'
import { createAppDrafts } from './pages/app-drafts.ts'
import { createAppPageSource } from './pages/app-page-source.ts'
import { createAppPages } from './pages/app-pages.ts'
import { linkAsking } from './pages/ask-link.ts'
import { watchDevice } from './pages/page-life.ts'
import { createPrefetch } from './pages/prefetch.ts'
import { createAppSession, followOtherTabs } from './session/app-session.ts'
import { personPorts } from './session/person-ports.ts'
import type { Settings } from './settings.ts'
import { createCurrentCipher } from './storage/cipher.ts'
import { createStore } from './store.ts'

export interface AppOptions {
  readonly settings: Settings
  readonly routeRows: readonly RouteRow[]
  /** Texts of the base language, zh-Hans, which is the only complete one. */
  readonly catalogue: Catalogue
}

/**
 * The composition root: creates the parts, connects them, and starts what runs beside the views. Parts that depend on each other get functions, which
 * are not called before all parts exist.
 */
export function createApp({ settings, routeRows, catalogue }: AppOptions): App {
  const onDevice = openDevice(settings, catalogue)
  const { feedback, text, online, typed, storage } = onDevice
  const routes = createRouteTable(routeRows)
  const sideBySide = createSideBySide(routes, isWideWindow)
  const { registry, views } = createAppViews()
  const newer = createStore(false)
  const later = {
    navigation: () => navigation,
    pages: () => pages,
  }

  const offline = createOffline(settings, () => session, clock)
  /** Number of times that another tab signed somebody else in. */
  let people = 0
  const session = createAppSession({
    settings,
    onDevice,
    drafts: () => drafts,
    outbox: () => outbox,
    onIdentityChange() {
      forgetPages()
      void offline.answers.clear()
      link.forgetLogin()
    },
    onLeave() {
      people += 1
      pages.closeAll()
      forgetPages()
    },
    onTokenChange: () => live.restart(),
    onSignedOut() {
      push.signedOut()
      void navigation.move('reLaunch', settings.loginPath)
    },
  })
  function forgetPages(): void {
    source.clear()
    prefetch.forget()
  }
  const seal = () => import('./storage/seal.ts')
  const currentCipher = createCurrentCipher(session.draftKey, seal)

  const raw = basePathHttp(createHttp())
  const { http, quiet } = createAppHttp({
    settings,
    raw,
    onDevice,
    session,
    answers: offline.answers,
    ...later,
  })
  session.connect(quiet)
  const push = linkPush({
    storage: typed,
    http: quiet,
    owner: session.owner,
    readUrl: settings.readUrl,
    worker: navigator.serviceWorker,
    takeMessageId,
    async open(url) {
      if ((await navigation.move('navigateTo', url)) !== null) await navigation.move('switchTab', url)
    },
  })
  const outbox = createAppOutbox({
    settings,
    database: offline.database,
    http: quiet,
    clock,
    session,
    currentCipher,
    feedback,
    text,
    pages: later.pages,
  })
  const link = linkAppCloud({ settings, onDevice, raw, http, quiet, navigator: () => ports.navigator })

  const source = createAppPageSource({
    settings,
    onDevice,
    registry,
    http: quiet,
    owner: session.owner,
    heardSince: () => live.heardSince(),
  })
  const drafts = createAppDrafts({ settings, onDevice, session })

  const navigatorOf = createNavigators({ navigation: later.navigation, feedback, text })
  const ports = createAppPorts({ onDevice, session, registry, link, currentCipher, navigator: navigatorOf() })
  const cards = linkCards(session.owner)
  function portsIn(locale: string): Ports {
    const then = people
    return personPorts(ports, {
      text: onDevice.language.textIn(locale),
      choices: onDevice.choices,
      local: (request) => push.answer(request) ?? cards.answer(request),
      isStill: () => people === then,
    })
  }
  const pages = createAppPages({
    settings,
    onDevice,
    session,
    routes,
    source,
    drafts,
    outbox,
    registry,
    views,
    portsIn,
    navigatorOf,
    asking: linkAsking({ session, ...later }),
    quiet,
  })
  const { live, serverEvents } = listenToServer({
    settings,
    onDevice,
    session,
    source,
    pages,
    quiet,
    navigation: later.navigation,
    checkForUpdate,
  })
  const prefetch = createPrefetch({
    clock,
    restMs: settings.fetchAheadRestMs,
    savesData: savesData(navigator),
    session,
    registry,
    views,
    source,
    cacheShell: () => cacheShell(() => newer.set(true)),
    onSignedIn: push.signedIn,
  })
  const navigation = openNavigation({
    settings,
    onDevice,
    session,
    routes,
    sideBySide,
    pages,
    onMove: prefetch.moved,
  })

  const onStored = followOtherTabs(session, settings, later.navigation)
  watchDevice({ pages, session, online, live, serverEvents, onStored, checkForUpdate })
  followOutbox(outbox, { session, online, pages })
  return {
    navigation,
    sideBySide,
    pages,
    session,
    feedback,
    routes,
    views,
    text,
    quiet,
    language: onDevice.language.locale,
    ready: onDevice.ready,
    lasting: storage.lasting,
    online,
    newer,
    outbox,
    outboxPath: settings.outboxPath,
    homePath: settings.homePath,
    mePath: settings.mePath,
  }
}

/** The part that does it is loaded when it is needed; without it, the files are not cached in this visit. */
const cacheShell = (onNewer: () => void): Promise<void> =>
  import('./offline/shell-worker.ts').then((part) => part.cacheShell(onNewer)).catch(() => undefined)
