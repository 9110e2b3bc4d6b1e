import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { DatabaseUnavailable } from './unavailable.ts'

/** Distinguishes a slow database from one that has stopped answering although its connection is open. */
export interface LivenessProbe {
  /**
   * Watches a pending request: if the database stops answering or the request takes longer than `mostMs`, `cut` is called to make it fail. The
   * returned function ends the watch.
   */
  watch(cut: () => void, mostMs: number): () => void
  /** @throws DatabaseUnavailable while the database is known not to answer */
  admit(): void
  close(): void
}

export interface ProbeTimes {
  /** Time without an answer after which the database is probed. */
  readonly slowMs: number
  /** Timeout of the probe. */
  readonly answerMs: number
}

interface Waiting {
  readonly since: number
  readonly until: number
  readonly cut: () => void
}

const TICK_MS = 500
/** Errors that mean no answer at all; any other error was sent by somebody. */
const SILENCE = /timeout/i

/** @param url of the database, which is probed on a separate session */
export function createLivenessProbe(url: string, times: ProbeTimes): LivenessProbe {
  const waiting = new Set<Waiting>()
  let timer: NodeJS.Timeout | undefined
  let isAsking = false
  let isFrozen = false
  /** When the database last answered. */
  let seenAt = 0

  const look = (): void => {
    const now = performance.now()
    for (const probe of waiting) if (probe.until < now) probe.cut()
    const isSlow = [...waiting].some(({ since }) => now - Math.max(since, seenAt) >= times.slowMs)
    if (!isAsking && (isSlow || isFrozen)) void ask()
    if (waiting.size > 0 || isFrozen || isAsking) return
    clearInterval(timer)
    timer = undefined
  }
  const ask = async (): Promise<void> => {
    const begun = performance.now()
    isAsking = true
    isFrozen = !(await answers(url, times.answerMs))
    isAsking = false
    if (isFrozen) {
      for (const probe of waiting) if (probe.since < begun) probe.cut()
    } else seenAt = performance.now()
  }
  return {
    watch(cut, mostMs) {
      const since = performance.now()
      const probe = { since, cut, until: since + mostMs }
      waiting.add(probe)
      timer ??= setInterval(look, TICK_MS).unref()
      return () => void waiting.delete(probe)
    },
    admit() {
      if (isFrozen) throw new DatabaseUnavailable('it takes connections and does not answer')
    },
    close: () => clearInterval(timer),
  }
}

async function answers(url: string, answerMs: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch (error) {
    return !(error instanceof Error && !('code' in error) && SILENCE.test(error.message))
  } finally {
    client.end().catch(() => undefined)
  }
}
