import { type RawBuilder, sql } from 'kysely'
import { during, isBy, type StatQuestion } from '../../kernel/lists/stat-rows.ts'
import { spansOf } from '../../kernel/time/period.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { effective } from '../../modules/contracts/find-contract.ts'

type Condition = RawBuilder<boolean>

// One rule for a figure and for the list it opens: both use these conditions.

/** Rows of a tenant that were not deleted. */
function isThere({ ctx }: StatQuestion, row: string): Condition {
  return sql<boolean>`${sql.ref(`${row}.tenant_id`)} = ${ctx.caller.tenantId} and ${sql.ref(`${row}.deleted_at`)} is null`
}

/** Currently open opportunities. */
export function isOpenNow(question: StatQuestion, row: string): Condition {
  return sql<boolean>`(${isThere(question, row)} and ${sql.ref(`${row}.status`)} = 1
    and ${isBy(question, 'bussiness', sql.ref(`${row}.owner_id`))})`
}

/** Opportunities won or lost in the period. */
export function isClosedIn(question: StatQuestion, row: string): Condition {
  return sql<boolean>`(${isThere(question, row)} and ${sql.ref(`${row}.status`)} in (2, 3)
    and ${during(question, sql.ref(`${row}.closed_at`))} and ${isBy(question, 'bussiness', sql.ref(`${row}.owner_id`))})`
}

/** Leads created in the period, by their current or last owner. */
export function isOfCohort(question: StatQuestion, row: string): Condition {
  const owner = sql`coalesce(${sql.ref(`${row}.owner_id`)}, ${sql.ref(`${row}.prev_owner_id`)})`
  return sql<boolean>`(${isThere(question, row)} and ${during(question, sql.ref(`${row}.created_at`))}
    and ${isBy(question, 'lead', owner)})`
}

/** The time of the last payment of an opportunity's contract, once it is paid in full. */
export function lastPaid(tenantId: string, bussinessId: RawBuilder<unknown>): RawBuilder<Date | null> {
  return sql`(select max(p.paid_at)::timestamptz from contract k join payment p on p.tenant_id = k.tenant_id
      and p.contract_id = k.id and p.approval_status = 2 and p.deleted_at is null
    where k.tenant_id = ${tenantId} and k.bussiness_id = ${bussinessId} and ${effective('k')}
      and k.received_amount >= k.amount)`
}

/** Months of the payment forecast, including this one. */
const FORECAST_MONTHS = 6

/** Unpaid plans of effective contracts, including late ones. @param row  the plan, joined with its contract `k` */
export function isAwaited(question: StatQuestion, row: string): Condition {
  const end = sql`${thisMonth(question)}::date + make_interval(months => ${FORECAST_MONTHS})`
  return sql<boolean>`(${isThere(question, row)} and ${sql.ref(`${row}.status`)} in ('unpaid', 'partial')
    and k.deleted_at is null and k.approval_status = 2 and k.replaced_by is null
    and ${sql.ref(`${row}.plan_date`)} < ${end} and ${isBy(question, 'contract', sql`k.owner_id`)})`
}

/** The forecast month of a plan: `late`, or `yyyy-MM`. */
export function awaitedMonth(question: StatQuestion, row: string): RawBuilder<string> {
  const day = sql.ref(`${row}.plan_date`)
  return sql`case when ${day} < ${thisMonth(question)}::date then 'late' else to_char(${day}, 'YYYY-MM') end`
}

function thisMonth({ ctx: { now, zone } }: StatQuestion): string {
  return dayText(spansOf('this_month', wallTimeOf(now, zone)).current.start)
}
