import { parentPort, workerData } from 'node:worker_threads'
import { parseCsv } from './parse-csv.ts'
import { parseSheet, type ReadRow } from './parse-sheet.ts'
import type { FromSheetWorker, SheetTask } from './sheet-messages.ts'
import { UnreadableFile } from './unreadable-file.ts'

/** Rows per message: few enough that receiving them does not block the server. */
const BLOCK = 100
/** The first bytes of an xlsx file; any other sheet is a text file. */
const ARCHIVE = 'PK'

const send = (message: FromSheetWorker): void => parentPort?.postMessage(message)

async function read({ content, limits }: SheetTask): Promise<void> {
  let block: ReadRow[] = []
  const flush = (): void => {
    if (block.length > 0) send({ type: 'rows', rows: block })
    block = []
  }
  try {
    const file = Buffer.from(content)
    const parse = file.subarray(0, 2).toString('latin1') === ARCHIVE ? parseSheet : parseCsv
    await parse(file, limits, (row) => {
      if (block.push(row) >= BLOCK) flush()
    })
    flush()
    send({ type: 'end' })
  } catch (error) {
    send({ type: 'unfit', reason: error instanceof UnreadableFile ? error.reason : 'unreadable' })
  }
}

void read(workerData as SheetTask)
