import { createEngine, createRegistry } from '../../runtime/core/index.ts'
import { valueAt } from '../../runtime/core/json.ts'
import type { Navigator, Ports } from '../../runtime/core/ports.ts'
import { readPage } from '../../runtime/core/read-page.ts'
import { openEventStream } from '../../runtime/net/event-stream.ts'
import { createHttp } from '../../runtime/net/http.ts'
import { isWideWindow } from '../../runtime/react/kit/use-at-desk.ts'
import { layers } from '../../runtime/react/layers/layers.ts'
import { preparePage } from '../../runtime/react/page/page-view.tsx'
import { createWidgetViews } from '../../runtime/react/widgets/index.ts'
import type appSettings from '../../schemas/app.json'
import { WORKBENCH } from '../contract/workbench-widget.ts'
import type { App } from './app-context.ts'
import { linkCards } from './card/card-link.ts'
import { createDevice } from './device/device.ts'
import { isPc, readDeviceId } from './device/device-facts.ts'
import { createFeedback } from './device/feedback.ts'
import { createLook, drawLook, LOOKS } from './device/look.ts'
import { browserClock as clock, browserRandom as random } from './device/ports.ts'
import { script } from './device/script.ts'
import { showBadge, unreadIn } from './messages/app-badge.ts'
import { listenToNews } from './messages/news.ts'
import { linkPush, takeTold } from './messages/push-link.ts'
import { createAskedPages } from './navigation/asked-pages.ts'
import { createBesides } from './navigation/beside.ts'
import { browserHistory } from './navigation/hash-location.ts'
import { createNavigation } from './navigation/navigation.ts'
import { createNavigator } from './navigation/navigator.ts'
import { type Entry, topOf } from './navigation/page-stack.ts'
import { createRouteTable, type RouteRow } from './navigation/routes.ts'
import { restoreStack, saveStack } from './navigation/saved-stack.ts'
import { createProductHttp } from './net/api.ts'
import { linkCloud } from './net/cloud-link.ts'
import { linkConnections } from './net/connection-link.ts'
import type { KeepStreamOptions } from './net/keep-stream.ts'
import { nameRefusedOrigins, narrowedOrigins } from './net/refused-origins.ts'
import { createAppOutbox, createOffline, followOutbox } from './offline/create-offline.ts'
import { createKeptHttp } from './offline/kept-http.ts'
import { pagePorts, waitingWrite } from './offline/page-ports.ts'
import { keepShell } from './offline/shell-worker.ts'
import { createDrafts } from './pages/drafts.ts'
import { listenToChanges } from './pages/live.ts'
import { openPage } from './pages/open-page.ts'
import { createOpenPages } from './pages/open-pages.ts'
import { watchDevice } from './pages/page-life.ts'
import { createPageSource } from './pages/page-source.ts'
import { followTabs } from './session/follow-tabs.ts'
import type { LocalChoice } from './session/local-choices.ts'
import { personPorts } from './session/person-ports.ts'
import { createSession } from './session/session.ts'
import { createSessionOver, guardLogin, loginUrl } from './session/session-over.ts'
import { createDeviceStorage } from './storage/device-storage.ts'
import { createLocker } from './storage/locker.ts'
import { createOwnedStorage } from './storage/owned-storage.ts'
import { createTypedStorage, storeOf } from './storage/typed-storage.ts'
import { createStore } from './store.ts'
import { createLanguage } from './words/language.ts'
import { LOCALES } from './words/locale.ts'
import type { Catalogue } from './words/text.ts'

/** Fields that most forms have, beside those of the login form. */
const COMMON_FIELDS = new Set(['number', 'select', 'switch', 'date', 'datetime', 'textarea', 'radio'])

/** A toast that says what not to do is read to its end. */
const UNKEPT_MS = 5_000

export interface AppOptions {
  readonly settings: typeof appSettings
  readonly routeRows: readonly RouteRow[]
  /** Texts of the base language, zh-Hans: the one with every text. */
  readonly catalogue: Catalogue
}

