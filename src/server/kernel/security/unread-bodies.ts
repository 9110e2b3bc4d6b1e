import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Maximum bytes of an unwanted body that are still read, so that a client in the middle of sending receives its answer. */
const MAX_UNREAD = 16 * 1024 * 1024
const UNREAD_MS = 10_000

/**
 * Closes the connection of a call that was answered before its body was complete, after {@link MAX_UNREAD} further bytes or ten seconds: Node itself
 * would read such a body to its end, however long it is.
 */
export function addUnreadBodies(app: FastifyInstance): void {
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.complete && !raw.readableEnded) dropRest(raw)
    done()
  })
}

function dropRest(raw: IncomingMessage): void {
  let remaining = MAX_UNREAD
  const timer = setTimeout(() => raw.destroy(), UNREAD_MS)
  const isOver = (): void => clearTimeout(timer)
  raw.on('data', (chunk: Buffer) => {
    remaining -= chunk.length
    if (remaining < 0) raw.destroy()
  })
  raw.on('end', isOver)
  raw.on('close', isOver)
  raw.resume()
}
