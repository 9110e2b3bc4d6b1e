import { browserClock as clock } from '../../../runtime/browser/clock.ts'
import type { Http } from '../../../runtime/core/ports.ts'
import type { OnDevice } from '../device/on-device.ts'
import { browserHistory } from '../navigation/hash-location.ts'
import type { Navigation } from '../navigation/navigation.ts'
import { topOf } from '../navigation/page-stack.ts'
import type { AnswerCache } from '../offline/answer-cache.ts'
import { createCachedHttp } from '../offline/cached-http.ts'
import type { OpenPages } from '../pages/open-pages.ts'
import type { AppSession } from '../session/session.ts'
import { createSessionOver } from '../session/session-over.ts'
import type { Settings } from '../settings.ts'
import { createProductHttp } from './api.ts'

interface HttpParts {
  readonly settings: Settings
  /** The network without the product's protocol. */
  readonly raw: Http
  readonly onDevice: OnDevice
  readonly session: AppSession
  /** Answers cached on the device. */
  readonly answers: AnswerCache
  readonly navigation: () => Navigation
  readonly pages: () => OpenPages
}

/** The product's calls over the network, answered from the cache while there is none. Opens login or the change of password if the server requires it. */
export function createAppHttp({ settings, raw, onDevice, session, answers, navigation, pages }: HttpParts) {
  const { feedback, text, online, headers, pageClock } = onDevice
  const { loginPath, passwordPath } = settings
  const hasNetwork = (): boolean => navigator.onLine
  const relaunch = async (url: string): Promise<void> => {
    await navigation().move('reLaunch', url)
  }
  return createProductHttp({
    http: createCachedHttp({
      http: raw,
      answers,
      online: hasNetwork,
      later: (task) => void clock.after(settings.keptAnswers.delayMs, task),
    }),
    online: () => online.get() && hasNetwork(),
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
      text,
      hasDrafts: () => [...pages().all.get().values()].some((page) => page.hasDraft()),
      delayMs: settings.sessionRedirectDelayMs,
      loginPath,
      token: session.token,
      clear() {
        session.clear()
        void answers.clear()
      },
      url: browserHistory.url,
      relaunch,
      forgetPerson: session.forgetPerson,
    }),
    onPasswordDue(message) {
      const { path } = topOf(navigation().stack())
      if (path === passwordPath || path === loginPath) return
      session.rightsChanged()
      feedback.toast({ text: message })
      void relaunch(passwordPath)
    },
    onRightsChanged: session.rightsChanged,
    onRenewed: session.renew,
    onReach: (reached) => online.set(reached && hasNetwork()),
    onDate: pageClock.hear,
  })
}
