import { sql } from 'kysely'
import { createAsyncScope } from '../threads/async-scope.ts'
import type { ConnectionSource, OnMissed, OnNotification, TransactionSettings } from './connection.ts'
import { isOutdated } from './prepared.ts'
import { createShares, type ShareSizes, type Shares } from './shares.ts'
import type { Standby } from './standby.ts'
import { type Trx, transact } from './transaction.ts'

export type { Trx } from './transaction.ts'

/** The tenant of a transaction, and the acting user. */
export interface Scope {
  readonly tenantId: string
  readonly userId: string
  /** A call that only reads: its notes (who looked at what) need not be on disk before it is answered. */
  readonly isReading?: boolean
  /** Its first statement has no effect outside the tenant's transaction, so it may be sent together with the statement that opens it. */
  readonly isLate?: boolean
  /** Writes nothing at all, not even notes, and may be repeated: a standby may answer it, if there is one. */
  readonly mayBeStandby?: boolean
}

/**
 * The only access to the database. Every call is one transaction. Calls never nest (a nested call throws at once, on PostgreSQL only in tests). Work
 * that the database aborts in favour of another transaction (a deadlock, a serialization failure) is repeated, so it must leave no effects outside
 * the transaction.
 */
export interface Database {
  readonly kind: ConnectionSource['kind']
  /** The sessions with a PostgreSQL server. */
  readonly usage?: ConnectionSource['usage']
  /** With a standby: how many calls it answered, and how many it could have answered. */
  readonly reads?: Standby['counts']
  /** Runs under the role `crm_app`, which sees and writes only the tenant's rows, whatever the SQL says (DOMAIN 2.4). */
  tenant<T>(scope: Scope, work: (trx: Trx) => Promise<T>): Promise<T>
  /** Runs under `crm_system`, across tenants: login, sessions, migrations, jobs, seeds. Not for business calls. */
  system<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  /** Runs as the owner of the tables, with long timeouts: migrations only. */
  owner<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  /** Transactions started inside `work` may take minutes: for background work. */
  patiently<T>(work: () => Promise<T>): Promise<T>
  /** Notifies every server when `trx` commits. `payload` stays under 8,000 bytes. */
  notify(trx: Trx, channel: string, payload: string): Promise<void>
  /** Receives what servers send by `notify`; the returned function stops it. */
  listen(channel: string, onNotification: OnNotification, missed: OnMissed): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** Maximum attempts per transaction. */
const TIMES = 3
/** PostgreSQL's codes for "try again": serialization_failure and deadlock_detected. */
const BROKEN_OFF: ReadonlySet<unknown> = new Set(['40001', '40P01'])

/** Limits of a statement, a lock and an idle transaction for background work. */
const PATIENT = {
  statement_timeout: '15min',
  lock_timeout: '60s',
  idle_in_transaction_session_timeout: '15min',
} as const

const SYSTEM: TransactionSettings = { fixed: { role: 'crm_system' } }
const OF_OWNER: TransactionSettings = { fixed: {} }

/** Two sessions are reserved for signing in, health and jobs, whatever tenants do; one tenant gets at most three quarters of the others. */
export function sharesOf({ count, waitMs }: { readonly count: number; readonly waitMs: number }): ShareSizes {
  const all = Math.max(1, count - 2)
  return { all, each: Math.max(1, Math.ceil(all * 0.75)), waitMs }
}

const ID = /^[\w-]{1,64}$/

interface DatabaseOptions {
  /**
   * Throws if a transaction is started inside another one. The check costs time in every call, so it is active only where such a call would deadlock,
   * and in tests.
   */
  readonly findsNested?: boolean
  /** Answers calls that only read, as soon as it has everything that the database has. */
  readonly standby?: Standby | undefined
}

/** Builds the database on a source of connections; the caller runs `migrate` before use. */
export function createDatabase(
  source: ConnectionSource,
  { findsNested = source.kind === 'pglite', standby }: DatabaseOptions = {},
): Database {
  const running = createAsyncScope<true>()
  const patient = createAsyncScope<boolean>()
  const shares = source.sessions === undefined ? null : createShares(sharesOf(source.sessions))
  const run = <T>(
    opening: TransactionSettings,
    work: (trx: Trx) => Promise<T>,
    { isLate = false, from = source }: { readonly isLate?: boolean; readonly from?: ConnectionSource } = {},
  ): Promise<T> => {
    if (running.get() === true) throw new Error('a transaction inside a transaction: hand the outer one down')
    const isPatient = patient.get() === true
    const isLimited = source.kind === 'postgresql' && isPatient
    const settings = isLimited ? { ...opening, fixed: { ...opening.fixed, ...PATIENT } } : opening
    const options = { settings, isPatient, isLate }
    const attempts = () => retry(TIMES, () => transact(from, options, work))
    return findsNested ? running.run(true, attempts) : attempts()
  }
  return {
    kind: source.kind,
    ...(source.usage === undefined ? {} : { usage: source.usage }),
    ...(standby === undefined ? {} : { reads: standby.counts }),
    async tenant(scope, work) {
      const opening = tenantSettings(scope)
      const isLate = scope.isReading === true || scope.isLate === true
      if (scope.mayBeStandby === true && standby !== undefined && (await standby.isCurrent())) {
        const { source: from, shares: its } = standby
        try {
          return await inTurn(its, scope, () => run(opening, work, { isLate, from }))
        } catch (error) {
          if (!standby.hasFailed(error)) throw error
        }
      }
      return inTurn(shares, scope, () => run(opening, work, { isLate }))
    },
    system: async (work) => run(SYSTEM, work),
    owner: (work) => patient.run(true, () => run(OF_OWNER, work)),
    patiently: (work) => patient.run(true, work),
    async notify(trx, channel, payload) {
      await sql`select pg_notify(${channel}, ${payload})`.execute(trx)
    },
    listen: (channel, onNotification, missed) => source.listen(channel, onNotification, missed),
    close: async () => void (await Promise.all([source.close(), standby?.close()])),
  }
}

async function inTurn<T>(shares: Shares | null, { tenantId }: Scope, work: () => Promise<T>): Promise<T> {
  const end = await shares?.take(tenantId)
  try {
    return await work()
  } finally {
    end?.()
  }
}

async function retry<T>(times: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isBrokenOff = error instanceof Error && 'code' in error && BROKEN_OFF.has(error.code)
    if (times === 1 || !(isBrokenOff || isOutdated(error))) throw error
    return retry(times - 1, work)
  }
}

/** Notes of a call that reads need not be on the disk before it is answered. */
const WRITING = { role: 'crm_app' } as const
const READING = { ...WRITING, synchronous_commit: 'off' } as const

function tenantSettings({ tenantId, userId, isReading = false }: Scope): TransactionSettings {
  if (!ID.test(tenantId) || !ID.test(userId))
    throw new Error('a tenant and user id are letters, digits, _ and -')
  return { fixed: isReading ? READING : WRITING, own: { 'app.tenant': tenantId, 'app.caller': userId } }
}
