import type { Problem } from '../../runtime/core/errors.ts'
import { isObject, type Json } from '../../runtime/core/json.ts'
import type { Clock } from '../../runtime/core/ports.ts'

/** Waits between attempts to reach the stream again. */
const BACKOFF_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const
const CLOSED = 2

/** What of the browser's EventSource is used. */
export interface EventStream {
  readonly readyState: number
  onopen: (() => void) | null
  onerror: (() => void) | null
  onmessage: ((event: { readonly data: string }) => void) | null
  close(): void
}

export interface LiveOptions {
  readonly open: () => EventStream
  readonly clock: Clock
  /** A page was changed; with problems: its file is broken. */
  readonly onChange: (path: string, problems: readonly Problem[]) => void
  /** The stream is back after a gap: changes may have been missed. */
  readonly onGap: () => void
}

/** Listens to changes of pages for as long as the app runs; reconnects with growing waits. Returns the stop function. */
export function listenToChanges(options: LiveOptions): () => void {
  let stream: EventStream | null = null
  let attempts = 0
  let gap = false
  let cancel = () => {}

  function connect(): void {
    const current = options.open()
    stream = current
    current.onopen = () => {
      attempts = 0
      if (gap) options.onGap()
      gap = false
    }
    current.onmessage = ({ data }) => announce(data)
    current.onerror = () => {
      gap = true
      // The browser reconnects by itself after a cut, but not after a refusal.
      if (current.readyState === CLOSED) retry()
    }
  }

  function retry(): void {
    stream?.close()
    cancel = options.clock.after(BACKOFF_MS[Math.min(attempts, BACKOFF_MS.length - 1)] ?? 30_000, connect)
    attempts += 1
  }

  function announce(data: string): void {
    const change = readChange(data)
    if (change !== null) options.onChange(change.path, change.problems)
  }

  connect()
  return () => {
    cancel()
    stream?.close()
  }
}

function readChange(data: string): { readonly path: string; readonly problems: readonly Problem[] } | null {
  try {
    const value = JSON.parse(data) as Json
    if (!isObject(value) || typeof value.path !== 'string') return null
    return {
      path: value.path,
      problems: (Array.isArray(value.problems) ? value.problems : []).flatMap(readProblem),
    }
  } catch {
    return null
  }
}

function readProblem(value: Json): Problem[] {
  if (!isObject(value) || typeof value.code !== 'string' || typeof value.message !== 'string') return []
  const problem = { at: '', hint: '', severity: 'error', ...value } as unknown as Problem
  return problem.severity === 'error' ? [problem] : []
}
