import { sql } from 'kysely'
import type { ActivityCard, ActivityStatus } from '../../../contract/activity.ts'
import type { OptionsQuery } from '../../kernel/calls/standard-routes.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { filled } from '../../kernel/lists/keyset.ts'
import { keywordCondition } from '../../kernel/lists/keyword-condition.ts'
import type { ListSpec, Tab } from '../../kernel/lists/list-spec.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { maskRow, rightsMask } from '../../kernel/visibility/masking.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'
import { activityActions, statusAt } from './activity.ts'

const SORTS = { start_at: filled('start_at', 'timestamptz'), created_at: filled('created_at', 'timestamptz') }

const inStatus = (status: ActivityStatus): Tab => ({ where: () => sql<boolean>`a.status = ${status}` })

/** The list of activities (DOMAIN 1.8, 1.15). */
export const ACTIVITY_LIST: ListSpec = {
  entity: 'activity',
  row: 'a',
  from: ({ caller, now }) => sql`(select x.*, ${statusAt('x', now)} as status from activity x
      where x.tenant_id = ${caller.tenantId}) a
    left join membership o on o.tenant_id = a.tenant_id and o.user_id = a.owner_id`,
  columns: ({
    caller,
  }) => sql`a.id, a.name, a.activity_no, a.type, a.start_at, a.end_at, a.place, a.cover, a.status,
    a.owner_id, o.name as owner_name,
    (select count(*) from lead l where l.activity_id = a.id and ${isVisible(caller, 'lead', 'l')}) as lead_count,
    (select count(*) from activity_member m where m.tenant_id = a.tenant_id and m.activity_id = a.id) as member_count`,
  visible: ({ caller }) => sql<boolean>`(a.tenant_id = ${caller.tenantId} and a.deleted_at is null)`,
  scoped: true,
  filters: { owner_id: { kind: 'code', column: 'owner_id' } },
  sorts: SORTS,
  defaultSort: [{ by: SORTS.start_at, dir: 'desc' }],
  tabs: {
    all: { where: () => sql<boolean>`true` },
    running: inStatus('running'),
    pending: inStatus('pending'),
    ended: inStatus('ended'),
    joined: {
      where: ({ caller }) =>
        sql<boolean>`(a.owner_id = ${caller.userId} or ${caller.userId} = any(a.member_ids))`,
    },
  },
  defaultTab: 'all',
  keyword: (keyword) => keywordCondition('a', keyword, 'activity_no'),
}

/** A row of the activity list, as queried. */
export interface ActivityRow extends Omit<ActivityCard, 'cover' | 'actions'> {
  readonly cover: readonly { readonly url: string }[]
}

/** The card of an activity. */
export function activityCard({ cover, ...row }: ActivityRow, { caller, zone }: CallContext): ActivityCard {
  const mask = rightsMask(caller, 'activity')
  const { cover: pictures = [], ...shown } = maskRow({ ...row, cover }, mask) as ActivityRow
  return {
    ...(wireRow(shown, zone) as unknown as ActivityCard),
    cover: pictures[0]?.url ?? null,
    actions: activityActions(caller, row.status),
  }
}

const MAX_OPTIONS = 20

/** Rows of a picker: activities that are not cancelled, the latest first. */
export async function activityOptions({ keyword, ids }: OptionsQuery, ctx: CallContext) {
  const { trx, caller } = ctx
  const wanted =
    ids === null
      ? sql<boolean>`(a.cancelled_at is null and ${keywordCondition('a', keyword, 'activity_no')})`
      : sql<boolean>`a.id = any(${[...ids]}::text[])`
  const { rows } = await sql<{
    cancelled: boolean
  }>`select a.id as value, a.name as label, a.activity_no as desc,
      a.cancelled_at is not null as cancelled
    from activity a where a.tenant_id = ${caller.tenantId} and a.deleted_at is null and ${wanted}
    order by a.start_at desc, a.id desc limit ${ids === null ? MAX_OPTIONS : ids.length}`.execute(trx)
  return { list: rows.map(({ cancelled, ...row }) => ({ ...row, disabled: cancelled })) }
}
