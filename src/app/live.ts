import type { Problem } from '../../runtime/core/errors.ts'
import { isObject, type Json } from '../../runtime/core/json.ts'
import type { Clock } from '../../runtime/core/ports.ts'

/** Waits between attempts to reach the stream again. */
const BACKOFF_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const

/** A fault of a page's file; `file` where the server knows it better than the page's path says. */
export type AuthorProblem = Problem & { readonly file?: string }

export interface LiveOptions {
  /** Opens the stream; calls `onEnd` once, when it has ended or could not be opened. */
  readonly open: (handlers: {
    readonly onOpen: () => void
    readonly onData: (data: string) => void
    readonly onEnd: () => void
  }) => { readonly close: () => void }
  readonly clock: Clock
  /** A page was changed; with problems: its file is broken. */
  readonly onChange: (path: string, problems: readonly AuthorProblem[]) => void
  /** The stream is back after a gap: changes may have been missed. */
  readonly onGap: () => void
}

export interface Live {
  /** Since when every change has been heard of (milliseconds of the clock); null while the stream is not open. */
  heardSince(): number | null
  /** Connects anew, as another user or at once after a gap. */
  restart(): void
  stop(): void
}

/** Listens to changes of pages for as long as the app runs; reconnects with growing waits. */
export function listenToChanges(options: LiveOptions): Live {
  let stream: { readonly close: () => void } | null = null
  let attempts = 0
  let gap = false
  let since: number | null = null
  let cancel = () => {}

  function connect(): void {
    stream = options.open({
      onOpen() {
        attempts = 0
        since = options.clock.now()
        if (gap) options.onGap()
        gap = false
      },
      onData(data) {
        const change = readChange(data)
        if (change !== null) options.onChange(change.path, change.problems)
      },
      onEnd() {
        gap = true
        since = null
        cancel = options.clock.after(BACKOFF_MS[Math.min(attempts, BACKOFF_MS.length - 1)] ?? 30_000, connect)
        attempts += 1
      },
    })
  }

  function stop(): void {
    cancel()
    since = null
    stream?.close()
  }

  connect()
  return {
    heardSince: () => since,
    stop,
    restart() {
      stop()
      attempts = 0
      connect()
    },
  }
}

function readChange(
  data: string,
): { readonly path: string; readonly problems: readonly AuthorProblem[] } | null {
  try {
    const value = JSON.parse(data) as Json
    if (!isObject(value) || typeof value.path !== 'string') return null
    return { path: value.path, problems: readProblems(value.problems) }
  } catch {
    return null
  }
}

/** The errors in a list of problems as the server writes it. */
export function readProblems(list: Json | undefined): readonly AuthorProblem[] {
  return (Array.isArray(list) ? list : []).flatMap((value) => {
    if (!isObject(value) || typeof value.code !== 'string' || typeof value.message !== 'string') return []
    const problem = { at: '', hint: '', severity: 'error', ...value } as unknown as AuthorProblem
    return problem.severity === 'error' ? [problem] : []
  })
}
