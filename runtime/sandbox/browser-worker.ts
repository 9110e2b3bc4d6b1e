import { browserQuickJs } from './browser-quickjs.ts'
import { createHost } from './host.ts'
import { parseForScripts } from './parse-for-scripts.ts'
import type { FromWorker, ToWorker } from './protocol.ts'
import { vmsOf } from './vms.ts'

/** The part of a dedicated worker's scope that is used. */
interface WorkerScope {
  postMessage(message: FromWorker): void
  onmessage: ((event: MessageEvent<readonly ToWorker[]>) => void) | null
}

const scope = globalThis as unknown as WorkerScope
const host = createHost({
  openVms: vmsOf(browserQuickJs),
  parse: parseForScripts,
  send: (message) => scope.postMessage(message),
})
scope.onmessage = (event) => host(event.data)
