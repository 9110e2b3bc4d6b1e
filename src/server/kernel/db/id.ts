import { randomFillSync } from 'node:crypto'

const SIZE = 16
/** Random bytes for many ids are requested from the system at once, because every call needs one. */
const random = Buffer.alloc(256 * SIZE)
let used = random.length

function randomPart(): Buffer {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  used += SIZE
  return random.subarray(used - SIZE, used)
}

let lastMs = 0
let sequence = 0

/**
 * A new record id: UUID version 7 (RFC 9562), so ids sort by creation time. Ids of one process are strictly increasing: within a millisecond the
 * 12-bit `rand_a` field counts up, and beyond 4,095 the time field runs ahead.
 */
export function newId(now: number = Date.now()): string {
  const bytes = randomPart()
  if (now > lastMs) {
    lastMs = now
    sequence = bytes.readUInt16BE(6) & 0x3ff
  } else if (++sequence > 0xfff) {
    lastMs += 1
    sequence = 0
  }
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | sequence, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
