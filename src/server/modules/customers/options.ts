import { sql } from 'kysely'
import type { OptionsQuery } from '../../kernel/calls/standard-routes.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { clearPhones, keywordCondition } from '../../kernel/lists/keyword-condition.ts'
import { lastMoved } from '../../kernel/lists/owned-list.ts'
import { isInScope, isVisible, isVisibleOwned, isWritable } from '../../kernel/visibility/predicate.ts'
import { withReach } from '../../kernel/visibility/reach.ts'

const PAGE = 20

/**
 * Rows of a picker, in pages: the matches of a keyword, most recently active first; or exactly the customers of `ids`. The filter `deal` gives only
 * customers that the caller may make a contract with; the customer for which another is picked (`without`) is not offered.
 */
export async function customerOptions(
  { keyword, ids, filter, without, cursor }: OptionsQuery,
  given: CallContext,
) {
  const { trx, caller } = await withReach(given)
  const works = sql<boolean>`(${isInScope(caller, 'customer', 'c')} or ${isWritable(caller, 'customer', 'c')})`
  const wanted =
    ids === null
      ? sql<boolean>`(c.owner_id is not null and ${keywordCondition('c', keyword.slice(0, 50), 'customer_no', clearPhones(caller, 'customer', 'c'))}
          and (${without}::text is null or c.id <> ${without}))`
      : sql<boolean>`c.id = any(${[...ids]}::text[])`
  const visible = ids === null ? isVisibleOwned(caller, 'customer', 'c') : isVisible(caller, 'customer', 'c')
  const place = (row: string) => sql`${lastMoved(row)}, ${sql.ref(`${row}.id`)}`
  const behind =
    cursor === null || ids !== null
      ? sql<boolean>`true`
      : sql<boolean>`(${place('c')}) < (select ${place('x')} from customer x
          where x.tenant_id = ${caller.tenantId} and x.id = ${cursor})`
  const { rows } = await sql<{ value: string; label: string; desc: string }>`
    select c.id as value, c.name as label, c.customer_no as desc from customer c
    where ${visible} and ${wanted} and ${behind} and ${filter === 'deal' ? works : sql<boolean>`true`}
    order by ${lastMoved('c')} desc, c.id desc limit ${ids?.length ?? PAGE + 1}`.execute(trx)
  const page = ids === null ? rows.slice(0, PAGE) : rows
  return {
    list: page.map((row) => ({ ...row, disabled: false })),
    nextCursor: rows.length > page.length ? (page.at(-1)?.value ?? null) : null,
  }
}
