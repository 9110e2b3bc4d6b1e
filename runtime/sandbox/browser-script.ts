import type { Script } from '../core/ports.ts'
import { WATCHDOG_GRACE_MS } from './limits.ts'
import type { OpenEndpoint, ToWorker } from './protocol.ts'
import { openSession } from './session.ts'

/** A hidden page is never painted, so the wait ends after this time in milliseconds. */
const UNPAINTED_MS = 200

/**
 * The Script port on a dedicated browser worker. `createWorker` creates it from the bundled `browser-worker.ts`, whose response must have the policy
 * `default-src 'none'; script-src 'wasm-unsafe-eval'` (HOOKS 1.1). Nothing is loaded before a page with code opens, and no worker is created before
 * that page was painted: messages are queued until then.
 *
 * @param graceMs  time beyond its budget before the worker of a run is terminated; larger if messages take long (tests)
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

/** Runs a task once, after the current page was painted. @returns a function that cancels it */
function afterPaint(task: () => void): () => void {
  let timer = setTimeout(() => {
    // A page that was hidden, or a busy one, is painted later.
    cancelAnimationFrame(frame)
    task()
  }, UNPAINTED_MS)
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer)
    timer = setTimeout(task, 0)
  })
  return () => {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
  }
}
