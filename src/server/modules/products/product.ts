import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { ProductAction } from '../../../contract/product.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { wireExt } from '../../kernel/fields/ext-fields.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { maskRow, rightsMask } from '../../kernel/visibility/masking.ts'

/** A product as stored in the database. */
export interface StoredProduct {
  readonly id: string
  readonly name: string
  readonly product_no: string
  readonly category_id: string
  readonly unit: string
  readonly price: number
  readonly min_price: number | null
  readonly status: number
  readonly version: number
  readonly [column: string]: unknown
}

/** A product of the tenant. Whoever may see products sees all of them. 404 if it does not exist. */
export async function findProduct(id: string, ctx: CallContext, lock = false): Promise<StoredProduct> {
  const { trx, caller } = ctx
  const { rows } = await sql<StoredProduct>`select p.* from product p
    where p.tenant_id = ${caller.tenantId} and p.id = ${id} and p.deleted_at is null
    ${lock ? sql`for update` : sql``}`.execute(trx)
  return rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}

const INTERNAL = new Set([
  'tenant_id',
  'name_norm',
  'search_text',
  'search_tokens',
  'py',
  'py_initial',
  'deleted_at',
])

/** A product as the API returns it, as far as the caller's roles show it. */
export function productRecord(found: StoredProduct, ctx: CallContext): JsonObject {
  const { caller, zone } = ctx
  const shown = Object.fromEntries(Object.entries(found).filter(([name]) => !INTERNAL.has(name)))
  return {
    ...maskRow(wireRow(shown, zone), rightsMask(caller, 'product')),
    ...wireExt('product', found.ext, ctx),
  }
}

/** Buttons of a product (DOMAIN 1.9). */
export function productActions(caller: Caller, { status }: { readonly status: number }): ProductAction[] {
  const may = (action: string) => caller.permissions.has(`product:${action}`)
  return [
    ...(may('edit') ? (['edit'] as const) : []),
    ...(may('status') ? ([status === 1 ? 'off_shelf' : 'on_shelf'] as const) : []),
    ...(may('del') ? (['delete'] as const) : []),
  ]
}

/** GET /mini/product/detail. */
export async function productDetail(id: string, ctx: CallContext): Promise<JsonObject> {
  const { trx, caller } = ctx
  const found = await findProduct(id, ctx)
  const { rows } = await sql<{ category_name: string | null; created_by_name: string | null }>`select
    (select string_agg(d.label, ' / ' order by array_position(${found.category_path}::text[], d.value)) from dict_item d
      where d.tenant_id = ${caller.tenantId} and d.type_key = 'product_category'
        and d.value = any(${found.category_path}::text[])) as category_name,
    (select m.name from membership m where m.tenant_id = ${caller.tenantId} and m.user_id = ${found.created_by})
      as created_by_name`.execute(trx)
  const mask = rightsMask(caller, 'product')
  const words = maskRow({ category_name: rows[0]?.category_name ?? null }, mask)
  const labels = { ...words, created_by_name: rows[0]?.created_by_name ?? null }
  return {
    record: { ...productRecord(found, ctx), ...labels },
    labels,
    related: {},
    actions: productActions(caller, found),
    mask: [...mask.masked],
  }
}
