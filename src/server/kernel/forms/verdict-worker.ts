import { parentPort } from 'node:worker_threads'
import { DEFAULT_LIMITS } from '../../../../runtime/core/hooks/script-limits.ts'
import type { Script } from '../../../../runtime/core/index.ts'
import { createHost } from '../../../../runtime/sandbox/host.ts'
import { nodeQuickJs } from '../../../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../../../runtime/sandbox/parse-for-scripts.ts'
import type { OpenEndpoint } from '../../../../runtime/sandbox/protocol.ts'
import { openSession } from '../../../../runtime/sandbox/session.ts'
import { type AskServer, type FormQuestion, judgeForm, TOTAL_MS } from './judge-form.ts'
import type { FromJudge, ToJudge } from './verdict-messages.ts'

/** The engine with the usual limits is created in advance, for the one page whose code runs here. */
let early: ReturnType<typeof nodeQuickJs> | undefined
let isUsed = false

const load: typeof nodeQuickJs = (memoryBytes) => {
  const worker = memoryBytes === DEFAULT_LIMITS.memoryBytes ? early : undefined
  early = undefined
  return worker ?? nodeQuickJs(memoryBytes)
}

/** Page and code run in one thread: only the server's timer can end a run, because nothing in this thread can interrupt it. */
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

/** Judges a page of ours, on a separate engine, so that a real submission does not pay for the first use of all code here. */
async function warmUp(): Promise<void> {
  const document = JSON.stringify(WARM_PAGE)
  const question = {
    etag: '',
    path: '',
    document,
    values: { a: '1' },
    params: {},
    user: {},
    state: null,
    now: 0,
  }
  await judgeForm(question, { script, send: () => Promise.reject(new Error('nothing is asked')) })
  isUsed = false
  early = nodeQuickJs(DEFAULT_LIMITS.memoryBytes)
  await early
}

const port = parentPort
if (port) {
  const isReady = warmUp().catch(() => undefined)
  const post = (message: FromJudge): void => port.postMessage(message)
  const waiting = new Map<number, (outcome: Awaited<ReturnType<AskServer>>) => void>()
  let requests = 0
  const send: AskServer = ({ signal: _, ...request }) =>
    new Promise((answered) => {
      const id = ++requests
      waiting.set(id, answered)
      post({ type: 'ask', id, request })
    })
  async function judge(question: FormQuestion): Promise<void> {
    await isReady
    let end = Number.POSITIVE_INFINITY
    const judgement = await judgeForm(question, {
      script,
      send,
      onBegin: () => {
        end = performance.now() + TOTAL_MS
        post({ type: 'began' })
      },
      leftMs: () => end - performance.now(),
      onCheck: (place) => post({ type: 'check', place }),
    })
    post({ type: 'judged', judgement, isUsed })
  }
  /** Pages by ETag, as sent by the server. */
  const documents = new Map<string, string>()
  port.on('message', (message: ToJudge) => {
    if (message.type === 'judge') {
      const { question, document, forgets = false } = message
      if (forgets) documents.clear()
      if (document !== undefined) documents.set(question.etag, document)
      return void judge({ ...question, document: documents.get(question.etag) ?? '' })
    }
    waiting.get(message.id)?.(message.outcome)
    waiting.delete(message.id)
  })
}
