import type { KnownNames, Problem } from '../../../../runtime/core/index.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import { Refusal, refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { createAsyncScope } from '../threads/async-scope.ts'
import { createFairQueue, QueueFull } from '../threads/fair-queue.ts'
import { startThread } from '../threads/start-thread.ts'
import { checkAsAuthor } from './check.ts'
import { etagOf } from './page-version.ts'
import { keyOfNames } from './remembered-check.ts'

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

/** What a check found, or why there was none. */
type Found = readonly Problem[] | Refusal

/** What the checks between the attempts of a transaction found, by page and names. */
const between = createAsyncScope<Map<string, Found>>()

/** A transaction needs the check of a large page: it ends here, and is repeated with what was found. */
class CheckNeeded extends Error {
  readonly key: string
  readonly task: CheckTask
  constructor(key: string, task: CheckTask) {
    super('a large page is checked outside of transactions')
    this.key = key
    this.task = task
  }
}

/**
 * Runs `attempt`, one transaction in which pages may be checked. It keeps no session of the database while a large page is checked, which can take
 * seconds: it is rolled back, and repeated with the result. So it reads again what others may have changed meanwhile.
 */
export async function checkingBetween<T>(tenantId: string, attempt: () => Promise<T>): Promise<T> {
  const found = new Map<string, Found>()
  for (;;) {
    try {
      return await between.run(found, attempt)
    } catch (error) {
      if (!(error instanceof CheckNeeded)) throw error
      found.set(error.key, await foundBy(tenantId, error.task))
    }
  }
}

async function foundBy(tenantId: string, task: CheckTask): Promise<Found> {
  try {
    return await checkInTurn(tenantId, task)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/**
 * {@link checkAsAuthor} of a document of any size. A large one is checked in a thread, so that the calls of others are answered meanwhile.
 * Inside a transaction only within {@link checkingBetween}.
 *
 * @throws Refusal 422 if it takes too long, 429 if others are waiting already
 */
export async function checkApart(tenantId: string, task: CheckTask): Promise<readonly Problem[]> {
  if (JSON.stringify(task.document).length <= SMALL) return checkAsAuthor(task.document, task.known)
  const checks = between.get()
  if (checks === undefined) return checkInTurn(tenantId, task)
  const key = `${etagOf(task.document)} ${keyOfNames(task.known)}`
  const found = checks.get(key)
  if (found === undefined) throw new CheckNeeded(key, task)
  if (found instanceof Refusal) throw found
  return found
}

async function checkInTurn(tenantId: string, task: CheckTask): Promise<readonly Problem[]> {
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
