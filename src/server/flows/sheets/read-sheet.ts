import { Refusal, refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { createFairQueue, QueueFull } from '../../kernel/threads/fair-queue.ts'
import { startThread } from '../../kernel/threads/start-thread.ts'
import type { ReadRow } from './parse-sheet.ts'
import type { FromSheetWorker, SheetTask } from './sheet-messages.ts'
import type { UnreadableReason } from './unreadable-file.ts'

/** Columns of a file. */
export const MAX_COLUMNS = 100

/** Limits of time and memory for reading a file. */
const TIME_MS = 20_000
const MEMORY_MB = 256
/** Two files at once, of different tenants. */
const queue = createFairQueue({ most: 2, share: 1, waiting: 4 })

/**
 * The non-empty rows of a file's first sheet; the first one contains the titles. A separate thread reads it as a stream, within limits of
 * time and memory: whatever the file is, the server stays responsive, and another tenant's file is read meanwhile.
 *
 * @param most  maximum rows besides the titles
 * @throws Refusal 415 for a file that is not a sheet, 422 for one that is too large
 */
export async function readRows(tenantId: string, content: Buffer, most: number): Promise<readonly ReadRow[]> {
  try {
    return await queue.run(tenantId, () =>
      readInThread({ content, limits: { rows: most + 1, columns: MAX_COLUMNS } }),
    )
  } catch (error) {
    if (error instanceof QueueFull) refuse(429, 'RATE_LIMIT', text('sheet.crowded'))
    throw error
  }
}

function readInThread(task: SheetTask): Promise<readonly ReadRow[]> {
  return new Promise((resolve, reject) => {
    const worker = startThread('sheet-worker', {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    })
    const rows: ReadRow[] = []
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      void worker.terminate()
      settle()
    }
    const timer = setTimeout(() => end(() => reject(tooLarge('sheet.too-slow'))), TIME_MS)
    worker.on('message', (message: FromSheetWorker) => {
      if (message.type === 'rows') rows.push(...message.rows)
      else if (message.type === 'end') end(() => resolve(rows))
      else end(() => reject(unfit(message.reason, task.limits)))
    })
    worker.on('error', (error: NodeJS.ErrnoException) =>
      end(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge('sheet.too-much') : error)),
    )
  })
}

function unfit(reason: UnreadableReason, { rows, columns }: SheetTask['limits']): Refusal {
  switch (reason) {
    case 'unreadable':
      return new Refusal(415, { type: 'FILE_TYPE' }, text('sheet.unreadable'), null)
    case 'rows':
      return tooLarge('sheet.too-many', { most: rows - 1 })
    case 'columns':
      return tooLarge('sheet.too-wide', { most: columns })
    case 'cell':
      return tooLarge('sheet.too-long')
    case 'unpacked':
    case 'text':
      return tooLarge('sheet.too-much')
  }
}

const tooLarge = (
  code: 'sheet.too-many' | 'sheet.too-wide' | 'sheet.too-long' | 'sheet.too-much' | 'sheet.too-slow',
  params: Readonly<Record<string, number>> = {},
): Refusal => new Refusal(422, { type: 'BATCH_TOO_LARGE' }, text(code, params), null)
