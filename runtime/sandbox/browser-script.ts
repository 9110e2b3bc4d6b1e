import type { Script } from '../core/ports.ts'
import { WATCHDOG_GRACE_MS } from './limits.ts'
import type { OpenEndpoint, ToWorker } from './protocol.ts'
import { openSession } from './session.ts'

/** A page out of sight is not painted. */
const UNPAINTED_MS = 200

/**
 * The Script port on a dedicated browser worker. `createWorker` makes it from the bundled `browser-worker.ts`; the response of that
 * file must carry `default-src 'none'; script-src 'wasm-unsafe-eval'` (HOOKS 1.1). Nothing is fetched before a page with code opens, and no
 * worker is made before that page was painted: what it is told meanwhile waits for it.
 *
 * @param graceMs  beyond its budget, before a run's worker is ended; more where messages go a long way (tests)
 */
export function createBrowserScript(createWorker: () => Worker, graceMs = WATCHDOG_GRACE_MS): Script {
  const openEndpoint: OpenEndpoint = (onMessage, onFailure) => {
    const waiting: (readonly ToWorker[])[] = []
    let worker: Worker | null = null
    const cancel = afterPaint(() => {
      worker = createWorker()
      worker.onmessage = (event) => onMessage(event.data)
      worker.onerror = (event) => {
        event.preventDefault()
        onFailure(event.message)
      }
      for (const messages of waiting.splice(0)) worker.postMessage(messages)
    })
    return {
      send(messages) {
        if (worker === null) waiting.push(messages)
        else worker.postMessage(messages)
      },
      terminate() {
        cancel()
        worker?.terminate()
      },
    }
  }
  return { open: (page) => openSession(page, openEndpoint, graceMs) }
}

/** Runs a task once what stands on the page now was painted. @returns the function that takes it back */
function afterPaint(task: () => void): () => void {
  let timer = setTimeout(task, UNPAINTED_MS)
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer)
    timer = setTimeout(task, 0)
  })
  return () => {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
  }
}
