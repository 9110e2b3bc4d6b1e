import { type RawBuilder, sql } from 'kysely'
import { during, isBy, type StatQuestion } from '../../kernel/lists/stat-rows.ts'
import { spansOf } from '../../kernel/time/period.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { effective } from '../../modules/contracts/find-contract.ts'

type Condition = RawBuilder<boolean>

// One rule for a figure and for the list it opens: both ask here which rows count.

/** Rows of a tenant that were not deleted. */
function isThere({ asking }: StatQuestion, row: string): Condition {
  return sql<boolean>`${sql.ref(`${row}.tenant_id`)} = ${asking.caller.tenantId} and ${sql.ref(`${row}.deleted_at`)} is null`
}

/** Opportunities in hand, as of now. */
export function isOpenNow(question: StatQuestion, row: string): Condition {
  return sql<boolean>`(${isThere(question, row)} and ${sql.ref(`${row}.status`)} = 1
    and ${isBy(question, 'bussiness', sql.ref(`${row}.owner_id`))})`
}

/** Opportunities won or lost in the span. */
export function isClosedIn(question: StatQuestion, row: string): Condition {
  return sql<boolean>`(${isThere(question, row)} and ${sql.ref(`${row}.status`)} in (2, 3)
    and ${during(question, sql.ref(`${row}.closed_at`))} and ${isBy(question, 'bussiness', sql.ref(`${row}.owner_id`))})`
}

/** Leads made in the span, by whoever has them or had them last. */
export function isOfCohort(question: StatQuestion, row: string): Condition {
  const owner = sql`coalesce(${sql.ref(`${row}.owner_id`)}, ${sql.ref(`${row}.prev_owner_id`)})`
  return sql<boolean>`(${isThere(question, row)} and ${during(question, sql.ref(`${row}.created_at`))}
    and ${isBy(question, 'lead', owner)})`
}

/** When the last payment of an opportunity's contract came, once that is paid in full. */
export function lastPaid(tenantId: string, bussinessId: RawBuilder<unknown>): RawBuilder<Date | null> {
  return sql`(select max(p.paid_at)::timestamptz from contract k join payment p on p.tenant_id = k.tenant_id
      and p.contract_id = k.id and p.approval_status = 2 and p.deleted_at is null
    where k.tenant_id = ${tenantId} and k.bussiness_id = ${bussinessId} and ${effective('k')}
      and k.received_amount >= k.amount)`
}

/** Months of the payment forecast, with this one. */
const FORECAST_MONTHS = 6

/** Plans of contracts in force that are still to be paid, late ones too. @param row  the plan, beside its contract `k` */
export function isAwaited(question: StatQuestion, row: string): Condition {
  const end = sql`${thisMonth(question)}::date + make_interval(months => ${FORECAST_MONTHS})`
  return sql<boolean>`(${isThere(question, row)} and ${sql.ref(`${row}.status`)} in ('unpaid', 'partial')
    and k.deleted_at is null and k.approval_status = 2 and k.replaced_by is null
    and ${sql.ref(`${row}.plan_date`)} < ${end} and ${isBy(question, 'contract', sql`k.owner_id`)})`
}

/** The month a plan is forecast in: `late`, or `yyyy-MM`. */
export function awaitedMonth(question: StatQuestion, row: string): RawBuilder<string> {
  const day = sql.ref(`${row}.plan_date`)
  return sql`case when ${day} < ${thisMonth(question)}::date then 'late' else to_char(${day}, 'YYYY-MM') end`
}

function thisMonth({ asking: { now, zone } }: StatQuestion): string {
  return dayText(spansOf('this_month', wallTimeOf(now, zone)).current.start)
}
