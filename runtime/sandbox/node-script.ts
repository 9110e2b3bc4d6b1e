import { Worker } from 'node:worker_threads'
import type { Script } from '../core/ports.ts'
import { openSession } from './session.ts'
import { createWorkerPool, type PoolSize, type StartedWorker } from './worker-pool.ts'

/** The built worker beside the server's own bundle (`vite build --mode server`). */
const BUILT = new URL('./script-worker.js', import.meta.url)
const SIZE: PoolSize = { spare: 2, most: 8 }

/** The Script port of a server: it may keep workers ready, and gives them back. */
export interface NodeScript extends Script {
  /** Keeps workers ready from now on: a check then waits for its own work only, not for a thread to start. */
  warm(): void
  close(): void
}

/** The Script port on worker threads: one per page session, ended with it and when it overruns. At most 8 at once; others wait. */
export function createNodeScript(workerFile: URL = BUILT, size: PoolSize = SIZE): NodeScript {
  const pool = createWorkerPool(() => startWorker(workerFile), size)
  return { open: (page) => openSession(page, pool.open), warm: pool.warm, close: pool.close }
}

function startWorker(workerFile: URL): StartedWorker {
  const worker = new Worker(workerFile, { env: {}, stdin: false })
  worker.unref()
  return {
    listen(onMessage, onFailure) {
      worker.removeAllListeners('message')
      worker.removeAllListeners('error')
      worker.on('message', onMessage)
      worker.on('error', (error: Error) => onFailure(error.message))
    },
    send: (messages) => worker.postMessage(messages),
    terminate: () => void worker.terminate(),
  }
}
