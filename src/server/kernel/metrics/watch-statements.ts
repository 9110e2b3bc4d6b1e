import { performance } from 'node:perf_hooks'
import type { FastifyBaseLogger } from 'fastify'
import type { Connection, ConnectionSource } from '../db/connection.ts'
import type { Metrics } from './metrics.ts'

export interface StatementWatch {
  /** Null: nothing is counted. */
  readonly metrics: Metrics | null
  /** Statements that take longer are logged, without their values; null: none. */
  readonly slowMs: number | null
  readonly log: FastifyBaseLogger
}

/** Counts the statements of a database and logs slow ones. Without anything to do it is the source itself. */
export function watchStatements(source: ConnectionSource, watch: StatementWatch): ConnectionSource {
  if (watch.metrics === null && watch.slowMs === null) return source
  return {
    ...source,
    async acquire(isPatient) {
      const begun = performance.now()
      const connection = await source.acquire(isPatient)
      watch.metrics?.database('wait', (performance.now() - begun) / 1000)
      return watched(connection, watch)
    },
  }
}

function watched(connection: Connection, { metrics, slowMs, log }: StatementWatch): Connection {
  return {
    ...connection,
    async query(text, parameters) {
      const begun = performance.now()
      try {
        return await connection.query(text, parameters)
      } finally {
        const ms = performance.now() - begun
        metrics?.database('statement', ms / 1000)
        if (slowMs !== null && ms >= slowMs)
          log.warn({ ms: Math.round(ms), statement: withoutTexts(text) }, 'a slow statement')
      }
    },
  }
}

const LONGEST = 4_000

/** Values are parameters and not in the text; what is written into a text all the same says nothing of anybody. */
function withoutTexts(text: string): string {
  return text
    .replace(/'(?:[^']|'')*'/g, (quoted) => (/^'[a-z_:., %-]*'$/.test(quoted) ? quoted : "'…'"))
    .slice(0, LONGEST)
}
