import type { Generated } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { CommonColumns, OwnedColumns } from '../db/tables.ts'

/** A tenant's changes to a module, one row per version (migration 0400). */
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
export interface RecordTable extends CommonColumns, OwnedColumns {
  module: string
  title: string
  record_no: string | null
  search_text: Generated<string>
  search_tokens: Generated<string[]>
  py: Generated<string>
  py_initial: Generated<string>
  approval_status: Generated<number>
  submitted_by: Generated<string | null>
  submitted_at: Generated<Date | null>
  approver_id: Generated<string | null>
  approver_ids: Generated<string[]>
  revision_no: Generated<number>
}

/** The state of a record before each later version (migration 0603). */
export interface RecordVersionTable {
  tenant_id: string
  module: string
  record_id: string
  no: number
  title: string
  ext: Json
  approval_status: number
  created_by: string | null
  created_at: Generated<Date>
}

/** A field that is mirrored into the table of its value class (migration 0497). */
export interface OwnIndexTable {
  tenant_id: string
  module: string
  field: string
  class: 'text' | 'number' | 'moment' | 'ref'
  several: boolean
  is_sorted: boolean
  is_unique: boolean
  has_repeats: Generated<boolean>
  state: 'filling' | 'ready' | 'leaving'
  is_asked: Generated<boolean>
  last_id: Generated<string>
  done: Generated<number>
}

/** A field whose kind is being changed (migration 0620). */
export interface FieldConversionTable {
  tenant_id: string
  module: string
  field: string
  was: Json
  made: Json
  total: number
  done: Generated<number>
  last_id: Generated<string>
  created_by: string | null
  created_at: Generated<Date>
}

declare module '../db/tables.ts' {
  interface Tables {
    module_override: ModuleOverrideTable
    record: RecordTable
    record_version: RecordVersionTable
    own_index: OwnIndexTable
    field_conversion: FieldConversionTable
  }
}
