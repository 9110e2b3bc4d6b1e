import type { Generated } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { Optional } from '../db/tables.ts'

/** How a record came to its owner (DOMAIN 1.0). */
export type ObtainWay = 'created' | 'claimed' | 'assigned' | 'transferred' | 'converted' | 'imported'

/** Columns of owned records (DOMAIN 1.0). */
export interface OwnedColumns {
  owner_id: Optional<string>
  owner_dept_id: Optional<string>
  owner_since: Optional<Date>
  obtain_way: Generated<ObtainWay>
  prev_owner_id: Optional<string>
  pool_id: Optional<string>
  pool_entered_at: Optional<Date>
  pool_reason: Optional<string>
  pool_times: Generated<number>
  expire_at: Optional<Date>
  follow_status: Generated<'none' | 'followed'>
  last_follow_at: Optional<Date>
  last_follow_by: Optional<string>
  last_follow_content: Optional<string>
  next_follow_at: Optional<Date>
}

/** Kinds of a change of owner (DOMAIN 1.0). */
export type OwnerChange =
  | 'create'
  | 'import'
  | 'claim'
  | 'unclaim'
  | 'assign'
  | 'transfer'
  | 'release'
  | 'recycle'
  | 'convert'
  | 'resign'

/** Owners, collaborators, views and stars of a record. */
export interface OwnershipTables {
  owner_record: {
    tenant_id: string
    id: string
    entity: 'customer' | 'lead' | 'bussiness'
    record_id: string
    from_user: Optional<string>
    to_user: Optional<string>
    from_pool: Optional<string>
    to_pool: Optional<string>
    kind: OwnerChange
    reason: Optional<string>
    operator_id: Optional<string>
    /** For a claim: the previous state of the record in its pool. */
    before: Optional<Json>
    at: Generated<Date>
  }
  collaborator: {
    tenant_id: string
    /** Or a module of a tenant's own, as rights name it: `m.ticket`. */
    entity: 'customer' | 'lead' | 'bussiness' | 'contract' | `m.${string}`
    record_id: string
    user_id: string
    level: Generated<'read' | 'write'>
    expire_at: Optional<Date>
    created_by: Optional<string>
    created_at: Generated<Date>
  }
  star: { tenant_id: string; user_id: string; entity: string; record_id: string; created_at: Generated<Date> }
  recent_view: {
    tenant_id: string
    user_id: string
    entity: string
    record_id: string
    viewed_at: Generated<Date>
  }
  document_counter: { tenant_id: string; kind: string; day: string; last_number: number }
}

declare module '../db/tables.ts' {
  interface Tables extends OwnershipTables {}
}
