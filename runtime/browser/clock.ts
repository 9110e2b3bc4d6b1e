import type { Clock, Random } from '../core/ports.ts'

/** The Clock port on the browser's timers. */
export const browserClock: Clock = {
  now: () => Date.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs)
    return () => clearTimeout(timer)
  },
}

/** The Random port. `crypto.randomUUID` is missing where the page was not served securely (a phone on the local network). */
export const browserRandom: Random = {
  uuid() {
    if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    const hex = [...bytes].map((byte, index) => versioned(byte, index).toString(16).padStart(2, '0')).join('')
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  },
}

/** Marks the bytes as a random identifier (RFC 9562, version 4). */
function versioned(byte: number, index: number): number {
  if (index === 6) return (byte & 0x0f) | 0x40
  return index === 8 ? (byte & 0x3f) | 0x80 : byte
}
