/** Rows of one statement and how many it touched. */
export interface StatementResult {
  readonly rows: readonly unknown[]
  readonly affected: number
}

/** One database session, held by one transaction at a time. */
export interface Connection {
  query(text: string, parameters: readonly unknown[]): Promise<StatementResult>
  /** Several statements without parameters in one round trip. */
  exec(text: string): Promise<void>
  /** Gives the session back. `broken` sessions are not reused. */
  release(broken?: boolean): void
}

/** Gets the payload of each notification. */
export type Heard = (payload: string) => void
/** Called after a time in which notifications may have been lost, with its length in milliseconds. */
export type Missed = (ms: number) => void

interface SessionUsage {
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

/** Where sessions come from: PGlite (one session, handed out in turn) or a PostgreSQL pool. */
export interface ConnectionSource {
  readonly kind: 'pglite' | 'postgresql'
  /** How many there are at most, and how long somebody waits for one; PGlite's one session is waited for as long as it takes. */
  readonly sessions?: { readonly count: number; readonly waitMs: number }
  /** How many sessions there are now, and how many wait for one. */
  readonly usage?: () => SessionUsage
  /** @param isPatient its statements may take minutes */
  acquire(isPatient?: boolean): Promise<Connection>
  /** Listens on a channel; the returned function stops it. */
  listen(channel: string, heard: Heard, missed: Missed): Promise<() => Promise<void>>
  close(): Promise<void>
}
