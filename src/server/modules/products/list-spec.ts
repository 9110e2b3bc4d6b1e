import { type RawBuilder, sql } from 'kysely'
import type { ProductCard } from '../../../contract/product.ts'
import type { OptionsQuery } from '../../kernel/calls/standard-routes.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import type { FilterFields } from '../../kernel/lists/filter-sql.ts'
import { filled } from '../../kernel/lists/keyset.ts'
import { beginsWith, keywordCondition } from '../../kernel/lists/keyword-condition.ts'
import type { ReadyListRequest } from '../../kernel/lists/list-request.ts'
import type { ListSpec, Tab } from '../../kernel/lists/list-spec.ts'
import { dayText, startOfDay, wallTimeOf } from '../../kernel/time/zone.ts'
import { maskRow, rightsMask } from '../../kernel/visibility/masking.ts'
import { firstCategories } from './categories.ts'
import { productActions } from './product.ts'

const FILTERS: FilterFields = {
  category_id: { kind: 'codes', column: 'category_path' },
  status: { kind: 'number', column: 'status' },
  created_at: { kind: 'moment', column: 'created_at' },
}

const SORTS = {
  sort: filled('sort', 'numeric'),
  price: filled('price', 'numeric'),
  sold_90d: filled('sold_90d', 'numeric'),
  py: filled('py', 'text'),
  created_at: filled('created_at', 'timestamptz'),
}

const SOLD_DAYS = 90
const on = sql<boolean>`p.status = 1`

/** The list of products (DOMAIN 1.9, 1.15): a tab per first-level category, and one for products off sale. */
export async function productList(request: ReadyListRequest, ctx: CallContext): Promise<ListSpec> {
  const categories = await firstCategories(ctx)
  const mayOff = ctx.caller.permissions.has('product:status')
  const tabs: Record<string, Tab> = { all: { where: () => on } }
  for (const category of categories)
    tabs[category] = { where: () => sql<boolean>`(${on} and p.category_path @> array[${category}]::text[])` }
  if (mayOff) tabs.off = { where: () => sql<boolean>`p.status = 0` }
  const isSold = request.sort.some((it) => it.field === 'sold_90d')
  const list = describedList(PRODUCT_LIST, ctx)
  return isSold
    ? { ...list, tabs, from: withSales, columns: () => columnsOf(sql`p.sold_90d`) }
    : { ...list, tabs }
}

const columnsOf = (
  sold: RawBuilder<unknown>,
) => sql`p.id, p.name, p.product_no, p.category_id, p.category_path,
  p.unit, p.price, p.min_price, p.spec, p.images, p.status, p.sort, ${sold}`

/** The part of its list spec that does not depend on the caller. */
export const PRODUCT_LIST: ListSpec = {
  entity: 'product',
  row: 'p',
  from: () => sql`product p`,
  columns: () => columnsOf(sql`null::numeric as sold_90d`),
  visible: ({ caller }) => sql<boolean>`(p.tenant_id = ${caller.tenantId} and p.deleted_at is null)`,
  filters: FILTERS,
  sorts: SORTS,
  defaultSort: [{ by: SORTS.sort, dir: 'asc' }],
  tabs: { all: { where: () => on } },
  defaultTab: 'all',
  keyword: isFound,
}

function isFound(keyword: string) {
  return sql<boolean>`(${keywordCondition('p', keyword)} or ${beginsWith(sql`p.product_no`, keyword)})`
}

/** Products with the quantity sold in contracts in effect that were signed in the last 90 days. */
function withSales({ caller, now, zone }: CallContext) {
  const since = dayText(startOfDay(wallTimeOf(now, zone), 1 - SOLD_DAYS))
  return sql`(select x.*, coalesce(s.quantity, 0) as sold_90d from product x left join (
      select l.product_id, sum(l.quantity) as quantity from contract k
        cross join lateral jsonb_to_recordset(k.lines) as l(product_id text, quantity numeric)
      where k.tenant_id = ${caller.tenantId} and k.approval_status = 2 and k.replaced_by is null
        and k.deleted_at is null and k.sign_date >= ${since}::date
      group by l.product_id) s on s.product_id = x.id
    where x.tenant_id = ${caller.tenantId}) p`
}

/** A row of the product list, as queried. */
export interface ProductRow extends Omit<ProductCard, 'thumbnail' | 'actions'> {
  readonly images: readonly { readonly url: string }[]
}

/** The card of a product. */
export function productCard(row: ProductRow, { caller }: CallContext): ProductCard {
  const { images = [], ...shown } = maskRow(row, rightsMask(caller, 'product'))
  return { ...shown, thumbnail: images[0]?.url ?? null, actions: productActions(caller, row) }
}

const MAX_OPTIONS = 20

/** Rows of a picker: products on sale; `ids` also finds the others. */
export async function productOptions({ keyword, ids }: OptionsQuery, { trx, caller }: CallContext) {
  const wanted =
    ids === null
      ? sql<boolean>`(${on} and ${isFound(keyword)})`
      : sql<boolean>`p.id = any(${[...ids]}::text[])`
  const { rows } = await sql<{ status: number; [name: string]: unknown }>`
    select p.id as value, p.name as label, p.product_no as desc, p.price, p.unit, p.min_price, p.tax_rate, p.status
    from product p where p.tenant_id = ${caller.tenantId} and p.deleted_at is null and ${wanted}
    order by p.sort, p.id limit ${ids === null ? MAX_OPTIONS : ids.length}`.execute(trx)
  const mask = rightsMask(caller, 'product')
  return {
    list: rows.map(({ status, ...row }) => ({
      ...maskRow(row, mask),
      disabled: status === 0,
      line: lineOf(row),
    })),
  }
}

/** A product as a new line of a contract or opportunity: quantity 1 at its list price (DOMAIN 1.9.1). */
function lineOf({ value, label, unit, price }: Readonly<Record<string, unknown>>) {
  return {
    product_id: value,
    product_name: label,
    unit,
    list_price: price,
    price,
    discount: 100,
    quantity: 1,
  }
}
