import { sql } from 'kysely'
import type { Asking } from '../records/asking.ts'
import { clearPhones, keywordCondition } from '../search/keyword-condition.ts'
import { isInScope, isVisible, isVisibleOwned, isWritable } from '../visibility/predicate.ts'
import { withReach } from '../visibility/reach.ts'

const MOST = 20

/**
 * Rows of a picker: the best matches of a keyword, or exactly the customers of `ids`.
 * @param filter  `deal`: only those the caller may make a contract with
 */
export async function customerOptions(
  keyword: string,
  ids: readonly string[] | null,
  filter: string | null,
  given: Asking,
) {
  const { trx, caller } = await withReach(given)
  const works = sql<boolean>`(${isInScope(caller, 'customer', 'c')} or ${isWritable(caller, 'customer', 'c')})`
  const wanted =
    ids === null
      ? sql<boolean>`(c.owner_id is not null and ${keywordCondition('c', keyword.slice(0, 50), 'customer_no', clearPhones(caller, 'customer', 'c'))})`
      : sql<boolean>`c.id = any(${[...ids]}::text[])`
  const visible = ids === null ? isVisibleOwned(caller, 'customer', 'c') : isVisible(caller, 'customer', 'c')
  const { rows } = await sql<{ value: string; label: string; desc: string }>`
    select c.id as value, c.name as label, c.customer_no as desc from customer c
    where ${visible} and ${wanted} and ${filter === 'deal' ? works : sql<boolean>`true`}
    order by greatest(c.last_follow_at, '-infinity'::timestamptz) desc, c.id desc limit ${MOST}`.execute(trx)
  return { list: rows.map((row) => ({ ...row, disabled: false })) }
}
