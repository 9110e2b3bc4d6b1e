import { browserClock as clock } from '../../../runtime/browser/clock.ts'
import { FORM_STATE_HEADER } from '../../../runtime/core/model/form-state.ts'
import type { Http } from '../../../runtime/core/ports.ts'
import type { AppSession } from '../session/session.ts'
import type { Settings } from '../settings.ts'
import type { PageEvent, PageHealth } from './page-health.ts'

interface HealthParts {
  readonly settings: Settings
  readonly session: AppSession
  readonly quiet: Http
}

/** Reports the health of open pages; loaded when the first page is open. */
export interface HealthLink {
  note(path: string, event: PageEvent): void
  /** Wraps the writes of a page, which may fail. */
  watched(path: string, http: Http): Http
}

export function createHealthLink({ settings, session, quiet }: HealthParts): HealthLink {
  const load = async () => {
    const module = await import('./page-health.ts')
    const isKnown = () => session.token() !== null
    const health = module.createPageHealth({ http: quiet, clock, url: settings.pageReportUrl, isKnown })
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') health.flush()
    })
    return { health, isFailedSubmit: module.isFailedSubmit }
  }
  let loading: ReturnType<typeof load> | undefined
  const use = (work: (loaded: Awaited<ReturnType<typeof load>>) => void): void => {
    if (session.token() === null) return
    loading ??= load()
    // Without a network nothing can be reported.
    loading.then(work, () => {
      loading = undefined
    })
  }
  return {
    note: (path, event) => use(({ health }: { readonly health: PageHealth }) => health.note(path, event)),
    watched: (path, http) => ({
      ...http,
      async send(request) {
        const outcome = await http.send(request)
        if (!outcome.ok)
          use(({ health, isFailedSubmit }) => {
            if (isFailedSubmit(request, outcome, FORM_STATE_HEADER)) health.note(path, 'submits')
          })
        return outcome
      },
    }),
  }
}
