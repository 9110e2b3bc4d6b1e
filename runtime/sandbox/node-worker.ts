import { parentPort } from 'node:worker_threads'
import { createHost } from './host.ts'
import { nodeQuickJs } from './node-quickjs.ts'
import { parseForScripts } from './parse-for-scripts.ts'

const port = parentPort
if (port) {
  const host = createHost({
    load: nodeQuickJs,
    parse: parseForScripts,
    send: (message) => port.postMessage(message),
  })
  port.on('message', host)
}
