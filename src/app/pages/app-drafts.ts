import { browserClock } from '../../../runtime/browser/clock.ts'
import type { OnDevice } from '../device/on-device.ts'
import type { AppSession } from '../session/session.ts'
import type { Settings } from '../settings.ts'
import { createDrafts, type Drafts, type DraftsOptions } from './drafts.ts'

/** A warning stays long enough to be read. */
const UNKEPT_MS = 5_000

interface Parts extends Pick<DraftsOptions, 'seal'> {
  readonly settings: Settings
  readonly onDevice: OnDevice
  readonly session: AppSession
}

/** The drafts of the signed-in user, encrypted on the device. */
export function createAppDrafts({ settings, onDevice, session, seal }: Parts): Drafts {
  const { storage, typed, feedback, text } = onDevice
  return createDrafts({
    storage,
    syncStorage: typed,
    encryptionKey: session.draftKey,
    seal,
    clock: browserClock,
    debounceMs: settings.draftDebounceMs,
    onNotSaved: () => feedback.toast({ text: text('draft.unkept'), durationMs: UNKEPT_MS }),
  })
}
