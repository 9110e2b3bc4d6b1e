import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { checkDescribed } from '../../kernel/records/described.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** Maximum depth of the category tree (DOMAIN 1.9). */
const MAX_DEPTH = 3

/** A category with its subcategories; `count` includes the products of all of them. */
export interface CategoryNode {
  readonly value: string
  readonly label: string
  readonly disable: boolean
  readonly count: number
  readonly children: readonly CategoryNode[]
}

interface Item {
  readonly value: string
  readonly label: string
  readonly parent: string
  readonly disabled: boolean
  readonly count: number
}

/** The tree of product categories: the dictionary `product_category` (DOMAIN 4). */
export async function categoryTree(ctx: CallContext): Promise<readonly CategoryNode[]> {
  const items = await itemsOf(ctx)
  const below = (parent: string, depth: number): readonly CategoryNode[] =>
    depth > MAX_DEPTH
      ? []
      : items
          .filter((item) => item.parent === parent)
          .map(({ value, label, disabled, count }) => ({
            value,
            label,
            disable: disabled,
            count,
            children: below(value, depth + 1),
          }))
  return below('', 1)
}

/** Values of the first level, which are the quick tabs of the product list. */
export async function firstCategories({ trx, caller }: CallContext): Promise<readonly string[]> {
  const { rows } = await sql<{ value: string }>`select value from dict_item
    where tenant_id = ${caller.tenantId} and type_key = 'product_category' and parent = ''
    order by sort, value`.execute(trx)
  return rows.map((row) => row.value)
}

/** The path of a category from the root down. */
export async function categoryPath(value: string, { trx, caller }: CallContext): Promise<readonly string[]> {
  const { rows } = await sql<{ value: string }>`
    with recursive up as (
      select value, parent, 0 as depth from dict_item
        where tenant_id = ${caller.tenantId} and type_key = 'product_category' and value = ${value}
      union all
      select d.value, d.parent, up.depth + 1 from dict_item d join up on d.value = up.parent
        where d.tenant_id = ${caller.tenantId} and d.type_key = 'product_category' and up.depth < ${MAX_DEPTH}
    ) select value from up order by depth desc`.execute(trx)
  return rows.map((row) => row.value)
}

const CATEGORY: readonly Field[] = [
  { name: 'label', kind: 'text', max: 40, label: text('product.category.label'), required: true },
  { name: 'parent', kind: 'ref', label: text('product.category.parent') },
  { name: 'sort', kind: 'number', min: 0, max: 1_000_000, label: text('product.field.sort') },
  { name: 'disabled', kind: 'flag', label: text('product.category.disabled') },
]

/**
 * Creates a category, or with `value` renames, sorts or closes one. Its parent cannot change.
 * @throws Refusal 400 for a fourth level or an unknown parent, 409 DUPLICATE for a name that a sibling has (DOMAIN 1.16)
 */
export async function saveCategory(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { value: given, ...rest } = body
  const isNew = given === undefined || given === null || given === ''
  const { values, faults } = await checkDescribed(rest, CATEGORY, ctx, isNew ? null : {})
  refuseFaults(faults)
  const { trx, caller, now } = ctx
  await lockCategories(ctx)
  const items = await itemsOf(ctx)
  const stored = items.find((item) => item.value === given)
  if (!isNew && stored === undefined) refuse(404, 'NOT_FOUND', text('call.not-found'))
  const parent = stored?.parent ?? String(values.parent ?? '')
  if (!isNew && values.parent != null && values.parent !== parent)
    refuseFaults({ parent: text('product.category.moved') })
  if (parent !== '' && !items.some((item) => item.value === parent))
    refuseFaults({ parent: text('record.not-offered', { label: text('product.category.parent') }) })
  if (isNew && parent !== '' && (await categoryPath(parent, ctx)).length >= MAX_DEPTH)
    refuseFaults({ parent: text('product.category.depth', { most: MAX_DEPTH }) })
  const label = String(values.label ?? stored?.label)
  if (items.some((item) => item.parent === parent && item.label === label && item.value !== given))
    refuse(409, 'DUPLICATE', text('product.category.duplicate'), {
      fields: { label: text('product.category.duplicate') },
    })
  const value = stored?.value ?? newId(now.getTime())
  await sql`insert into dict_item (tenant_id, type_key, value, label, parent, sort, disabled)
    values (${caller.tenantId}, 'product_category', ${value}, ${label}, ${parent}, ${values.sort ?? items.length},
      ${values.disabled === true})
    on conflict (tenant_id, type_key, value) do update set label = excluded.label,
      sort = coalesce(${values.sort ?? null}::int, dict_item.sort),
      disabled = coalesce(${values.disabled ?? null}::boolean, dict_item.disabled)`.execute(trx)
  return { data: { value, label, parent }, recordId: value, detail: rest }
}

/** Removes a category. 422 REFERENCED while it has subcategories or products, including deleted ones. */
export async function removeCategory(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const value = String(body.value ?? '')
  const { trx, caller } = ctx
  await lockCategories(ctx)
  const items = await itemsOf(ctx)
  if (!items.some((item) => item.value === value)) refuse(404, 'NOT_FOUND', text('call.not-found'))
  const { rows } = await sql`select 1 from product where tenant_id = ${caller.tenantId}
    and category_path @> array[${value}]::text[] limit 1`.execute(trx)
  if (rows.length > 0 || items.some((item) => item.parent === value))
    refuse(422, 'REFERENCED', text('product.category.used'))
  await sql`delete from dict_item where tenant_id = ${caller.tenantId} and type_key = 'product_category'
    and value = ${value}`.execute(trx)
  return { data: { value }, recordId: value }
}

/** Locks the category tree: its changes and products added to it run one after another. */
export async function lockCategories({ trx, caller }: CallContext): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`category/${caller.tenantId}`}, 0))`.execute(trx)
}

async function itemsOf({ trx, caller }: CallContext): Promise<readonly Item[]> {
  const { rows } =
    await sql<Item>`select d.value, d.label, d.parent, d.disabled, (select count(*) from product p
      where p.tenant_id = d.tenant_id and p.category_path @> array[d.value] and p.deleted_at is null) as count
    from dict_item d where d.tenant_id = ${caller.tenantId} and d.type_key = 'product_category'
    order by d.sort, d.value`.execute(trx)
  return rows
}
