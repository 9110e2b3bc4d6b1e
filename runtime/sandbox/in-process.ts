import type { JsonObject } from '../core/json.ts'
import type { Page } from '../core/page/page.ts'
import type { Script } from '../core/ports.ts'
import { createHost } from './host.ts'
import type { OpenEndpoint } from './protocol.ts'
import type { LoadQuickJs } from './quickjs-module.ts'
import { openSession } from './session.ts'
import { vmsOf } from './vms.ts'

/**
 * The Script port without a worker: for tests and quick checks on the server. It cannot interrupt native code; for untrusted pages use {@link
 * file://./node-script.ts}.
 */
export function createInProcessScript(load: LoadQuickJs, parse: (document: JsonObject) => Page): Script {
  const openEndpoint: OpenEndpoint = (onMessage) => {
    let alive = true
    const host = createHost({
      openVms: vmsOf(load),
      parse,
      send: (message) =>
        queueMicrotask(() => {
          if (alive) onMessage(structuredClone(message))
        }),
    })
    return {
      send(messages) {
        const copies = structuredClone(messages)
        setTimeout(() => host(alive ? copies : copies.filter(({ type }) => type === 'close')))
      },
      terminate() {
        alive = false
      },
    }
  }
  return { open: (page) => openSession(page, openEndpoint) }
}
