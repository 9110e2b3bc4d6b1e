import { sql } from 'kysely'
import type { ListSpec } from '../lists/run-list.ts'
import type { Asking } from '../records/asking.ts'
import { wireRow } from '../records/wire.ts'
import { keywordCondition } from '../search/keyword-condition.ts'
import { isMasked, masked } from '../visibility/masking.ts'
import { isVisible } from '../visibility/predicate.ts'

/** A row of the contact list, with the owner of its customer. */
export interface ContactRow {
  readonly owner_id: string | null
}

/** Contacts of the customers a caller sees; ownership follows the customer (CRM 1.3, 1.15). */
export const CONTACT_LIST: ListSpec = {
  entity: 'contact',
  row: 'k',
  from: () => sql`contact k join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id`,
  columns:
    () => sql`k.id, k.name, k.customer_id, c.name as customer_name, c.owner_id, k.mobile, k.telephone, k.wechat,
    k.email, k.gender, k.department, k.position, k.role, k.is_key, k.is_primary, k.attitude, k.status, k.py_initial,
    k.last_follow_at, k.version`,
  visible: ({ caller }) => sql<boolean>`(k.tenant_id = ${caller.tenantId} and k.deleted_at is null
    and ${isVisible(caller, 'customer', 'c')})`,
  filters: {
    customer_id: { kind: 'code', column: 'customer_id' },
    name: { kind: 'text', column: 'name' },
    role: { kind: 'code', column: 'role' },
    status: { kind: 'code', column: 'status' },
    is_key: { kind: 'flag', column: 'is_key' },
    birthday: { kind: 'day', column: 'birthday' },
    created_at: { kind: 'moment', column: 'created_at' },
  },
  sorts: {
    py: { column: 'py', type: 'text', nullable: false },
    created_at: { column: 'created_at', type: 'timestamptz', nullable: false },
    last_follow_at: { column: 'last_follow_at', type: 'timestamptz', nullable: true },
  },
  defaultSort: [{ by: { column: 'py', type: 'text', nullable: false }, dir: 'asc' }],
  tabs: {
    all: { where: () => sql<boolean>`true` },
    mine: { where: ({ caller }) => sql<boolean>`c.owner_id = ${caller.userId}` },
    key: { where: () => sql<boolean>`k.is_key` },
  },
  defaultTab: 'all',
  keyword: (keyword) => keywordCondition('k', keyword),
}

/** The card of a contact. */
export function contactCard(row: ContactRow, { caller, zone }: Asking): object {
  return wireRow(isMasked(caller, row) ? masked(row) : row, zone)
}
