import { Worker } from 'node:worker_threads'
import type { Script } from '../core/ports.ts'
import type { OpenEndpoint } from './protocol.ts'
import { openSession } from './session.ts'

/**
 * The Script port on worker threads, for hosts of the runtime on Node: one thread per page session, terminated with it or when a run exceeds its
 * budget.
 */
export function createNodeScript(workerFile: URL): Script {
  const openEndpoint: OpenEndpoint = (onMessage, onFailure) => {
    const worker = new Worker(workerFile, { env: {}, stdin: false })
    worker.unref()
    worker.on('message', onMessage)
    worker.on('error', (error: Error) => onFailure(error.message))
    return {
      send: (messages) => worker.postMessage(messages),
      terminate: () => void worker.terminate(),
    }
  }
  return { open: (page) => openSession(page, openEndpoint) }
}
