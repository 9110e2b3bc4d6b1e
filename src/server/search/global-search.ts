import { sql } from 'kysely'
import { escapeLike } from '../lists/filter-sql.ts'
import type { Asking } from '../records/asking.ts'
import { text } from '../text.ts'
import { isMasked, masked } from '../visibility/masking.ts'
import { isVisible } from '../visibility/predicate.ts'
import { foldText } from './fold-text.ts'
import { keywordCondition } from './keyword-condition.ts'
import { normaliseName } from './normalise-name.ts'

/** One kind of record that a keyword found. */
export interface SearchGroup {
  readonly type: 'customer' | 'contact'
  readonly title: string
  readonly total: number | '999+'
  readonly list: readonly SearchHit[]
}
export interface SearchHit {
  readonly id: string
  readonly title: string
  readonly sub: string
  readonly highlight: string
  readonly route: string
}

const COUNT_MOST = 999

interface Row {
  id: string
  title: string
  sub: string | null
  mobile: string | null
  owner_id: string | null
  customer_id: string
  total: number
}

/** Customers and contacts by name, pinyin, initials, phone fragment or number; exact and beginning matches first (CRM 8.4). */
export async function globalSearch(
  keyword: string,
  limit: number,
  asking: Asking,
): Promise<readonly SearchGroup[]> {
  if (foldText(keyword) === '') return []
  const groups = [
    await searchCustomers(keyword, limit, asking),
    ...(asking.caller.permissions.has('contact:view') ? [await searchContacts(keyword, limit, asking)] : []),
  ]
  return groups.filter((group) => group.list.length > 0)
}

async function searchCustomers(keyword: string, limit: number, asking: Asking): Promise<SearchGroup> {
  const { trx, caller } = asking
  const { rows } = await sql<Row>`with found as (
      select c.* from customer c where ${isVisible(caller, 'customer', 'c')}
        and ${keywordCondition('c', keyword, 'customer_no')} limit ${COUNT_MOST + 1})
    select c.id, c.id as customer_id, c.name as title, c.customer_no as sub, coalesce(c.mobile, c.telephone) as mobile, c.owner_id,
      (select count(*) from found) as total
    from found c left join star s on s.tenant_id = c.tenant_id and s.user_id = ${caller.userId}
      and s.entity = 'customer' and s.record_id = c.id
    left join recent_view v on v.tenant_id = c.tenant_id and v.user_id = ${caller.userId}
      and v.entity = 'customer' and v.record_id = c.id
    order by ${closeness(keyword)}, s.record_id is null, v.viewed_at desc nulls last, c.py, c.id limit ${limit}`.execute(
    trx,
  )
  return groupOf('customer', keyword, rows, asking)
}

async function searchContacts(keyword: string, limit: number, asking: Asking): Promise<SearchGroup> {
  const { trx, caller } = asking
  const { rows } = await sql<Row>`with found as (
      select k.*, c.name as customer_name, c.owner_id from contact k
      join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
      where k.tenant_id = ${caller.tenantId} and k.deleted_at is null and ${isVisible(caller, 'customer', 'c')}
        and ${keywordCondition('k', keyword)} limit ${COUNT_MOST + 1})
    select id, customer_id, name as title, customer_name as sub, coalesce(mobile, telephone) as mobile, owner_id,
      (select count(*) from found) as total
    from found order by is_key desc, py, id limit ${limit}`.execute(trx)
  return groupOf('contact', keyword, rows, asking)
}

/** 0 for the exact phone or number, then names that begin so, then initials, then pieces. */
function closeness(keyword: string) {
  const folded = foldText(keyword)
  const digits = keyword.replace(/[\s+-]/g, '')
  const like = (value: string) => `${escapeLike(value)}%`
  return sql`case when c.customer_no = ${folded} or ${digits} = any(c.mobile_norm) then 0
    when c.name_norm like ${like(normaliseName(keyword))} or c.search_text like ${like(folded)} then 1
    when c.py_initial like ${like(folded.toLowerCase())} or c.py like ${like(folded.toLowerCase())} then 2 else 3 end`
}

function groupOf(
  type: SearchGroup['type'],
  keyword: string,
  rows: readonly Row[],
  { caller }: Asking,
): SearchGroup {
  const total = rows[0]?.total ?? 0
  return {
    type,
    title: text(`search.${type}`),
    total: total > COUNT_MOST ? '999+' : total,
    list: rows.map((row) => {
      const { mobile } = isMasked(caller, row) ? masked({ mobile: row.mobile }) : row
      return {
        id: row.id,
        title: row.title,
        sub: [row.sub, mobile].filter(Boolean).join(' · '),
        highlight: keyword,
        route: `/pages/customer/my/detail?id=${row.customer_id}`,
      }
    }),
  }
}
