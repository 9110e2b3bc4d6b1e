import { parentPort } from 'node:worker_threads'
import { DEFAULT_LIMITS } from '../core/hooks/script-limits.ts'
import { createHost } from './host.ts'
import { nodeQuickJs } from './node-quickjs.ts'
import { parseForScripts } from './parse-for-scripts.ts'
import type { LoadQuickJs, QuickJs } from './quickjs-module.ts'

/** An engine of the default size is created in advance, so that a waiting worker has it ready. It is used once. */
let early: Promise<QuickJs> | undefined = nodeQuickJs(DEFAULT_LIMITS.memoryBytes)
early.catch(() => undefined)

const load: LoadQuickJs = (memoryBytes) => {
  const ready = memoryBytes === DEFAULT_LIMITS.memoryBytes ? early : undefined
  early = undefined
  return ready ?? nodeQuickJs(memoryBytes)
}

const port = parentPort
if (port) {
  const host = createHost({ load, parse: parseForScripts, send: (message) => port.postMessage(message) })
  port.on('message', host)
}
