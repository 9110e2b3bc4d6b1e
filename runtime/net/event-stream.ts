/** A stream of server-sent events that is being read. */
export interface EventStream {
  close(): void
}

export interface EventStreamOptions {
  readonly url: string
  /** Unlike the browser's EventSource, this one can carry a token. */
  readonly headers: Readonly<Record<string, string>>
  readonly onOpen: () => void
  readonly onData: (data: string) => void
  /** The stream has ended or could not be opened; it does not reconnect by itself. */
  readonly onEnd: () => void
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** Reads `text/event-stream` from our own server; `data:` lines of one event are joined, everything else is passed over. */
export function openEventStream(options: EventStreamOptions): EventStream {
  const controller = new AbortController()
  void read(options, controller.signal)
    .catch(() => undefined)
    .then(() => {
      if (!controller.signal.aborted) options.onEnd()
    })
  return { close: () => controller.abort() }
}

async function read(options: EventStreamOptions, signal: AbortSignal): Promise<void> {
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
  options.onOpen()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const events = (rest + part.value).replaceAll('\r\n', '\n').split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) announce(event, options.onData)
  }
}

function announce(event: string, onData: (data: string) => void): void {
  const lines = event.split('\n').filter((line) => line.startsWith('data:'))
  if (lines.length > 0) onData(lines.map((line) => line.slice(5).trimStart()).join('\n'))
}
