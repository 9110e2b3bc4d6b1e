import { Worker } from 'node:worker_threads'
import type { Script } from '../core/ports.ts'
import type { OpenEndpoint } from './protocol.ts'
import { openSession } from './session.ts'

/** The built worker beside the server's own bundle (`vite build --mode server`). */
const BUILT = new URL('./script-worker.js', import.meta.url)

/** The Script port on worker threads: one per page session, ended when it overruns. */
export function createNodeScript(workerFile: URL = BUILT): Script {
  const openEndpoint: OpenEndpoint = (onMessage, onFailure) => {
    const worker = new Worker(workerFile, { env: {}, stdin: false })
    worker.on('message', onMessage)
    worker.on('error', (error: Error) => onFailure(error.message))
    worker.unref()
    return {
      send: (messages) => worker.postMessage(messages),
      terminate: () => void worker.terminate(),
    }
  }
  return { open: (page) => openSession(page, openEndpoint) }
}
