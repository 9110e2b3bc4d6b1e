import { sql } from 'kysely'
import type { LeadCard } from '../../../contract/lead.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { clearPhones, keywordCondition } from '../../kernel/lists/keyword-condition.ts'
import type { ListSpec, Tab } from '../../kernel/lists/list-spec.ts'
import {
  OWNED_FILTERS,
  OWNED_SORTS,
  ownedBranches,
  ownedFound,
  ownedTabs,
  ownerAndStar,
} from '../../kernel/lists/owned-list.ts'
import { remainingDays } from '../../kernel/pools/expiry.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { type MaskableRow, maskOf, maskRow, poolMasks } from '../../kernel/visibility/masking.ts'
import { isInScope, isVisibleOwned, isWritable } from '../../kernel/visibility/predicate.ts'
import { type LeadState, leadActions } from './actions.ts'

const status = (value: number): Tab => ({
  where: () => sql<boolean>`(l.owner_id is not null and l.status = ${value})`,
})

/** The list of leads that have an owner (DOMAIN 1.4, 1.15). */
export const LEAD_LIST: ListSpec = {
  entity: 'lead',
  row: 'l',
  table: sql`lead l`,
  from: (ctx) => sql`lead l ${ownerAndStar('lead', 'l', 'l', ctx)}`,
  columns: ({
    caller,
  }) => sql`l.id, l.name, l.company, l.contact_name, coalesce(l.mobile, l.telephone) as mobile, l.source, l.level,
    l.status, l.score, l.region, l.last_follow_at, l.last_follow_content, l.next_follow_at, l.expire_at, l.owner_id,
    o.name as owner_name, l.created_at, s.record_id is not null as starred, ${poolMasks('l')},
    ${isInScope(caller, 'lead', 'l')} as in_scope, ${isWritable(caller, 'lead', 'l')} as can_write`,
  visible: ({ caller }) => isVisibleOwned(caller, 'lead', 'l'),
  scoped: true,
  found: ownedFound('lead', 'l'),
  branches: ownedBranches('lead', 'l', ['pending', 'following', 'intended', 'converted', 'invalid'], {
    owner: ['level asc'],
    dept: [],
  }),
  filters: {
    ...OWNED_FILTERS,
    status: { kind: 'number', column: 'status' },
    customer_id: { kind: 'code', column: 'customer_id' },
  },
  sorts: OWNED_SORTS,
  defaultSort: [{ by: OWNED_SORTS.created_at, dir: 'desc' }],
  tabs: {
    ...ownedTabs('lead', 'l'),
    pending: status(10),
    following: status(20),
    intended: status(30),
    converted: status(40),
    invalid: status(50),
  },
  defaultTab: 'all',
  keyword: (keyword, { caller }) =>
    sql<boolean>`(${keywordCondition('l', keyword, undefined, clearPhones(caller, 'lead', 'l'))}
      or (${isClear(caller, 'lead', 'contact_name')} and l.owner_id is not null and l.contact_name = ${keyword}))`,
}

/** A row of the lead list, as queried. */
export interface LeadRow extends LeadState, MaskableRow {
  readonly owner_id: string | null
  readonly name: string
  readonly next_follow_at: Date | null
  readonly expire_at: Date | null
}

/** Columns that only decide what is shown of the others. */
const UNSHOWN: ReadonlySet<string> = new Set(['in_scope', 'can_write', 'pool_masks', 'expire_at'])

/** The card of a lead (DOMAIN 1.15). */
export function leadCard(row: LeadRow, { caller, now, zone }: CallContext): LeadCard {
  const shown = wireRow(maskRow(row, maskOf(caller, 'lead', row)), zone, UNSHOWN)
  return Object.assign(shown as unknown as LeadCard, {
    overdue: row.next_follow_at !== null && row.next_follow_at < now,
    left_days: remainingDays(row.expire_at, now),
    actions: leadActions(caller, row) as LeadCard['actions'],
  })
}
