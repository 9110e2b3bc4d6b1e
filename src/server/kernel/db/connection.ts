/** The rows of one statement and the number of rows it affected. */
export interface StatementResult {
  readonly rows: readonly unknown[]
  readonly affected: number
}

/** Settings of one transaction, by name. */
export interface TransactionSettings {
  /** The same for all transactions of a kind. */
  readonly fixed: Readonly<Record<string, string>>
  /** Ids of its caller. With them it begins with a query, after which no isolation level can be chosen. */
  readonly own?: Readonly<Record<string, string>>
}

/** One database session, held by one transaction at a time. */
export interface Connection {
  /** Statements of one go are sent together: if one fails, so do those behind it. */
  query(text: string, parameters: readonly unknown[]): Promise<StatementResult>
  /** Begins a transaction, in one go with its first statements. */
  begin(settings: TransactionSettings): Promise<void>
  /** Ends the transaction, in one go with its last statements. */
  end(how: 'commit' | 'rollback'): Promise<void>
  /** Several statements without parameters in one round trip. */
  exec(text: string): Promise<void>
  /** Returns the session to the pool. `broken` sessions are not reused. */
  release(broken?: boolean): void
}

/** Receives the payload of each notification. */
export type OnNotification = (payload: string) => void
/** Called after a period in which notifications may have been lost, with its length in milliseconds. */
export type OnMissed = (ms: number) => void

interface SessionUsage {
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

/** Where sessions come from: PGlite (one session, used in turn) or a PostgreSQL pool. */
export interface ConnectionSource {
  readonly kind: 'pglite' | 'postgresql'
  /** The maximum number of sessions, and how long a caller waits for one; for PGlite's single session, without limit. */
  readonly sessions?: { readonly count: number; readonly waitMs: number }
  /** The current number of sessions, and of callers waiting for one. */
  readonly usage?: () => SessionUsage
  /** @param isPatient its statements may take minutes */
  acquire(isPatient?: boolean): Promise<Connection>
  /** Listens on a channel; the returned function stops it. */
  listen(channel: string, onNotification: OnNotification, missed: OnMissed): Promise<() => Promise<void>>
  close(): Promise<void>
}
