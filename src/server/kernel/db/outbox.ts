import type { Duplex } from 'node:stream'
import { type Messages, messageEncoder } from './pg-inner.ts'

const outboxes = new WeakMap<Duplex, Messages>()

/** Collects the messages for a session, by its stream: everything sent together is one buffer and one write. */
export function outboxOf(stream: Duplex): Messages {
  const known = outboxes.get(stream)
  if (known !== undefined) return known
  const made = createOutbox(stream)
  outboxes.set(stream, made)
  return made
}

function createOutbox(stream: Duplex): Messages {
  let waiting: Buffer[] = []
  const leave = (): void => {
    const all = waiting
    waiting = []
    // A lost session has already failed all its statements.
    if (stream.writable) stream.write(all.length === 1 ? all[0] : Buffer.concat(all))
  }
  return messageEncoder((message) => {
    if (waiting.length === 0) process.nextTick(leave)
    waiting.push(message)
  })
}
