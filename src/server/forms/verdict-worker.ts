import { parentPort } from 'node:worker_threads'
import { DEFAULT_LIMITS } from '../../../runtime/core/hooks/script-limits.ts'
import type { Script } from '../../../runtime/core/index.ts'
import { createHost } from '../../../runtime/sandbox/host.ts'
import { nodeQuickJs } from '../../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../../runtime/sandbox/parse-for-scripts.ts'
import type { OpenEndpoint } from '../../../runtime/sandbox/protocol.ts'
import { openSession } from '../../../runtime/sandbox/session.ts'
import { judgeForm, TOTAL_MS } from './judge-form.ts'
import type { FromJudge, ToJudge } from './verdict-messages.ts'

/** The engine of the usual size is made ahead, for the one page whose code runs here. */
let early: ReturnType<typeof nodeQuickJs> | undefined
let isUsed = false

const load: typeof nodeQuickJs = (memoryBytes) => {
  const made = memoryBytes === DEFAULT_LIMITS.memoryBytes ? early : undefined
  early = undefined
  return made ?? nodeQuickJs(memoryBytes)
}

/** Page and code in one thread: the server's watch, not ours, ends a run that nothing here can interrupt. */
const openEndpoint: OpenEndpoint = (onMessage) => {
  let isAlive = true
  const host = createHost({
    load,
    parse: parseForScripts,
    send: (message) => queueMicrotask(() => isAlive && onMessage(message)),
  })
  return {
    send: (messages) => {
      const copies = structuredClone(messages)
      queueMicrotask(() => isAlive && host(copies))
    },
    terminate: () => {
      isAlive = false
    },
  }
}

const script: Script = {
  open(page) {
    isUsed = true
    return openSession(page, openEndpoint)
  },
}

const WARM_PAGE = {
  formConfig: {},
  widgetList: [
    { type: 'input', id: 'a', formItemFlag: true, options: { name: 'a', onValidate: 'return true' } },
  ],
}

/** Judges a page of ours, on an engine of its own: what a real one pays for is then itself, not the first use of all the code here. */
async function warmUp(): Promise<void> {
  const document = JSON.stringify(WARM_PAGE)
  await judgeForm({ etag: '', document, values: { a: '1' }, params: {}, user: {}, now: 0 }, { script })
  isUsed = false
  early = nodeQuickJs(DEFAULT_LIMITS.memoryBytes)
  await early
}

const port = parentPort
if (port) {
  const isReady = warmUp().catch(() => undefined)
  const send = (message: FromJudge): void => port.postMessage(message)
  port.on('message', async (question: ToJudge) => {
    await isReady
    let end = Number.POSITIVE_INFINITY
    const judgement = await judgeForm(question, {
      script,
      onBegin: () => {
        end = performance.now() + TOTAL_MS
        send({ type: 'began' })
      },
      leftMs: () => end - performance.now(),
      onCheck: (place) => send({ type: 'check', place }),
    })
    send({ type: 'judged', judgement, isUsed })
  })
}
