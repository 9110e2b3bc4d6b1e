import { failure } from '../core/errors.ts'
import type { Outcome } from '../core/ports.ts'
import { GENERIC_TIMEOUT_MS } from './deadline.ts'

/** Wire codes of PROTOCOL 3.4. */
const CODE = { connect: 600009, notOpen: 10002, timeout: 5 } as const
const NOT_OPEN = 'sendSocketMessage:fail SocketTask.readyState is not OPEN'

export interface SocketOptions {
  /** `ws:` or `wss:`. */
  readonly url: string
  readonly protocols?: readonly string[]
  /** How long the opening may take; default 60000. */
  readonly timeoutMs?: number
  readonly onOpen?: () => void
  /** Text, or an ArrayBuffer. */
  readonly onMessage?: (data: string | ArrayBuffer) => void
  /** Told once, before {@link onClose}; `status` is 5 when the opening took too long. */
  readonly onError?: (failure: Extract<Outcome<never>, { ok: false }>['error']) => void
  readonly onClose?: (code: number, reason: string) => void
  /** Default: the global one. */
  readonly WebSocket?: typeof WebSocket
}

export interface SocketTask {
  /** Refused with code 10002 unless the socket is open. */
  send(data: string | ArrayBuffer): Outcome<null>
  /**
   * Default code 1000; afterwards nothing can be sent. Refused, and still open, with a code that only browsers themselves may
   * give (other than 1000 and 3000–4999) or a reason of more than 123 bytes.
   */
  close(code?: number, reason?: string): Outcome<null>
}

/** Opens a web socket; what cannot even be tried (a wrong url) is a failure with code 600009 (PROTOCOL 3.4). */
export function connectSocket(options: SocketOptions): Outcome<SocketTask> {
  const Socket = options.WebSocket ?? WebSocket
  let socket: WebSocket
  try {
    socket = new Socket(options.url, [...(options.protocols ?? [])])
  } catch (cause) {
    return { ok: false, error: failure('NETWORK', undefined, { status: CODE.connect, cause }) }
  }
  socket.binaryType = 'arraybuffer'
  let failed = false
  const fail = (code: 'NETWORK' | 'TIMEOUT', status: number) => {
    if (failed) return
    failed = true
    options.onError?.(failure(code, undefined, { status }))
  }
  const timer = setTimeout(() => {
    fail('TIMEOUT', CODE.timeout)
    socket.close()
  }, options.timeoutMs ?? GENERIC_TIMEOUT_MS)
  socket.onopen = () => {
    clearTimeout(timer)
    options.onOpen?.()
  }
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => options.onMessage?.(data)
  socket.onerror = () => fail('NETWORK', CODE.connect)
  socket.onclose = ({ code, reason }) => {
    clearTimeout(timer)
    options.onClose?.(code, reason)
  }
  return {
    ok: true,
    value: {
      send(data) {
        if (socket.readyState !== socket.OPEN) {
          return { ok: false, error: failure('REFUSED', {}, { status: CODE.notOpen, message: NOT_OPEN }) }
        }
        socket.send(data)
        return { ok: true, value: null }
      },
      close(code = 1000, reason = '') {
        try {
          socket.close(code, reason)
          return { ok: true, value: null }
        } catch (cause) {
          return { ok: false, error: failure('REFUSED', { reason: String(cause) }, { cause }) }
        }
      },
    },
  }
}
