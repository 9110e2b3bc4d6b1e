import { createHash } from 'node:crypto'

/**
 * The frames of a backup, in this order: one header; for each table its name and rows; for each file its name and pieces; the secrets; one end. A
 * frame is a letter, four bytes of length, and a body. All bodies except rows and file content are JSON.
 */
const FRAMES = {
  header: 'H',
  table: 'T',
  /** Rows of the preceding table, one JSON list of texts per line, each column as PostgreSQL formats it. */
  rows: 'R',
  file: 'F',
  /** The next piece of the preceding file. */
  bytes: 'B',
  secrets: 'S',
  end: 'E',
} as const
export type FrameKind = keyof typeof FRAMES

export interface Frame {
  readonly kind: FrameKind
  readonly body: Buffer
}

export const FORMAT = 1

export interface Header {
  readonly format: number
  readonly made: string
  readonly from: string
  /** Migrations that had run, with their checksums: the state of the schema that fits the rows. */
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[]
  readonly hasFiles: boolean
  readonly hasSecrets: boolean
}

export interface TableHead {
  readonly name: string
  readonly columns: readonly string[]
}

export interface FileHead {
  readonly tenantId: string
  readonly id: string
}

/** Secrets of a server by the names of their files in `DATA_DIR`. */
export type Secrets = Readonly<Record<string, string>>

export interface TableSum {
  readonly rows: number
  /** Checksum of all rows together, independent of their order. */
  readonly sum: string
}

export interface Summary {
  readonly tables: Readonly<Record<string, TableSum>>
  readonly files: {
    readonly count: number
    readonly bytes: number
    /** Files named in the database whose content is missing. */
    readonly missing: number
    /** Files whose content differs from the upload. */
    readonly damaged: number
  }
  /** Checksum of every frame before the end. */
  readonly sha256: string
}

const KINDS = Object.fromEntries(Object.entries(FRAMES).map(([kind, letter]) => [letter, kind])) as Readonly<
  Record<string, FrameKind>
>
const HEAD_BYTES = 5
/** We write no longer frame: a longer one is not ours, and is not read into memory. */
const MAX_FRAME_BYTES = 256 * 1024 * 1024

export function packFrame(kind: FrameKind, body: Buffer | object): Buffer {
  const content = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(FRAMES[kind], 0, 'latin1')
  head.writeUInt32BE(content.length, 1)
  return Buffer.concat([head, content])
}

/** A backup that cannot be used, with the reason as a sentence. */
export class UnusableArchive extends Error {}

export const CUT_OFF = 'the backup is cut off: it has no end'

/** Splits a stream of bytes into frames. @throws UnusableArchive */
export async function* framesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let chunks: Buffer[] = []
  let length = 0
  const take = (bytes: number): Buffer => {
    const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
    chunks = all.length > bytes ? [all.subarray(bytes)] : []
    length -= bytes
    return all.subarray(0, bytes)
  }
  let open: { readonly kind: FrameKind; readonly bytes: number } | null = null
  for await (const chunk of source) {
    chunks.push(chunk)
    length += chunk.length
    for (;;) {
      if (open === null) {
        if (length < HEAD_BYTES) break
        open = readHead(take(HEAD_BYTES))
      }
      if (length < open.bytes) break
      yield { kind: open.kind, body: take(open.bytes) }
      open = null
    }
  }
  if (open !== null || length > 0) throw new UnusableArchive(CUT_OFF)
}

function readHead(head: Buffer): { readonly kind: FrameKind; readonly bytes: number } {
  const kind = KINDS[head.toString('latin1', 0, 1)]
  const bytes = head.readUInt32BE(1)
  if (kind === undefined || bytes > MAX_FRAME_BYTES)
    throw new UnusableArchive('the backup is damaged: what stands in it is not ours')
  return { kind, bytes }
}

export function readJson<T>({ body }: Frame): T {
  try {
    return JSON.parse(body.toString('utf8')) as T
  } catch {
    throw new UnusableArchive('the backup is damaged: part of it cannot be read')
  }
}

const SUM_BYTES = 16

/** Computes a checksum of rows that does not depend on their order. */
export function createTableSum(): { add(row: string): void; readonly value: TableSum } {
  const sum = Buffer.alloc(SUM_BYTES)
  let rows = 0
  return {
    add(row) {
      rows += 1
      const hash = createHash('sha256').update(row).digest()
      for (let at = 0; at < SUM_BYTES; at++) sum[at] = (sum[at] ?? 0) ^ (hash[at] ?? 0)
    },
    get value() {
      return { rows, sum: sum.toString('hex') }
    },
  }
}
