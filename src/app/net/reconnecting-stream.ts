import type { Clock } from '../../../runtime/core/ports.ts'

/** Waits between attempts to reconnect, in milliseconds. */
const BACKOFF_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const

/** Callbacks of a running stream. */
export interface StreamHandlers {
  readonly onOpen: () => void
  readonly onData: (data: string) => void
  /** Called once, when the stream has ended or could not be opened. */
  readonly onEnd: () => void
}

export interface ReconnectingStreamOptions {
  readonly open: (handlers: StreamHandlers) => { readonly close: () => void }
  readonly clock: Clock
  /** The stream is open; `afterGap` if events may have been missed. */
  readonly onOpen: (afterGap: boolean) => void
  readonly onData: (data: string) => void
  readonly onEnd: () => void
}

export interface ReconnectingStream {
  /** Reconnects, for another user or immediately after a gap. */
  restart(): void
  stop(): void
}

/** Keeps a stream of server-sent events open, with growing waits between attempts. */
export function openReconnectingStream(options: ReconnectingStreamOptions): ReconnectingStream {
  let stream: { readonly close: () => void } | null = null
  let attempts = 0
  let gap = false
  let cancel = () => {}

  function connect(): void {
    stream = options.open({
      onOpen() {
        attempts = 0
        options.onOpen(gap)
        gap = false
      },
      onData: options.onData,
      onEnd() {
        gap = true
        options.onEnd()
        cancel = options.clock.after(BACKOFF_MS[Math.min(attempts, BACKOFF_MS.length - 1)] ?? 30_000, connect)
        attempts += 1
      },
    })
  }

  function stop(): void {
    cancel()
    stream?.close()
  }

  connect()
  return {
    stop,
    restart() {
      stop()
      attempts = 0
      connect()
    },
  }
}
