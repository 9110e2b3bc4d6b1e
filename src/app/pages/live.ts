import type { Problem } from '../../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { Clock } from '../../../runtime/core/ports.ts'
import { openReconnectingStream, type ReconnectingStreamOptions } from '../net/reconnecting-stream.ts'

/**
 * A fault of a page's file; `file` if the server knows it better than the page's path tells, and the position in it. The server's text is in the
 * reader's language; faults found by the client have it in `said`.
 */
export type AuthorProblem = Omit<Problem, 'said'> & {
  readonly said?: Problem['said']
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

export interface LiveOptions {
  readonly open: ReconnectingStreamOptions['open']
  readonly clock: Clock
  /** A page has changed; with problems: its file is broken. */
  readonly onChange: (path: string, problems: readonly AuthorProblem[]) => void
  /** The tenant's dictionaries have changed. */
  readonly onDict: () => void
  /** The stream is open: the server sends the broken files next. */
  readonly onOpen: () => void
  /** The stream is open again after a gap: changes may have been missed. */
  readonly onGap: () => void
}

export interface Live {
  /** Time since which no change can have been missed (milliseconds of the clock); null while the stream is not open. */
  heardSince(): number | null
  /** Reconnects, for another user or immediately after a gap. */
  restart(): void
  stop(): void
}

/** Listens for changes of pages while the app runs; reconnects with growing waits. */
export function listenToChanges(options: LiveOptions): Live {
  let since: number | null = null
  const stream = openReconnectingStream({
    open: options.open,
    clock: options.clock,
    onOpen(afterGap) {
      since = options.clock.now()
      options.onOpen()
      if (afterGap) options.onGap()
    },
    onData(data) {
      const event = readEvent(data)
      if (typeof event.path === 'string') options.onChange(event.path, readProblems(event.problems))
      if (event.dict === true) options.onDict()
    },
    onEnd() {
      since = null
    },
  })
  return {
    heardSince: () => since,
    stop() {
      since = null
      stream.stop()
    },
    restart() {
      since = null
      stream.restart()
    },
  }
}

function readEvent(data: string): JsonObject {
  try {
    const value = JSON.parse(data) as Json
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** The errors in the server's list of problems. */
export function readProblems(list: Json | undefined): readonly AuthorProblem[] {
  return (Array.isArray(list) ? list : []).flatMap((value) => {
    if (!isObject(value) || typeof value.code !== 'string' || typeof value.message !== 'string') return []
    const problem = { at: '', hint: '', severity: 'error', ...value } as unknown as AuthorProblem
    return problem.severity === 'error' ? [problem] : []
  })
}
