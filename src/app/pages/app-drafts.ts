import { browserClock } from '../../../runtime/browser/clock.ts'
import type { OnDevice } from '../device/on-device.ts'
import type { AppSession } from '../session/session.ts'
import type { Settings } from '../settings.ts'
import { type Drafts, draftKey } from './drafts.ts'

/** A warning stays long enough to be read. */
const UNKEPT_MS = 5_000

interface Parts {
  readonly settings: Settings
  readonly onDevice: OnDevice
  readonly session: AppSession
}

/** The drafts of the signed-in user, encrypted on the device. What keeps them is loaded with the first form. */
export function createAppDrafts({ settings, onDevice, session }: Parts): Drafts {
  const { storage, typed, feedback, text } = onDevice
  let places: Promise<Pick<Drafts, 'take'>> | undefined
  const warn = () => feedback.toast({ text: text('draft.unkept'), durationMs: UNKEPT_MS })
  const open = async () => {
    const { createDraftPlaces } = await import('./draft-places.ts')
    return createDraftPlaces({
      storage,
      syncStorage: typed,
      encryptionKey: session.draftKey,
      clock: browserClock,
      debounceMs: settings.draftDebounceMs,
      onNotSaved: warn,
    })
  }
  return {
    async take(...asked) {
      places ??= open()
      const place = await places
        .then(({ take }) => take(...asked))
        .catch(() => {
          places = undefined
          return undefined
        })
      if (place === undefined) warn()
      return place
    },
    remove(name) {
      typed.remove(name)
      return storage.remove(name)
    },
    of: (owner) => storage.keys(draftKey(owner, '')),
  }
}
