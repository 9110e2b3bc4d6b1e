import type { Duplex } from 'node:stream'
import pg, { type Connection } from 'pg'

/**
 * What a session is about to be asked, in the words of pg. All that is asked in one go is one buffer and one write: pg writes each message of
 * each statement by itself.
 */
export type Outbox = Pick<Connection, 'parse' | 'bind' | 'describe' | 'execute' | 'sync' | 'query'>

/** pg's connection as far as it says messages. */
interface Says extends Outbox {
  _send(message: Buffer): boolean
}

const outboxes = new WeakMap<Duplex, Outbox>()

/** The outbox of a session, by what carries it. */
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
    // A session that is lost has failed all that was asked of it.
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
