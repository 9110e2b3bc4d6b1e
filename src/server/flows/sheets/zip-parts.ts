import { createInflateRaw } from 'node:zlib'
import { UnreadableFile } from './unreadable-file.ts'

/** The content of an archive, uncompressed piece by piece and only as far as requested. */
export interface ZipParts {
  has(name: string): boolean
  /**
   * The bytes of a part.
   *
   * @throws UnreadableFile if all parts together exceed the limit: at once where the archive declares so, else as soon as its bytes do
   */
  read(name: string): AsyncGenerator<Buffer>
}

interface Part {
  readonly method: number
  readonly packed: Buffer
  /** Uncompressed bytes, as declared. */
  readonly size: number
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const STORED = 0
const DEFLATED = 8
/** The end record is followed by a comment of at most 64 KB. */
const MAX_COMMENT = 65_535
const END_LENGTH = 22

/** @throws UnreadableFile for a file that is not an archive */
export function openZip(content: Buffer, unpackedMost: number): ZipParts {
  const parts = partsOf(content)
  let remaining = unpackedMost
  return {
    has: (name) => parts.has(name),
    async *read(name) {
      const part = parts.get(name)
      if (part === undefined) throw new UnreadableFile('unreadable')
      if (part.size > remaining) throw new UnreadableFile('unpacked')
      for await (const chunk of unpacked(part)) {
        remaining -= chunk.length
        if (remaining < 0) throw new UnreadableFile('unpacked')
        yield chunk
      }
    },
  }
}

async function* unpacked({ method, packed }: Part): AsyncGenerator<Buffer> {
  if (method === STORED) {
    yield packed
    return
  }
  if (method !== DEFLATED) throw new UnreadableFile('unreadable')
  const inflate = createInflateRaw()
  inflate.end(packed)
  try {
    for await (const chunk of inflate) yield chunk as Buffer
  } finally {
    inflate.destroy()
  }
}

function partsOf(content: Buffer): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>()
  try {
    const end = endOf(content)
    let at = content.readUInt32LE(end + 16)
    for (let entries = content.readUInt16LE(end + 10); entries > 0; entries -= 1) {
      if (content.readUInt32LE(at) !== ENTRY) throw new UnreadableFile('unreadable')
      const nameLength = content.readUInt16LE(at + 28)
      const name = content.toString('utf8', at + 46, at + 46 + nameLength)
      const local = content.readUInt32LE(at + 42)
      const start = local + 30 + content.readUInt16LE(local + 26) + content.readUInt16LE(local + 28)
      const packed = content.subarray(start, start + content.readUInt32LE(at + 20))
      parts.set(name.toLowerCase(), {
        method: content.readUInt16LE(at + 10),
        packed,
        size: content.readUInt32LE(at + 24),
      })
      at += 46 + nameLength + content.readUInt16LE(at + 30) + content.readUInt16LE(at + 32)
    }
  } catch {
    throw new UnreadableFile('unreadable')
  }
  return parts
}

function endOf(content: Buffer): number {
  const first = Math.max(0, content.length - END_LENGTH - MAX_COMMENT)
  for (let at = content.length - END_LENGTH; at >= first; at -= 1)
    if (content.readUInt32LE(at) === END) return at
  throw new UnreadableFile('unreadable')
}