/** The composition root: builds the ports, joins the rooms, starts what runs beside the views. */
export function createApp({ settings, routeRows, catalogue }: AppOptions): App {
  const routes = createRouteTable(routeRows)
  const besides = createBesides(routes, isWideWindow)
  const registry = createRegistry()
  const views = createWidgetViews()
  registry.register(WORKBENCH)
  views.register(WORKBENCH.type, { load: () => import('../workbench/index.tsx') })
  const storage = createDeviceStorage()
  const typed = createTypedStorage(storeOf(() => localStorage))
  const language = createLanguage({
    storage: typed,
    configured: settings.locale,
    browser: navigator.languages,
    base: { locale: 'zh-Hans', catalogue },
    load: async (locale) => (await import('./words/locale-words.ts')).loadWords(locale),
    onChange: (locale) => {
      document.documentElement.lang = locale
    },
  })
  const { text } = language
  const look = createLook({
    storage: typed,
    system: matchMedia('(prefers-color-scheme: dark)'),
    draw: (isDark) => drawLook(document, isDark),
  })
  const online = createStore(navigator.onLine)
  const newer = createStore(false)
  const feedback = createFeedback({
    clock,
    toastMs: settings.toastMs,
    loadingText: () => text('feedback.loading'),
  })
  const perVisit = storeOf(() => sessionStorage)
  const deviceId = readDeviceId([typed, createTypedStorage(perVisit)], clock.now, Math.random)
  const pc = isPc(navigator.userAgent)
  typed.set('isPC', pc)

  const offline = createOffline(settings, () => session, clock)
  /** How often another tab has signed somebody else in. */
  let people = 0
  const session = createSession({
    storage: typed,
    clock,
    newId: random.uuid,
    feedback,
    text,
    limits: settings.menuSlots,
    urls: { detail: settings.userDetailUrl, dict: settings.dictUrl, logout: settings.logoutUrl },
    onIdentityChange() {
      source.clear()
      fetchedAhead = false
      void offline.answers.clear()
      link.forgetLogin()
    },
    onLeave() {
      people += 1
      pages.closeAll()
      source.clear()
      fetchedAhead = false
    },
    onTokenChange: () => live.restart(),
    async onSigningOut() {
      const left = await drafts.of(session.owner())
      if (left.length === 0) return
      const { confirm } = await feedback.modal({
        content: text('draft.leave', { n: left.length }),
        confirmText: text('draft.leave.remove'),
        cancelText: text('draft.leave.keep'),
      })
      if (confirm) for (const key of left) await drafts.remove(key)
    },
    onSignedOut() {
      push.signedOut()
      void navigation.move('reLaunch', settings.loginPath)
    },
  })
  const room = () => import('./storage/seal.ts')
  const locker = createLocker(session.draftKey, room)
  const tabs = followTabs({
    session,
    clock,
    onEnded() {
      const back = browserHistory.url()
      if (!back.startsWith(settings.loginPath))
        void navigation.move('reLaunch', loginUrl(settings.loginPath, back))
    },
    onSamePerson: () => {
      const { path, query } = topOf(navigation.stack())
      if (path === settings.loginPath) void navigation.move('reLaunch', query.redirect ?? settings.homePath)
    },
    onOtherPerson: () => void navigation.move('reLaunch', settings.homePath),
  })
  const raw = createHttp()
  const headers = {
    'X-Device-Id': deviceId,
    'X-App-Version': settings.version,
    get 'Accept-Language'() {
      return language.state.get().locale
    },
  }
  const { http, quiet } = createProductHttp({
    http: createKeptHttp({
      http: raw,
      answers: offline.answers,
      online: () => navigator.onLine,
      later: (task) => void clock.after(settings.keptAnswers.delayMs, task),
    }),
    online: () => navigator.onLine,
    origin: location.origin,
    prefixes: settings.productPrefixes,
    timeoutMs: settings.productTimeoutMs,
    token: session.token,
    headers,
    feedback,
    text,
    onSessionOver: createSessionOver({
      isOurs: session.isOurs,
      clock,
      feedback,
      delayMs: settings.sessionRedirectDelayMs,
      loginPath: settings.loginPath,
      token: session.token,
      clear() {
        session.clear()
        void offline.answers.clear()
      },
      url: browserHistory.url,
      relaunch: (url) => void navigation.move('reLaunch', url),
    }),
    onPasswordDue(message) {
      const { path } = topOf(navigation.stack())
      if (path === settings.passwordPath || path === settings.loginPath) return
      session.rightsChanged()
      feedback.toast({ text: message })
      void navigation.move('reLaunch', settings.passwordPath)
    },
    onRightsChanged: session.rightsChanged,
    onRenewed: session.renew,
    onReach: (reached) => online.set(reached && navigator.onLine),
  })
  session.connect(quiet)
  const push = linkPush({
    storage: typed,
    http: quiet,
    owner: session.owner,
    readUrl: settings.readUrl,
    worker: navigator.serviceWorker,
    takeTold,
    async open(url) {
      if ((await navigation.move('navigateTo', url)) !== null) await navigation.move('switchTab', url)
    },
  })
  const cards = linkCards(session.owner)
  const outbox = createAppOutbox({
    settings,
    database: offline.database,
    http: quiet,
    clock,
    session,
    locker,
    feedback,
    text,
    pages: () => pages,
  })
  const link = linkCloud(linkConnections(http), async () => {
    const [{ createCloudCalls, readSpaces }, answer] = await Promise.all([
      import('./net/cloud-calls.ts'),
      quiet.send({ url: settings.configUrl, method: 'GET' }),
    ])
    return createCloudCalls({
      spaces: readSpaces(answer),
      ports: {
        http: raw,
        clock,
        random,
        storage,
        feedback,
        text,
        log: (level, message) => console[level](message),
      },
      app: {
        appId: settings.appId,
        appName: settings.name,
        appVersion: settings.version,
        appVersionCode: settings.versionCode,
        deviceId,
      },
      browser: { userAgent: navigator.userAgent, touchPoints: navigator.maxTouchPoints },
      locale: () => language.state.get().locale,
      loginPage: settings.loginPath,
      guard: { navigator: ports.navigator, clock, text, currentPage: browserHistory.url },
    })
  })

  const source = createPageSource({
    now: clock.now,
    heardSince: () => live.heardSince(),
    http: quiet,
    storage,
    owner: session.owner,
    url: settings.pageUrl,
    bundleUrl: settings.pageBundleUrl,
    timeoutMs: settings.pageTimeoutMs,
    parse: (document) => {
      const parsed = readPage(document, { registry, language: language.state.get().locale })
      return parsed.ok ? { page: parsed.page, problems: [] } : { page: null, problems: parsed.problems }
    },
  })
  void source.restore()
  language.state.subscribe(source.relabel)
  const drafts = createDrafts({
    storage,
    atOnce: typed,
    lock: session.draftKey,
    seal: room,
    clock,
    debounceMs: settings.draftDebounceMs,
    onUnkept: () => feedback.toast({ text: text('draft.unkept'), durationMs: UNKEPT_MS }),
  })
  const asked = createAskedPages(() => navigation)
  const ports: Ports = {
    http: nameRefusedOrigins(link.http, document, {
      own: location.origin,
      narrowed: () => narrowedOrigins(session.context.get().user.settings),
    }),
    clock,
    random,
    storage: createOwnedStorage(storage, session.owner, locker),
    navigator: navigatorOf(),
    feedback,
    session,
    device: createDevice({ feedback, text, files: link.files }),
    files: link.files,
    script,
    text,
    authorWords: async () => (await import('./words/author-words.ts')).inChinese,
  }
  /** The Navigator port of a page; without an entry, of nobody in particular. */
  function navigatorOf(entry?: Entry): Navigator {
    return createNavigator({
      move: (kind, url) => navigation.move(kind, url, entry?.id),
      back: (delta) => navigation.back(delta),
      asked,
      feedback,
      text,
    })
  }
  const choices: Readonly<Record<string, LocalChoice>> = {
    language: { ids: LOCALES, current: () => language.state.get().locale, choose: language.change },
    look: { ids: LOOKS, current: look.choice, choose: look.choose },
  }
  function ofThisPerson(locale: string): Ports {
    const then = people
    return personPorts(ports, {
      text: language.textIn(locale),
      choices,
      local: (request) => push.answer(request) ?? cards.answer(request),
      isStill: () => people === then,
    })
  }
  const pages = createOpenPages(
    (entry, typed) =>
      openPage({
        entry,
        typed,
        path: routes.find(entry.path)?.page ?? entry.path,
        source,
        drafts,
        clock,
        owner: session.owner(),
        context: session.context,
        waiting: waitingWrite(outbox, entry),
        createEngine: ({ onAway, ...options }) => {
          const engine = createEngine({
            ...options,
            registry,
            ports: pagePorts(
              { ...ofThisPerson(options.page.language), navigator: navigatorOf(entry) },
              entry,
              outbox,
              onAway,
            ),
            variables: { deviceId, isPc: pc, version: settings.version },
          })
          engine.onEmit((name, [wanted]) => {
            if (name === 'changeLanguage') void language.change(String(wanted ?? ''))
            if (name === 'print') globalThis.print?.()
          })
          return engine
        },
        onReport(path, report) {
          // The author's detail; the user is told no more than that something did not run.
          console.debug(path, report)
          const code =
            report.code === 'RULE_BUDGET' ? 'rule.bound' : report.stopped ? 'script.stopped' : 'script.failed'
          feedback.toast({ text: text(code) })
        },
        prepare: (page) => {
          const parts = [preparePage(page, views), language.need(page.language)].filter((one) => one !== null)
          return parts.length === 0 ? null : Promise.all(parts).then(() => undefined)
        },
      }),
    settings.mountedPages,
  )
  const streamFrom =
    (url: string): KeepStreamOptions['open'] =>
    ({ onOpen, onData, onEnd }) => {
      const token = session.token()
      return openEventStream({
        url,
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
      if (problems.length === 0) void source.load(path)
    },
    onDict: session.dictChanged,
    onOpen: () => source.forgetReports(),
    onGap: () => {
      session.dictChanged()
      for (const path of new Set([...pages.all.get().values()].map((page) => page.path)))
        void source.load(path)
    },
  })
  // Of whoever is signed in: who leaves takes the number along.
  session.context.subscribe(() => showBadge(unreadIn(session.context.get().user)))
  const news = listenToNews({
    clock,
    open: streamFrom(settings.newsStreamUrl),
    pollMs: settings.newsPollMs,
    async poll() {
      const outcome = await quiet.send({ url: settings.unreadUrl, method: 'GET' })
      return outcome.ok ? valueAt(outcome.value.data, 'data') : undefined
    },
    onUnread: session.heard,
    onNews(event) {
      const words = valueAt(event, 'message.title')
      if (typeof words === 'string' && words !== '') feedback.toast({ text: words })
      const page = pages.all.get().get(topOf(navigation.stack()).id)
      void page?.state.get().engine?.pageEvent('live', event)
    },
  })
  let fetchedAhead = false
  /** Once somebody is signed in and the page in sight had its time: what the next pages will most likely be drawn with. */
  function fetchAhead(): void {
    if (fetchedAhead) return
    fetchedAhead = true
    const drawn = registry.list().filter(({ kind, type }) => kind !== 'field' || COMMON_FIELDS.has(type))
    clock.after(settings.fetchAheadDelayMs, async () => {
      await views.prepare(drawn.map(({ type }) => type))
      if (session.token() !== null) await source.loadAll()
      await keepShell(() => newer.set(true))
      if (session.token() !== null) push.signedIn()
    })
  }
  const navigation = createNavigation({
    routes,
    besides,
    history: browserHistory,
    now: clock.now,
    newId: random.uuid,
    chosenTabs: () => session.menus().bottom.map((entry) => entry.path),
    guard: guardLogin({
      routes,
      loginPath: settings.loginPath,
      passwordPath: settings.passwordPath,
      token: session.token,
      mustChangePassword: () => session.context.get().user.mustChangePassword === true,
    }),
    askBack: async (id, from) => (await pages.all.get().get(id)?.askBack(from)) ?? false,
    layers,
    homePath: settings.homePath,
    restored: restoreStack(perVisit),
    onChange: (stack) => {
      saveStack(perVisit, stack)
      pages.follow(stack, besides.listOf(stack))
      if (session.token() !== null) fetchAhead()
    },
  })

  watchDevice({ pages, session, online, live, news, onStored: tabs })
  followOutbox(outbox, { session, online, pages })
  return {
    navigation,
    besides,
    pages,
    session,
    feedback,
    routes,
    views,
    text,
    quiet,
    language: language.state,
    widgetWordsIn: language.widgetWordsIn,
    ready: async () => void (await Promise.all([language.ready(), look.ready])),
    lasting: storage.lasting,
    online,
    newer,
    outbox,
    outboxPath: settings.outboxPath,
    homePath: settings.homePath,
    mePath: settings.mePath,
  }
}
