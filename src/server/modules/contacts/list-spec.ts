import { sql } from 'kysely'
import { scopeOf } from '../../kernel/auth/caller.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { type Branches, isMirrored, type PartSorts, partBranches } from '../../kernel/lists/branches.ts'
import { filled, type SortBy } from '../../kernel/lists/keyset.ts'
import { clearPhones, keywordCondition } from '../../kernel/lists/keyword-condition.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { momentSort, ownerAndStar } from '../../kernel/lists/owned-list.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { wallTimeOf } from '../../kernel/time/zone.ts'
import { type MaskableRow, maskOf, poolMasks } from '../../kernel/visibility/masking.ts'
import { ownedParts, singlePart } from '../../kernel/visibility/owned-parts.ts'
import { isInScope, isLive, isOwn, isVisibleOwned, isWritable } from '../../kernel/visibility/predicate.ts'
import { shownContact } from '../customers/contacts.ts'
import { type ContactState, contactActions } from './actions.ts'

/** A row of the contact list, with the owner of its customer. */
export interface ContactRow extends MaskableRow, ContactState {}

const BY_NAME = filled('py', 'text')
const SORTS = ['py asc', 'created_at desc', 'last_follow_at desc']
/** The sorts that its indexes provide (migration 0290). */
const HELD: PartSorts = { owner: SORTS, dept: SORTS }

/** The list split into branches by owner, department and customer. A contact has a copy of its customer's owner. */
function contactBranches({ caller }: CallContext, tab: string, sorts: readonly SortBy[]): Branches | null {
  const from = sql`contact k`
  const visible =
    tab === 'mine'
      ? singlePart(caller, caller.userId, isOwn(caller, 'k'))
      : scopeOf(caller, 'customer') === 'all'
        ? singlePart(caller, null, sql<boolean>`(${isLive(caller, 'k')} and k.owner_id is not null)`)
        : null
  if (visible !== null)
    return isMirrored(sorts)
      ? partBranches([visible], 'k', from, sorts, HELD)
      : { each: [{ from, where: visible.where }], isOwn: visible.holder !== null }
  return partBranches(ownedParts(caller, 'customer', 'k', { id: 'customer_id' }), 'k', from, sorts, HELD)
}

/** Contacts of the customers a caller sees. The owner is that of the customer (DOMAIN 1.3, 1.15). Contacts of customers in a pool are in no tab. */
export const CONTACT_LIST: ListSpec = {
  entity: 'contact',
  row: 'k',
  table: sql`contact k`,
  from: (ctx) => sql`contact k left join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    ${ownerAndStar('contact', 'k', 'c', ctx)}`,
  columns: ({
    caller,
  }) => sql`k.id, k.name, k.customer_id, c.name as customer_name, c.owner_id, o.name as owner_name, k.mobile,
    k.telephone, k.wechat, k.email, k.department, k.position, k.role, k.is_key, k.is_primary, k.status, k.py_initial,
    k.last_follow_at, k.version, s.record_id is not null as starred, ${poolMasks('c')},
    ${isInScope(caller, 'customer', 'c')} as in_scope,
    ${isWritable(caller, 'customer', 'c', 'contact:edit')} as can_write`,
  visible: ({ caller }) => isVisibleOwned(caller, 'customer', 'k', 'customer_id'),
  scoped: true,
  branches: contactBranches,
  found: ({ caller }) => ({
    each: [{ from: sql`contact k`, where: isVisibleOwned(caller, 'customer', 'k', 'customer_id') }],
  }),
  filters: {
    owner_id: { kind: 'code', column: 'owner_id' },
    created_at: { kind: 'moment', column: 'created_at' },
    last_follow_at: { kind: 'moment', column: 'last_follow_at' },
  },
  sorts: {
    py: BY_NAME,
    created_at: momentSort('created_at', false),
    last_follow_at: momentSort('last_follow_at', true),
  },
  defaultSort: [{ by: BY_NAME, dir: 'asc' }],
  tabs: {
    all: { where: () => sql<boolean>`k.owner_id is not null` },
    mine: { where: ({ caller }) => sql<boolean>`k.owner_id = ${caller.userId}` },
    key: { where: () => sql<boolean>`(k.is_key and k.owner_id is not null)` },
    birthday: {
      where: (ctx) => sql<boolean>`(k.owner_id is not null and k.status = 'active'
        and k.birth_month = ${monthOf(ctx)})`,
    },
    recent: {
      where: () => sql<boolean>`(k.owner_id is not null
        and greatest(k.last_follow_at, '-infinity'::timestamptz) > '-infinity')`,
      sort: [{ by: momentSort('last_follow_at', true), dir: 'desc' }],
    },
  },
  defaultTab: 'all',
  keyword: (keyword, { caller }) =>
    keywordCondition('k', keyword, undefined, clearPhones(caller, 'contact', 'k')),
}

function monthOf({ now, zone }: CallContext): number {
  return new Date(wallTimeOf(now, zone)).getUTCMonth() + 1
}

/** The card of a contact. */
export function contactCard(row: ContactRow, { caller, zone }: CallContext): object {
  const { pool_masks: _masks, in_scope: _scope, can_write: _write, ...shown } = row
  return {
    ...wireRow(shownContact(shown, maskOf(caller, 'contact', row)), zone),
    actions: contactActions(caller, row),
  }
}
