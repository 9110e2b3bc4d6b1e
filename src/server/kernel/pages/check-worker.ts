import { parentPort, workerData } from 'node:worker_threads'
import { checkAsAuthor } from './check.ts'
import type { CheckTask } from './check-apart.ts'

const { document, known } = workerData as CheckTask
parentPort?.postMessage(checkAsAuthor(document, known))
