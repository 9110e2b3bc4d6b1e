import type { Generated } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'

export type WorkKind = 'export' | 'import' | 'check' | 'transfer'
export type WorkStatus = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'

/** A piece of work in the background (DOMAIN 8.3, job). */
export interface WorkTable {
  tenant_id: string
  id: string
  user_id: string
  /** The person whose rights apply: read again while it runs. */
  session_id: string
  kind: WorkKind
  entity: string
  title: string
  input: Json
  status: Generated<WorkStatus>
  total: Generated<number>
  done: Generated<number>
  ok: Generated<number>
  failed: Generated<number>
  failures: Generated<Json>
  message: Generated<string>
  file_id: Generated<string | null>
  file_name: Generated<string>
  /** Number of starts since the last progress. */
  attempts: Generated<number>
  beat_at: Generated<Date | null>
  /** Mark of the last start; each start has a new one. */
  taken_by: Generated<string | null>
  finished_at: Generated<Date | null>
  expires_at: Date
  created_at: Generated<Date>
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    work: WorkTable
  }
}
