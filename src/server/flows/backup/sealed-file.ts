import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { UnusableArchive } from './archive.ts'

/*
 * The format of a backup file: a line that identifies it, one byte that says whether it is encrypted, a salt, then pieces. A piece is four bytes of
 * length, whose first bit marks the last piece, and the content; encrypted by AES-256-GCM with a key derived for this file. Its number and whether it
 * is the last piece are authenticated, so that no piece can be changed, moved or left out.
 */

const MAGIC = Buffer.from('vform-crm backup 1\n', 'latin1')
const SALT_BYTES = 16
const HEAD_BYTES = MAGIC.length + 1 + SALT_BYTES
const TAG_BYTES = 16
const PIECE_BYTES = 256 * 1024
const LAST = 0x80000000

export const KEY_LENGTH = 32

const keyOf = (key: string, salt: Buffer): Buffer => Buffer.from(hkdfSync('sha256', key, salt, 'backup', 32))

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, 4)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

/** Converts a stream of bytes into a backup file. @param key encrypts it; null leaves it unencrypted */
export async function* sealFile(source: AsyncIterable<Buffer>, key: string | null): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  yield Buffer.concat([MAGIC, Buffer.from([key === null ? 0 : 1]), salt])
  const sealKey = key === null ? null : keyOf(key, salt)
  let number = 0
  const pack = (chunk: Buffer, isLast: boolean): Buffer => {
    const nonce = nonceOf(number++, isLast)
    const head = Buffer.alloc(4)
    if (sealKey === null) {
      head.writeUInt32BE((chunk.length | (isLast ? LAST : 0)) >>> 0, 0)
      return Buffer.concat([head, chunk])
    }
    const cipher = createCipheriv('aes-256-gcm', sealKey, nonce)
    const sealed = Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
    head.writeUInt32BE((sealed.length | (isLast ? LAST : 0)) >>> 0, 0)
    return Buffer.concat([head, sealed])
  }
  let buffered: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    buffered.push(chunk)
    length += chunk.length
    if (length < PIECE_BYTES) continue
    const all = Buffer.concat(buffered)
    let at = 0
    for (; all.length - at > PIECE_BYTES; at += PIECE_BYTES)
      yield pack(all.subarray(at, at + PIECE_BYTES), false)
    buffered = [all.subarray(at)]
    length = all.length - at
  }
  yield pack(Buffer.concat(buffered), true)
}

/** Whether a backup file is encrypted. */
export async function isSealed(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, MAGIC.length)
    return buffer[0] === 1
  } finally {
    await file.close()
  }
}

/** The key of a file, null if it is not encrypted. @throws UnusableArchive if it is not a backup */
function readStart(head: Buffer, key: string | null): Buffer | null {
  if (head.length < HEAD_BYTES || !head.subarray(0, MAGIC.length).equals(MAGIC))
    throw new UnusableArchive('this file is no backup of this product')
  if (head[MAGIC.length] !== 1) return null
  if (key === null)
    throw new UnusableArchive('the backup is encrypted: set BACKUP_KEY to the key it was made with')
  return keyOf(key, head.subarray(MAGIC.length + 1))
}

/** Reads a backup file. @throws UnusableArchive with a sentence if it is truncated, altered, or encrypted with another key */
export async function* openFile(path: string, key: string | null): AsyncGenerator<Buffer> {
  const reader = exactly(createReadStream(path, { highWaterMark: PIECE_BYTES }))
  const start = readStart((await reader.take(HEAD_BYTES)) ?? Buffer.alloc(0), key)
  for (let number = 0, isLast = false; !isLast; number++) {
    const head = await reader.take(4)
    const word = head?.readUInt32BE(0) ?? 0
    isLast = (word & LAST) !== 0
    const bytes = word & ~LAST
    if (bytes > PIECE_BYTES + TAG_BYTES) throw altered()
    const chunk = head === null ? null : await reader.take(bytes)
    if (chunk === null) throw new UnusableArchive('the backup is cut off: part of the file is missing')
    yield start === null
      ? chunk
      : unseal(chunk, { own: start, nonce: nonceOf(number, isLast), isFirst: number === 0 })
  }
  if ((await reader.take(1)) !== null) throw altered()
}

const altered = (): UnusableArchive =>
  new UnusableArchive('the backup was altered or damaged: its seal does not hold')

function unseal(
  chunk: Buffer,
  { own, nonce, isFirst }: { readonly own: Buffer; readonly nonce: Buffer; readonly isFirst: boolean },
): Buffer {
  if (chunk.length < TAG_BYTES) throw altered()
  const decipher = createDecipheriv('aes-256-gcm', own, nonce)
  decipher.setAuthTag(chunk.subarray(chunk.length - TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(chunk.subarray(0, chunk.length - TAG_BYTES)), decipher.final()])
  } catch {
    // A wrong key and a changed first piece cannot be told apart.
    throw isFirst
      ? new UnusableArchive(
          'the backup does not open: BACKUP_KEY is not the key it was made with, or the file was altered',
        )
      : altered()
  }
}

/** Reads a fixed number of bytes at a time; null at the end, and if fewer are left. */
function exactly(source: AsyncIterable<Buffer>): { take(bytes: number): Promise<Buffer | null> } {
  const chunks = source[Symbol.asyncIterator]()
  let buffer = Buffer.alloc(0)
  return {
    async take(bytes) {
      while (buffer.length < bytes) {
        const next = await chunks.next()
        if (next.done === true) return null
        buffer = Buffer.concat([buffer, next.value])
      }
      const head = buffer.subarray(0, bytes)
      buffer = buffer.subarray(bytes)
      return head
    },
  }
}
