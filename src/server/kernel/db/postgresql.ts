import pg from 'pg'
import { Batch } from './batch.ts'
import type { Connection, ConnectionSource, StatementResult, TransactionSettings } from './connection.ts'
import { createListening } from './listening.ts'
import { createLivenessProbe, type LivenessProbe } from './liveness-probe.ts'
import { wireValue } from './pg-inner.ts'
import { createStatementNames, isOutdated, type StatementNames } from './prepared.ts'
import { type Described, Statement } from './statement.ts'
import { COLUMN_READERS } from './types.ts'
import { asUnavailable, DatabaseUnavailable } from './unavailable.ts'

type Reader = (text: string) => unknown

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): Reader {
    const reader = COLUMN_READERS[oid]
    return reader ?? (pg.types.getTypeParser(oid, format ?? 'text') as Reader)
  },
}

/** Timeout for opening the listening session. */
const CONNECT_MS = 5_000
export const POOL_SIZE = 10
const WAIT_MS = 10_000
/** A session keeps its prepared statements until it ends: beyond this number it is replaced, which frees its memory. */
const PER_SESSION = 600

const PULSE = { slowMs: 3_000, answerMs: 4_000 }
/** A statement ends by itself at its own limit (30 s, 15 minutes in the background); after this time no answer will come. */
const LIMITS = { longestMs: 35_000, patientMs: 16 * 60_000 }

export interface PoolOptions {
  /** Maximum sessions. Default: 10. */
  readonly size?: number | undefined
  /** Maximum wait for a session, in milliseconds. Default: 10,000. */
  readonly waitMs?: number | undefined
  /** Maximum wait for the answer to a statement. */
  readonly limits?: typeof LIMITS
  /** False behind a pooler that shares a session between several clients and does not support prepared statements. Default: true. */
  readonly prepares?: boolean | undefined
}

/**
 * Initial settings of every session. Our statements are short: compiling one to machine code (`jit`) takes longer than running it, and one that runs
 * or waits for long blocks others. Longer work requests it explicitly (`patiently` of the database).
 */
const OPENING = `set jit = off; set statement_timeout = '30s'; set lock_timeout = '8s'; set idle_in_transaction_session_timeout = '60s'`

/** A PostgreSQL server (15 or later) behind a pool of sessions. */
export function openPostgresql(
  url: string,
  onError: (error: Error) => void,
  { size = POOL_SIZE, waitMs = WAIT_MS, limits = LIMITS, prepares = true }: PoolOptions = {},
): ConnectionSource {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types: types as pg.CustomTypesConfig,
    keepAlive: true,
    connectionTimeoutMillis: waitMs,
    // Statements that do not wait for each other are sent together; they are answered in order.
    pipeline: true,
  })
  let isClosed = false
  /** Losing a session while closing is not an error. */
  const report = (error: Error): void => (isClosed ? undefined : onError(error))
  pool.on('error', report)
  // A session that is lost while in use reports that itself.
  pool.on('connect', (client) => {
    client.on('error', report)
    client.query(OPENING).catch(report)
  })
  const pulse = createLivenessProbe(url, PULSE)
  const names = prepares ? createStatementNames() : null
  const listening = createListening({ url, onError, connectMs: CONNECT_MS })
  return {
    kind: 'postgresql',
    sessions: { count: size, waitMs },
    usage: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async acquire(isPatient = false) {
      pulse.admit()
      try {
        const client = await open(pool, pulse)
        return connectionOf(client, { pulse, names, mostMs: isPatient ? limits.patientMs : limits.longestMs })
      } catch (error) {
        throw asUnavailable(error)
      }
    },
    listen: listening.listen,
    async close() {
      isClosed = true
      pulse.close()
      await listening.close()
      await pool.end()
    },
  }
}

/** Gets a session, unless the database stops answering meanwhile; a session that arrives later is not used. */
function open(pool: pg.Pool, pulse: LivenessProbe): Promise<pg.PoolClient> {
  return new Promise((done, fail) => {
    let isGivenUp = false
    const over = pulse.watch(() => {
      isGivenUp = true
      over()
      fail(new DatabaseUnavailable('it does not answer'))
    }, Number.POSITIVE_INFINITY)
    pool.connect().then(
      (client) => {
        over()
        if (isGivenUp) client.release(true)
        else done(client)
      },
      (error: unknown) => {
        over()
        fail(error)
      },
    )
  })
}

