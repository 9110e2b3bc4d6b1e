import type { Script } from '../core/ports.ts'
import { WATCHDOG_GRACE_MS } from './limits.ts'
import type { OpenEndpoint } from './protocol.ts'
import { openSession } from './session.ts'

/**
 * The Script port on a dedicated browser worker. `createWorker` makes it from the bundled `browser-worker.ts`; the response of that
 * file must carry `default-src 'none'; script-src 'wasm-unsafe-eval'` (HOOKS 1.1). Nothing is fetched before a page with code opens.
 *
 * @param graceMs  beyond its budget, before a run's worker is ended; more where messages go a long way (tests)
 */
export function createBrowserScript(createWorker: () => Worker, graceMs = WATCHDOG_GRACE_MS): Script {
  const openEndpoint: OpenEndpoint = (onMessage, onFailure) => {
    const worker = createWorker()
    worker.onmessage = (event) => onMessage(event.data)
    worker.onerror = (event) => {
      event.preventDefault()
      onFailure(event.message)
    }
    return {
      send: (messages) => worker.postMessage(messages),
      terminate: () => worker.terminate(),
    }
  }
  return { open: (page) => openSession(page, openEndpoint, graceMs) }
}
