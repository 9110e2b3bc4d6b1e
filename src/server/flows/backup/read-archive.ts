import { createHash } from 'node:crypto'
import {
  CUT_OFF,
  createTableSum,
  type FileHead,
  FORMAT,
  type Frame,
  framesOf,
  type Header,
  packFrame,
  readJson,
  type Secrets,
  type Summary,
  type TableHead,
  UnusableArchive,
} from './archive.ts'

/** Receives the content of a backup, in its order. */
export interface ArchiveHandler {
  header(header: Header): Promise<void>
  table(head: TableHead): void
  rows(rows: readonly string[]): Promise<void>
  file(file: FileHead, content: Buffer): Promise<void>
}

export interface ArchiveRead {
  readonly header: Header
  readonly summary: Summary
  readonly secrets: Secrets
}

const DIFFERENT = 'the backup is damaged: it does not hold what its end says'

/**
 * Reads a backup to its end and compares it with the checksums there.
 *
 * @throws UnusableArchive with a sentence if it is truncated or damaged
 */
export async function readArchive(
  source: AsyncIterable<Buffer>,
  handler: ArchiveHandler,
): Promise<ArchiveRead> {
  const hash = createHash('sha256')
  const sums = new Map<string, ReturnType<typeof createTableSum>>()
  let header: Header | null = null
  let sum: ReturnType<typeof createTableSum> | null = null
  let file: { readonly head: FileHead; readonly pieces: Buffer[] } | null = null
  let secrets: Secrets = {}
  let files = 0
  const endFile = async (): Promise<void> => {
    if (file === null) return
    files += 1
    await handler.file(file.head, Buffer.concat(file.pieces))
    file = null
  }
  for await (const frame of framesOf(source)) {
    if (header === null) {
      header = headerOf(frame)
      await handler.header(header)
    } else if (frame.kind === 'table') {
      const head = readJson<TableHead>(frame)
      sum = createTableSum()
      sums.set(head.name, sum)
      handler.table(head)
    } else if (frame.kind === 'rows' && sum !== null) {
      const rows = frame.body.toString('utf8').split('\n')
      for (const row of rows) sum.add(row)
      await handler.rows(rows)
    } else if (frame.kind === 'file') {
      await endFile()
      file = { head: readJson<FileHead>(frame), pieces: [] }
    } else if (frame.kind === 'bytes') file?.pieces.push(frame.body)
    else if (frame.kind === 'secrets') secrets = readJson<Secrets>(frame)
    else if (frame.kind === 'end') {
      await endFile()
      const summary = readJson<Summary>(frame)
      refuseDifferent(summary, { files, sha256: hash.digest('hex'), sums })
      return { header, summary, secrets }
    }
    hash.update(packFrame(frame.kind, frame.body))
  }
  throw new UnusableArchive(CUT_OFF)
}

function headerOf(frame: Frame): Header {
  if (frame.kind !== 'header') throw new UnusableArchive('the backup is damaged: it has no beginning')
  const header = readJson<Header>(frame)
  if (header.format !== FORMAT)
    throw new UnusableArchive(
      `the backup is of format ${header.format}: a newer version of this product reads it`,
    )
  return header
}

interface Found {
  readonly files: number
  readonly sha256: string
  readonly sums: ReadonlyMap<string, ReturnType<typeof createTableSum>>
}

function refuseDifferent(summary: Summary, { files, sha256, sums }: Found): void {
  const names = Object.keys(summary.tables)
  const isSame =
    sha256 === summary.sha256 &&
    files === summary.files.count &&
    names.length === sums.size &&
    names.every((name) => {
      const expected = summary.tables[name]
      const found = sums.get(name)?.value
      return expected?.rows === found?.rows && expected?.sum === found?.sum
    })
  if (!isSame) throw new UnusableArchive(DIFFERENT)
}
