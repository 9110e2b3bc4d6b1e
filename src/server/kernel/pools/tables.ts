import type { Generated } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { PoolName } from '../context/entities.ts'
import type { CommonColumns } from '../db/tables.ts'

export interface PoolTable extends CommonColumns {
  entity: PoolName
  name: string
  is_default: Generated<boolean>
  enabled: Generated<boolean>
  member_all: Generated<boolean>
  member_user_ids: Generated<string[]>
  member_dept_ids: Generated<string[]>
  admin_user_ids: Generated<string[]>
  settings: Generated<Json>
}

declare module '../db/tables.ts' {
  interface Tables {
    pool: PoolTable
  }
}