interface Ways {
  readonly pulse: LivenessProbe
  readonly names: StatementNames | null
  /** Maximum wait for the answer to a statement, in milliseconds. */
  readonly mostMs: number
}

/** What each session knows about the statements it has prepared. */
const described = new WeakMap<pg.PoolClient, Described>()

function describedOf(client: pg.PoolClient): Described {
  const known = described.get(client) ?? new Map()
  described.set(client, known)
  return known
}

function connectionOf(client: pg.PoolClient, { pulse, names, mostMs }: Ways): Connection {
  let isStale = false
  const { stream } = client.connection
  const known = describedOf(client)
  // Closes the socket at once; every running statement fails.
  const cut = (): void => void stream.destroy()
  const create = (isSimple: boolean): Batch => {
    const over = pulse.watch(cut, mostMs)
    const end = (error: Error | null): void => {
      over()
      isStale ||= isOutdated(error)
    }
    return new Batch(stream, end, isSimple)
  }
  /** What was asked in this go so far. */
  let waiting: Batch | null = null
  const leave = (): void => {
    const batch = waiting
    waiting = null
    if (batch !== null) client.query(batch)
  }
  const join = (): Batch => {
    if (waiting === null) process.nextTick(leave)
    waiting ??= create(false)
    return waiting
  }
  const ask = (
    text: string,
    values: readonly unknown[] | null,
    batchOf: () => Batch,
  ): Promise<StatementResult> =>
    new Promise((done, fail) => {
      const parts = {
        text,
        name: values === null ? undefined : names?.nameOf(text),
        values: values === null ? null : wireValues(values),
        described: known,
        readerOf: types.getTypeParser,
      }
      batchOf().add(new Statement(parts, done, (error) => fail(asUnavailable(error))))
    })
  const query: Connection['query'] = (text, parameters) => ask(text, parameters, join)
  return {
    query,
    async exec(text) {
      leave()
      const batch = create(true)
      const finished = ask(text, null, () => batch)
      client.query(batch)
      await finished
    },
    async begin(settings) {
      const set = setting(settings)
      await Promise.all([query('begin', []), ...set.map(({ text, values }) => query(text, values))])
    },
    end: async (how) => void (await query(how, [])),
    release(broken = false) {
      client.release(broken || isStale || known.size > PER_SESSION)
    },
  }
}

/** Most values are texts; pg converts the others. @throws Error for one that cannot be converted, before anything is sent */
const wireValues = (values: readonly unknown[]): (string | Buffer | null)[] =>
  values.map((value) => (typeof value === 'string' ? value : wireValue(value)))

interface Setting {
  readonly text: string
  readonly values: readonly string[]
}

/** The statements of settings that are the same for all transactions of a kind. */
const settingTexts = new WeakMap<TransactionSettings['fixed'], readonly string[]>()

/**
 * Statements that set what holds for one transaction. Those of a caller are parameters of one statement, which is prepared for all callers; it takes a
 * snapshot, after which no isolation level can be chosen, so the others are set without one.
 */
function setting({ fixed, own }: TransactionSettings): readonly Setting[] {
  const texts = settingTexts.get(fixed) ?? settingOf(fixed, own)
  settingTexts.set(fixed, texts)
  const values = own === undefined ? [] : Object.values(own)
  return texts.map((text) => ({ text, values }))
}

function settingOf(fixed: TransactionSettings['fixed'], own: TransactionSettings['own']): readonly string[] {
  const same = Object.entries(fixed)
  if (own === undefined) return same.map(([name, value]) => `set local ${name} = '${value}'`)
  const calls = [
    ...same.map(([name, value]) => `set_config('${name}', '${value}', true)`),
    ...Object.keys(own).map((name, at) => `set_config('${name}', $${at + 1}, true)`),
  ]
  return [`select ${calls.join()}`]
}
