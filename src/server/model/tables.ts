import type { Generated } from 'kysely'
import type { Json } from '../../../runtime/core/json.ts'
import type { CommonColumns } from '../db/tables.ts'

/** What a tenant said of a module, one row per version (migration 0400). */
export interface ModuleOverrideTable {
  tenant_id: string
  name: string
  version: number
  kind: 'own' | 'difference'
  description: Json
  deleted: Generated<boolean>
  created_by: string | null
  created_at: Generated<Date>
}

/** A record of a module of a tenant's own. */
export interface RecordTable extends CommonColumns {
  module: string
  title: string
  record_no: string | null
  owner_id: string | null
  owner_dept_id: string | null
  search_text: Generated<string>
  search_tokens: Generated<string[]>
  py: Generated<string>
  py_initial: Generated<string>
}

declare module '../db/tables.ts' {
  interface Tables {
    module_override: ModuleOverrideTable
    record: RecordTable
  }
}
