import { createHash } from 'node:crypto'
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** The constant of RFC 6455, section 1.3. */
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const CLOSE = 8

/** Lets `server` accept web sockets: `/echo` returns short frames, `/silent` never answers the handshake, others are closed. */
export function echoSockets(server: Server): void {
  server.on('upgrade', (request, socket: Duplex) => {
    socket.on('error', () => {})
    socket.on('end', () => socket.destroy())
    socket.resume()
    if (request.url === '/silent') return
    if (request.url !== '/echo') {
      socket.destroy()
      return
    }
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}${MAGIC}`)
      .digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    socket.on('data', (frame: Buffer) => {
      socket.write(unmasked(frame))
      if (((frame[0] ?? 0) & 0x0f) === CLOSE) socket.end()
    })
  })
}

/** The same frame as sent by a server. Only frames of at most 125 bytes that arrive in one piece. */
function unmasked(frame: Buffer): Buffer {
  const length = (frame[1] ?? 0) & 0x7f
  const mask = frame.subarray(2, 6)
  const body = frame.subarray(6, 6 + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0))
  return Buffer.concat([Buffer.from([frame[0] ?? 0, length]), body])
}
