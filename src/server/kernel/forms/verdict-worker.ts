import { parentPort } from 'node:worker_threads'
import type { Script } from '../../../../runtime/core/index.ts'
import { createHost } from '../../../../runtime/sandbox/host.ts'
import { nodeQuickJs } from '../../../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../../../runtime/sandbox/parse-for-scripts.ts'
import type { OpenEndpoint } from '../../../../runtime/sandbox/protocol.ts'
import { openSession } from '../../../../runtime/sandbox/session.ts'
import { vmsInAdvance } from '../../../../runtime/sandbox/vms.ts'
import { type AskServer, type FormQuestion, judgeForm, TOTAL_MS } from './judge-form.ts'
import type { FromJudge, ToJudge } from './verdict-messages.ts'

/** Each page with code gets an engine that no other page had. */
const vms = vmsInAdvance(nodeQuickJs)
/** True once the verdict in progress has opened an engine. */
let hasRunCode = false

/** Page and code run in one thread: only the server's timer can end a run, because nothing in this thread can interrupt it. */
const openEndpoint: OpenEndpoint = (onMessage) => {
  let isAlive = true
  const host = createHost({
    openVms: vms.open,
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
    hasRunCode = true
    return openSession(page, openEndpoint)
  },
}

const NEVER = new Promise<never>(() => undefined)

const WARM_PAGE = {
  formConfig: {},
  widgetList: [
    { type: 'input', id: 'a', formItemFlag: true, options: { name: 'a', onValidate: 'return true' } },
  ],
}

/** Judges a page of ours, so that a real submission does not pay for the first use of all code here. */
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
  await renew()
}

/** Scripts of a page reach nothing but the memory of their engine: the next page starts with nothing of them. */
async function renew(): Promise<void> {
  hasRunCode = false
  await vms.prepare()
}

const port = parentPort
if (port) {
  let ready = warmUp().catch(() => undefined)
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
    await ready
    let isOpen = true
    let end = Number.POSITIVE_INFINITY
    const judgement = await judgeForm(question, {
      script,
      // What a verdict leaves behind asks nothing as the caller of the next one.
      send: (request) => (isOpen ? send(request) : NEVER),
      onBegin: () => {
        end = performance.now() + TOTAL_MS
        post({ type: 'began' })
      },
      leftMs: () => end - performance.now(),
      onCheck: (place) => post({ type: 'check', place }),
    })
    isOpen = false
    waiting.clear()
    // Code that was cut off may still be at work.
    post({ type: 'judged', judgement, isSpent: hasRunCode && 'over' in judgement })
    ready = renew().catch(() => undefined)
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
