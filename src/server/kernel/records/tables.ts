import type { Generated } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { PoolName } from '../context/entities.ts'
import type { Optional } from '../db/tables.ts'

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
    entity: PoolName
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
    entity: PoolName | 'contract'
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
