import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { readSheet } from 'read-excel-file/node'
import { refuse } from '../envelope.ts'
import { text } from '../text.ts'

/** A cell as it was read. */
export type ReadCell = string | number | boolean | Date | null

/** An unpacked file may be so large: a small file that unpacks to gigabytes is turned away before anything reads it. */
const UNPACKED_MOST = 60 * 1024 * 1024
/** Further columns of a file are not read. */
export const COLUMNS_MOST = 100

/**
 * The rows of a file's first sheet, the first one being the titles; empty rows are left out, each with its number in the sheet.
 * @throws Refusal 415 for what is no xlsx, 422 beyond `most` rows
 */
export async function readRows(
  content: Buffer,
  most: number,
): Promise<readonly { readonly at: number; readonly cells: readonly ReadCell[] }[]> {
  if (!(await unpacksWithin(content, UNPACKED_MOST))) refuse(415, 'FILE_TYPE', text('sheet.unreadable'))
  const rows = await readSheet(content).catch(() => refuse(415, 'FILE_TYPE', text('sheet.unreadable')))
  const filled = rows
    .map((cells, index) => ({ at: index + 1, cells: (cells as readonly ReadCell[]).slice(0, COLUMNS_MOST) }))
    .filter(({ at, cells }) => at === 1 || cells.some((cell) => cell !== null && cell !== ''))
  if (filled.length - 1 > most) refuse(422, 'BATCH_TOO_LARGE', text('sheet.too-many', { most }))
  return filled
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const DEFLATED = 8

/** Unpacks every part with a bound, whatever the archive says of their sizes. False for what is no archive. */
async function unpacksWithin(content: Buffer, most: number): Promise<boolean> {
  try {
    let end = content.length - 22
    while (end >= 0 && content.readUInt32LE(end) !== END) end -= 1
    let at = content.readUInt32LE(end + 16)
    let left = most
    for (let entries = content.readUInt16LE(end + 10); entries > 0; entries -= 1) {
      if (content.readUInt32LE(at) !== ENTRY) return false
      const method = content.readUInt16LE(at + 10)
      const size = content.readUInt32LE(at + 20)
      const local = content.readUInt32LE(at + 42)
      const start = local + 30 + content.readUInt16LE(local + 26) + content.readUInt16LE(local + 28)
      const packed = content.subarray(start, start + size)
      left -=
        method === DEFLATED ? (await promisify(inflateRaw)(packed, { maxOutputLength: left })).length : size
      if (left <= 0) return false
      at += 46 + content.readUInt16LE(at + 28) + content.readUInt16LE(at + 30) + content.readUInt16LE(at + 32)
    }
    return true
  } catch {
    return false
  }
}
