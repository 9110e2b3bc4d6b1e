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

/** Where sessions come from: the embedded database (one session, handed out in turn) or a PostgreSQL pool. */
export interface ConnectionSource {
  readonly kind: 'embedded' | 'postgresql'
  acquire(): Promise<Connection>
  /** Calls `heard` for every notification on `channel`; the returned function stops it. */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}
