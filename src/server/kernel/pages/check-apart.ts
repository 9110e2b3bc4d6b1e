import type { KnownNames, Problem } from '../../../../runtime/core/index.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import { Refusal, refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { createFairQueue, QueueFull } from '../threads/fair-queue.ts'
import { startThread } from '../threads/start-thread.ts'
import { checkAsAuthor } from './check.ts'

/** What the thread checks. */
export interface CheckTask {
  readonly document: Json
  readonly known: KnownNames
}

/** Characters of JSON of a page that is checked at once: more than most pages have. 4,000 widgets with rules (900,000) took 2 to 5 s from source. */
const SMALL = 50_000
/** Limits of time and memory for one document. */
const TIME_MS = 20_000
const MEMORY_MB = 512
/** One at a time. Others wait, tenants in turn. */
const queue = createFairQueue({ most: 1, share: 1, waiting: 3 })

/**
 * {@link checkAsAuthor} of a document of any size. A large one is checked in a thread, so that the calls of others are answered meanwhile.
 *
 * @throws Refusal 422 if it takes too long, 429 if others are waiting already
 */
export async function checkApart(tenantId: string, task: CheckTask): Promise<readonly Problem[]> {
  if (JSON.stringify(task.document).length <= SMALL) return checkAsAuthor(task.document, task.known)
  try {
    return await queue.run(tenantId, () => inThread(task))
  } catch (error) {
    if (error instanceof QueueFull) refuse(429, 'RATE_LIMIT', text('page.checks-waiting'))
    throw error
  }
}

function inThread(task: CheckTask): Promise<readonly Problem[]> {
  return new Promise<readonly Problem[]>((resolve, reject) => {
    const worker = startThread('check-worker', {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      void worker.terminate()
      settle()
    }
    const timer = setTimeout(() => end(() => reject(tooSlow())), TIME_MS)
    worker.on('message', (problems: readonly Problem[]) => end(() => resolve(problems)))
    worker.on('error', (error: NodeJS.ErrnoException) =>
      end(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooSlow() : error)),
    )
  })
}

const tooSlow = (): Refusal =>
  new Refusal(422, { type: 'BATCH_TOO_LARGE' }, text('page.check-too-slow'), null)
