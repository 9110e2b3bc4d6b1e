import { performance } from 'node:perf_hooks'
import type { FastifyBaseLogger } from 'fastify'
import type { Connection, ConnectionSource } from '../db/connection.ts'
import type { Metrics } from './metrics.ts'
import type { Traces } from './traces.ts'

export interface StatementWatch {
  /** Null: nothing is counted. */
  readonly metrics: Metrics | null
  /** Null: nothing is traced. */
  readonly traces?: Traces | null
  /** Statements that take longer are logged with their plan, without their values; null: none. */
  readonly slowMs: number | null
  readonly log: FastifyBaseLogger
}

/** Counts the statements of a database and logs slow ones. With everything disabled it returns the source itself. */
export function watchStatements(source: ConnectionSource, watch: StatementWatch): ConnectionSource {
  const { metrics, slowMs, traces = null } = watch
  if (metrics === null && slowMs === null && traces === null) return source
  const planned = new Map<string, number>()
  return {
    ...source,
    async acquire(isPatient) {
      const begun = performance.now()
      const connection = await source.acquire(isPatient)
      watch.metrics?.database('wait', (performance.now() - begun) / 1000)
      return watched(connection, watch, planned)
    },
  }
}

function watched(
  connection: Connection,
  { metrics, traces = null, slowMs, log }: StatementWatch,
  planned: Map<string, number>,
): Connection {
  return {
    ...connection,
    async query(text, parameters) {
      const begun = performance.now()
      const span = traces?.span(/\w+/.exec(text)?.[0].toUpperCase() ?? 'statement') ?? null
      let isOk = false
      try {
        const result = await connection.query(text, parameters)
        isOk = true
        return result
      } finally {
        const ms = performance.now() - begun
        span?.end({ 'db.system': 'postgresql', 'db.statement': withoutTexts(text) }, !isOk)
        metrics?.database('statement', ms / 1000)
        if (slowMs !== null && ms >= slowMs) {
          // A failed statement has ended its transaction, so it cannot be explained.
          const plan = isOk && isNext(planned, text) ? await planOf(connection, text, parameters) : {}
          log.warn({ ms: Math.round(ms), statement: withoutTexts(text), ...plan }, 'a slow statement')
        }
      }
    },
  }
}

const PLANNED = /^\s*(?:select|with|update|delete|insert)\b/i
/** Minimum interval between two plans of the same statement: a plan costs as much as planning. */
const PLAN_INTERVAL_MS = 60_000
const MAX_PLANNED = 200

function isNext(planned: Map<string, number>, text: string): boolean {
  const now = performance.now()
  if (!PLANNED.test(text) || now - (planned.get(text) ?? Number.NEGATIVE_INFINITY) < PLAN_INTERVAL_MS)
    return false
  if (planned.size >= MAX_PLANNED) planned.clear()
  planned.set(text, now)
  return true
}

/** The plan of a statement, without executing it again. The values in its conditions are removed, because they came from a caller. */
async function planOf(
  connection: Connection,
  text: string,
  parameters: Parameters<Connection['query']>[1],
): Promise<{ readonly plan?: readonly string[] }> {
  try {
    // Under a savepoint: a statement that cannot be planned must not end the caller's transaction.
    await connection.exec('savepoint slow_plan')
    const { rows } = await connection.query(`explain ${text}`, parameters)
    await connection.exec('release savepoint slow_plan')
    const lines = rows as readonly Readonly<Record<string, unknown>>[]
    return { plan: lines.map((row) => withoutValues(String(Object.values(row)[0]))).slice(0, PLAN_LINES) }
  } catch {
    await connection.exec('rollback to savepoint slow_plan').catch(() => undefined)
    return {}
  }
}

const PLAN_LINES = 60

const withoutValues = (line: string): string =>
  line.replace(/'(?:[^']|'')*'/g, "'…'").replace(/(= |> |< |>= |<= |<> )(\()?-?[\d.]+/g, '$1$2…')

const MAX_LENGTH = 4_000

/** Values are parameters and not part of the text; literals in the text contain no personal data. */
function withoutTexts(text: string): string {
  return text
    .replace(/'(?:[^']|'')*'/g, (quoted) => (/^'[a-z_:., %-]*'$/.test(quoted) ? quoted : "'…'"))
    .slice(0, MAX_LENGTH)
}
