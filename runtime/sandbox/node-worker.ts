import { parentPort } from 'node:worker_threads'
import { createHost } from './host.ts'
import { nodeQuickJs } from './node-quickjs.ts'
import { parseForScripts } from './parse-for-scripts.ts'
import { vmsInAdvance } from './vms.ts'

const vms = vmsInAdvance(nodeQuickJs)
vms.prepare().catch(() => undefined)

const port = parentPort
if (port) {
  const host = createHost({
    openVms: vms.open,
    parse: parseForScripts,
    send: (message) => port.postMessage(message),
  })
  port.on('message', host)
}
