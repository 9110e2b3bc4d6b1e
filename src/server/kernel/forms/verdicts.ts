import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import type { CheckPlace, Script } from '../../../../runtime/core/index.ts'
import { createWatchdog } from '../../../../runtime/sandbox/watchdog.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { createFairQueue, type FairQueueLimits, QueueFull } from '../threads/fair-queue.ts'
import { startThread } from '../threads/start-thread.ts'
import {
  type AskServer,
  type FormQuestion,
  type Judgement,
  judgeForm,
  judgeHere,
  TOTAL_MS,
} from './judge-form.ts'
import type { FromJudge, ToJudge } from './verdict-messages.ts'

/** Judges submissions; slow ones, and those with page code, outside the server's own thread. */
export interface Verdicts {
  /**
   * @param send  calls the server for data that a check reads, as the caller
   * @throws Refusal 429 if too many submissions of the tenant are waiting
   */
  judge(tenantId: string, question: FormQuestion, send: AskServer): Promise<Judgement>
  /** Keeps threads ready from now on. */
  warm(): void
  close(): void
}

/** Grace period: the thread checks the time between checks; one that still works after it cannot be interrupted and is terminated. */
const GRACE_MS = 150
/** Timeout for starting a thread and parsing a page. */
const READY_MS = 30_000
const SPARE = 2
const MEMORY_MB = 128
/** Maximum pages cached per thread. */
const MAX_CACHED_PAGES = 50

const CORES = availableParallelism()
/** A tenant gets at most half of the parallel threads, and so never all of them. */
const SIZE: FairQueueLimits = {
  most: Math.max(2, CORES),
  share: Math.max(1, Math.floor(CORES / 2)),
  waiting: 32,
}

/**
 * Verdicts from threads. Each page with code gets an engine of its own, which is discarded with its verdict: nothing of one page or tenant is left for
 * the next. A thread whose page exceeded its time is terminated.
 */
export function createVerdicts(size: FairQueueLimits = SIZE, startWorker = startVerdictWorker): Verdicts {
  const queue = createFairQueue(size)
  const idle: Judge[] = []
  let spare = 0

  function fill(): void {
    while (idle.length < spare) idle.push(start())
  }
  function start(): Judge {
    const judge = startJudge(startWorker())
    judge.onDeath(() => {
      const at = idle.indexOf(judge)
      if (at >= 0) idle.splice(at, 1)
    })
    return judge
  }
  async function ask(question: FormQuestion, send: AskServer): Promise<Judgement> {
    const judge = idle.shift() ?? start()
    const judgement = await judge.ask(question, send)
    if (judge.isFit() && idle.length < Math.max(spare, 1)) idle.push(judge)
    else judge.end()
    fill()
    return judgement
  }

  return {
    async judge(tenantId, question, send) {
      const local = await judgeHere(question)
      if (local !== null) return local
      try {
        return await queue.run(tenantId, () => ask(question, send))
      } catch (error) {
        if (error instanceof QueueFull) refuse(429, 'RATE_LIMIT', text('form.crowded'))
        throw error
      }
    },
    warm() {
      spare = SPARE
      fill()
    },
    close() {
      spare = 0
      for (const judge of idle.splice(0)) judge.end()
    },
  }
}

/** Verdicts from this thread, without a time limit. For tests. */
export function createOwnVerdicts(script: Script): Verdicts {
  return {
    judge: (_, question, send) => judgeForm(question, { script, send }),
    warm: () => undefined,
    close: () => undefined,
  }
}

/** A thread that judges one submission at a time. */
interface Judge {
  ask(question: FormQuestion, send: AskServer): Promise<Judgement>
  /** Whether it may be used again. */
  isFit(): boolean
  onDeath(listener: () => void): void
  end(): void
}

const NOWHERE: CheckPlace = { hook: 'rules', key: '' }

const startVerdictWorker = (): Worker =>
  startThread('verdict-worker', {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 },
  })

function startJudge(worker: Worker): Judge {
  let isFit = true
  let place = NOWHERE
  let ctx: AskServer | undefined
  let answer: ((judgement: Judgement) => void) | undefined
  let fail: ((error: Error) => void) | undefined
  const settle = (act: () => void): void => {
    dog.unwatch()
    clearTimeout(timeout)
    act()
    answer = undefined
    fail = undefined
    ctx = undefined
  }
  const post = (message: ToJudge): void => worker.postMessage(message)
  /** Pages the thread has: a page is sent once, not with every submission. */
  const sentPages = new Set<string>()
  const sendQuestion = ({ document, ...question }: FormQuestion): void => {
    if (sentPages.has(question.etag)) {
      post({ type: 'judge', question })
      return
    }
    const forgets = sentPages.size >= MAX_CACHED_PAGES
    if (forgets) sentPages.clear()
    sentPages.add(question.etag)
    post({ type: 'judge', question, document, forgets })
  }
  const over = (): void => {
    end()
    settle(() => answer?.({ over: place }))
  }
  const dog = createWatchdog(over)
  let timeout: NodeJS.Timeout | undefined
  function end(): void {
    isFit = false
    void worker.terminate()
  }
  worker.on('message', (message: FromJudge) => {
    if (message.type === 'began') {
      clearTimeout(timeout)
      dog.watch(0, TOTAL_MS + GRACE_MS)
    } else if (message.type === 'check') place = message.place
    else if (message.type === 'ask') {
      const { id, request } = message
      void ctx?.(request).then((outcome) => post({ type: 'answer', id, outcome }))
    } else {
      if (message.isSpent) isFit = false
      settle(() => answer?.(message.judgement))
    }
  })
  // Out of memory, or an error of ours: if the page was running, it counts as the page's.
  worker.on('error', (error: Error) => {
    isFit = false
    const isJudging = dog.job !== undefined
    settle(() => (isJudging ? answer?.({ over: place }) : fail?.(error)))
  })
  return {
    ask: (question, send) =>
      new Promise((resolve, reject) => {
        place = NOWHERE
        ctx = send
        answer = resolve
        fail = reject
        timeout = setTimeout(() => {
          end()
          settle(() => fail?.(new Error('a thread that judges forms does not start')))
        }, READY_MS)
        sendQuestion(question)
      }),
    isFit: () => isFit,
    onDeath: (listener) => void worker.once('exit', listener),
    end,
  }
}
