import { browserClock, browserRandom } from '../../../runtime/browser/clock.ts'
import type { OnDevice } from '../device/on-device.ts'
import { browserHistory } from '../navigation/hash-location.ts'
import type { Navigation } from '../navigation/navigation.ts'
import { topOf } from '../navigation/page-stack.ts'
import type { AppOutbox } from '../offline/outbox.ts'
import type { Drafts } from '../pages/drafts.ts'
import type { Settings } from '../settings.ts'
import { createTypedStorage } from '../storage/typed-storage.ts'
import { askBeforeLeaving } from './ask-before-leaving.ts'
import { followTabs } from './follow-tabs.ts'
import { type AppSession, createSession, type SessionOptions } from './session.ts'
import { loginUrl } from './session-over.ts'

interface SessionParts
  extends Pick<SessionOptions, 'onIdentityChange' | 'onTokenChange' | 'onLeave' | 'onSignedOut'> {
  readonly settings: Settings
  readonly onDevice: OnDevice
  readonly drafts: () => Drafts
  readonly outbox: () => AppOutbox
}

/** The session of this device. At sign-out the user is told of unsent writes and asked what to do with their drafts. */
export function createAppSession({
  settings,
  onDevice,
  drafts,
  outbox,
  ...callbacks
}: SessionParts): AppSession {
  const { feedback, text } = onDevice
  const session = createSession({
    ...callbacks,
    storage: onDevice.typed,
    perVisit: createTypedStorage(onDevice.perVisit),
    clock: browserClock,
    newId: browserRandom.uuid,
    feedback,
    text,
    limits: settings.menuSlots,
    urls: { detail: settings.userDetailUrl, dict: settings.dictUrl, logout: settings.logoutUrl },
    onSigningOut: () =>
      askBeforeLeaving(session.owner(), { feedback, text, drafts: drafts(), outbox: outbox() }),
  })
  return session
}

/**
 * Follows the session of other tabs: to login, to the home page, or to the page that login would open. The returned function is to be called at each
 * change of the storage.
 */
export function followOtherTabs(
  session: AppSession,
  settings: Settings,
  navigation: () => Navigation,
): () => void {
  const { loginPath, homePath } = settings
  const relaunch = (url: string): void => void navigation().move('reLaunch', url)
  return followTabs({
    session,
    clock: browserClock,
    onEnded() {
      const back = browserHistory.url()
      if (!back.startsWith(loginPath)) relaunch(loginUrl(loginPath, back))
    },
    onSamePerson() {
      const { path, query } = topOf(navigation().stack())
      if (path === loginPath) relaunch(query.redirect ?? homePath)
    },
    onOtherPerson: () => relaunch(homePath),
  })
}
