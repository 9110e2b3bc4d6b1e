import { browserClock as clock } from '../../../runtime/browser/clock.ts'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import type { Engine } from '../../../runtime/core/engine.ts'
import type { WidgetRegistry } from '../../../runtime/core/page/widget-spec.ts'
import type { Feedback, Http, Navigator, Ports } from '../../../runtime/core/ports.ts'
import { fetchPart } from '../../../runtime/react/page/fetch-part.ts'
import { preparePage } from '../../../runtime/react/page/page-view.tsx'
import type { ViewRegistry } from '../../../runtime/react/page/view-registry.ts'
import { preparePull } from '../../../runtime/react/rows/pull-part.ts'
import { prepareTable } from '../../../runtime/react/rows/table-part.ts'
import type { OnDevice } from '../device/on-device.ts'
import type { Entry } from '../navigation/page-stack.ts'
import type { RouteTable } from '../navigation/routes.ts'
import type { AppOutbox } from '../offline/outbox.ts'
import { pagePorts, waitingAt, waitingWrite } from '../offline/page-ports.ts'
import type { AppSession } from '../session/session.ts'
import type { Settings } from '../settings.ts'
import type { AskLink } from './ask-link.ts'
import type { Drafts } from './drafts.ts'
import { createHealthLink } from './health-link.ts'
import { openPage } from './open-page.ts'
import { createOpenPages, type OpenPages } from './open-pages.ts'
import type { PageSource } from './page-source.ts'

interface PagesParts {
  readonly settings: Settings
  readonly onDevice: OnDevice
  readonly session: AppSession
  readonly routes: RouteTable
  readonly source: PageSource
  readonly drafts: Drafts
  readonly outbox: AppOutbox
  readonly registry: WidgetRegistry
  readonly views: ViewRegistry
  /** The ports of the signed-in user, in a page's language. */
  readonly portsIn: (locale: string) => Ports
  readonly navigatorOf: (entry: Entry) => Navigator
  readonly asking: AskLink
  /** Calls without messages to the user. */
  readonly quiet: Http
}

/** The opened pages, each with its own engine on the ports of the user who opened it. */
export function createAppPages(parts: PagesParts): OpenPages {
  const { settings, onDevice, session, outbox, registry, views } = parts
  const { language, feedback, text, deviceId, isPc } = onDevice
  const health = createHealthLink(parts)
  const pages = createOpenPages((entry, typed) => {
    const path = parts.routes.find(entry.path)?.page ?? entry.path
    const waiting = waitingAt(outbox, entry)
    return openPage({
      entry,
      typed,
      path,
      source: parts.source,
      drafts: parts.drafts,
      clock,
      owner: session.owner(),
      context: session.context,
      waiting: waitingWrite(waiting),
      createEngine({ onAway, ...options }) {
        const person = parts.portsIn(options.page.language)
        health.note(path, 'opened')
        const lent = {
          ...person,
          http: health.watched(path, person.http),
          navigator: parts.navigatorOf(entry),
          feedback: outliving(person.feedback, pages, entry),
        }
        const opening = { ...options, variables: { deviceId, isPc, version: settings.version } }
        const engine = parts.asking.open(lent, opening, (ports) =>
          createEngine({ ...opening, registry, ports: pagePorts(ports, entry, waiting, onAway) }),
        )
        followEmits(engine, onDevice)
        return engine
      },
      onReport(report) {
        // The detail is for the author; the user is only told that something did not run.
        console.debug(path, report)
        if (report.code === 'SCRIPT_UNAVAILABLE') return feedback.toast({ text: text('script.unavailable') })
        health.note(path, report.stopped ? 'killed' : 'faults')
        const code =
          report.code === 'RULE_BUDGET' ? 'rule.bound' : report.stopped ? 'script.stopped' : 'script.failed'
        feedback.toast({ text: text(code) })
      },
      onLeftSending(left) {
        const { owner } = session
        const all = { ...left, entry, owner, person: owner() }
        void fetchPart(() => import('./late-answer.ts'))
          .then(({ tellLate }) => tellLate(all))
          .catch(() => undefined)
      },
      onFieldsGone(labels) {
        feedback.toast({ text: text('page.fieldsGone', { fields: labels.join('、') }) })
      },
      prepare(page) {
        const waits = [
          preparePage(page, views),
          preparePull(page),
          prepareTable(page),
          language.need(page.language),
          parts.asking.need(),
        ].filter((one) => one !== null)
        return waits.length === 0 ? null : Promise.all(waits).then(() => undefined)
      },
    })
  }, settings.mountedPages)
  return pages
}

/** Events of a page that the device handles. */
function followEmits(engine: Engine, { language, feedback, text }: OnDevice): void {
  engine.onEmit((name, [wanted, title]) => {
    if (name === 'changeLanguage') void language.change(String(wanted ?? ''))
    if (name === 'print') globalThis.print?.()
    if (name === 'saveCharts')
      void import('../../../runtime/react/charts/saving/save-charts.ts')
        .then(({ saveCharts }) => saveCharts(engine, String(wanted ?? ''), String(title ?? '')))
        .then((isSaved) => {
          if (!isSaved) feedback.toast({ text: text('charts.none') })
        })
        .catch(() => feedback.toast({ text: text('charts.failed') }))
  })
}

/**
 * A page may close after its success message: when the message's button has been used, the visible page reloads. What a closed page still waits for
 * is not shown over others.
 */
function outliving(feedback: Feedback, pages: OpenPages, entry: Entry): Feedback {
  return {
    ...feedback,
    toast({ act, ...options }) {
      if (act === undefined) return feedback.toast(options)
      const run = async () => {
        await act.run()
        pages.done(entry)
      }
      feedback.toast({ ...options, act: { label: act.label, run } })
    },
    loading(words) {
      const done = feedback.loading(words)
      const look = () => pages.all.get().has(entry.id) || done()
      look()
      const stop = pages.all.subscribe(look)
      return () => {
        stop()
        done()
      }
    },
  }
}
