import type { Json } from '../../../../runtime/core/json.ts'
import type { CommonColumns } from '../../kernel/db/tables.ts'

/** An external system of a tenant (migration 0470). */
export interface ConnectionTable extends Omit<CommonColumns, 'deleted_at' | 'ext'> {
  name: string
  label: string
  setting: Json
  secrets: Json
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    connection: ConnectionTable
  }
}
