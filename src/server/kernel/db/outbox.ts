import type { Duplex } from 'node:stream'
import pg, { type Connection } from 'pg'

/**
 * Collects the protocol messages for a session. Everything sent together is one buffer and one write; pg itself writes each message of each statement
 * separately.
 */
export type Outbox = Pick<Connection, 'parse' | 'bind' | 'describe' | 'execute' | 'sync' | 'query'>

/** The part of pg's connection that produces messages. */
interface Says extends Outbox {
  _send(message: Buffer): boolean
}

const outboxes = new WeakMap<Duplex, Outbox>()

/** The outbox of a session, by its stream. */
export function outboxOf(stream: Duplex): Outbox {
  const known = outboxes.get(stream)
  if (known !== undefined) return known
  const made = createOutbox(stream)
  outboxes.set(stream, made)
  return made
}

function createOutbox(stream: Duplex): Outbox {
  let waiting: Buffer[] = []
  const leave = (): void => {
    const all = waiting
    waiting = []
    // A lost session has already failed all its statements.
    if (stream.writable) stream.write(all.length === 1 ? all[0] : Buffer.concat(all))
  }
  const outbox = Object.create(pg.Connection.prototype) as Says
  outbox._send = (message) => {
    if (waiting.length === 0) process.nextTick(leave)
    waiting.push(message)
    return true
  }
  return outbox
}
