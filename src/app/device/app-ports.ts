import { browserRandom as random } from '../../../runtime/browser/clock.ts'
import type { Navigator, Ports } from '../../../runtime/core/ports.ts'
import type { createRegistry } from '../../../runtime/core/widgets/index.ts'
import type { CloudLink } from '../net/cloud-link.ts'
import { reportRefusedOrigins, tenantOrigins } from '../net/refused-origins.ts'
import type { AppSession } from '../session/session.ts'
import type { CurrentCipher } from '../storage/cipher.ts'
import { createOwnedStorage } from '../storage/owned-storage.ts'
import { createDevice } from './device.ts'
import type { OnDevice } from './on-device.ts'
import { script } from './script.ts'

interface Parts {
  readonly onDevice: OnDevice
  readonly session: AppSession
  readonly registry: ReturnType<typeof createRegistry>
  readonly link: Pick<CloudLink, 'http' | 'files'>
  readonly currentCipher: CurrentCipher
  readonly navigator: Navigator
}

/** The ports that every page gets. */
export function createAppPorts({
  onDevice,
  session,
  registry,
  link,
  currentCipher,
  navigator,
}: Parts): Ports {
  const { feedback, text, storage, pageClock } = onDevice
  return {
    http: reportRefusedOrigins(link.http, document, {
      own: location.origin,
      narrowed: () => tenantOrigins(session.context.get().user.settings),
    }),
    clock: pageClock.clock,
    random,
    storage: createOwnedStorage(storage, session.owner, currentCipher),
    navigator,
    feedback,
    session,
    device: createDevice({ feedback, text, files: link.files }),
    files: link.files,
    script,
    text,
    author: async () => (await import('../words/author.ts')).authorOf(registry),
  }
}
