/** A stream of server-sent events that is being read. */
export interface EventStream {
  close(): void
}

export interface EventStreamOptions {
  readonly url: string
  /** Unlike the browser's EventSource, this one can carry a token. */
  readonly headers: Readonly<Record<string, string>>
  /** The first bytes have come: headers alone say nothing, a proxy may keep what follows to itself. */
  readonly onOpen: () => void
  readonly onData: (data: string) => void
  /** The stream has ended, could not be opened or fell silent; it does not reconnect by itself. */
  readonly onEnd: () => void
  /** Silence after which a stream counts as closed, in milliseconds. Default: 60,000; our server sends a comment every 25 s. */
  readonly silenceMs?: number
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch
}

const SILENCE_MS = 60_000

/** Reads `text/event-stream` from our own server; `data:` lines of one event are joined, everything else is passed over. */
export function openEventStream(options: EventStreamOptions): EventStream {
  const controller = new AbortController()
  let closed = false
  let silence: ReturnType<typeof setTimeout> | undefined
  const onBytes = () => {
    clearTimeout(silence)
    silence = setTimeout(() => controller.abort(), options.silenceMs ?? SILENCE_MS)
  }
  onBytes()
  void read(options, controller.signal, onBytes)
    .catch(() => undefined)
    .then(() => {
      clearTimeout(silence)
      if (!closed) options.onEnd()
    })
  return {
    close() {
      closed = true
      controller.abort()
    },
  }
}

async function read(options: EventStreamOptions, signal: AbortSignal, onBytes: () => void): Promise<void> {
  const send = options.fetch ?? fetch
  const response = await send(options.url, {
    headers: { Accept: 'text/event-stream', ...options.headers },
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    signal,
  })
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok || !response.body || !type.startsWith('text/event-stream')) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let open = false
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    onBytes()
    if (!open) options.onOpen()
    open = true
    const events = (rest + part.value).replaceAll('\r\n', '\n').split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) announce(event, options.onData)
  }
}

function announce(event: string, onData: (data: string) => void): void {
  const lines = event.split('\n').filter((line) => line.startsWith('data:'))
  if (lines.length > 0) onData(lines.map((line) => line.slice(5).trimStart()).join('\n'))
}
