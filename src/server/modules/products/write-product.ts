import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { changeOf, type Faults, isConfirmed } from '../../kernel/fields/check-record.ts'
import { type InputValues, refuseFaults } from '../../kernel/fields/input.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import { type CheckedWrite, changedNames, checkWrite } from '../../kernel/records/checked-write.ts'
import { numberFor, refuseTaken, refuseTakenNumber } from '../../kernel/records/chosen-number.ts'
import { describedColumns, labelOfField, writtenFields } from '../../kernel/records/described.ts'
import { oldestMark } from '../../kernel/records/recycle-bin.ts'
import { pick, wireRow } from '../../kernel/records/wire.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { insertRow, updateRow } from '../../kernel/records/write-row.ts'
import { refuseStale, writtenRecord } from '../../kernel/records/written-record.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { searchColumns } from '../../kernel/words/search-columns.ts'
import { categoryPath, lockCategories } from './categories.ts'
import { findProduct, productRecord, type StoredProduct } from './product.ts'

/**
 * Creates a product, on sale (DOMAIN 1.9).
 * @param body  fields of DOMAIN 1.9; `confirm: ["DUPLICATE_NAME"]` accepts a name its category already has
 * @throws Refusal 400 with field messages, 409 DUPLICATE
 */
export async function createProduct(
  body: JsonObject,
  ctx: CallContext,
  form: FormCheck,
): Promise<WriteResult<Json>> {
  const { confirm, ...given } = body
  const options = { form, posted: body }
  const { values, faults, own, formFaults } = await checkWrite('product', null, given, ctx, options)
  refuseFaults({ ...formFaults, ...floorFaults(values, null), ...faults })
  await lockCategories(ctx)
  const warned = await warnSameName(values, null, confirm, ctx)
  const id = newId(ctx.now.getTime())
  const product_no = await numberFor('product', values.product_no, ctx)
  const stored = await insertRow(
    'product',
    {
      ...describedColumns(filled(values), writtenFields('product', ctx)),
      ...own,
      product_no,
      id,
      ...(await derived(values, product_no, ctx)),
    },
    ctx,
  )
  if (!stored) refuseTakenNumber('product')
  return answerOf(id, ctx, given, warned)
}

/** Changes a product; lines of contracts keep their values. @throws Refusal 404, 409 VERSION_CONFLICT or DUPLICATE */
export async function updateProduct(
  body: JsonObject,
  ctx: CallContext,
  form: FormCheck,
): Promise<WriteResult<Json>> {
  const { confirm, ...rest } = body
  const { id, version, given } = changeOf(rest)
  await lockCategories(ctx)
  const found = await findProduct(id, ctx, true)
  if (found.version !== version) refuseStale(productRecord(found, ctx))
  const written = await checkChange(found, given, ctx, form)
  const warned = await warnSameName({ ...pickNames(found), ...written.changed }, id, confirm, ctx)
  const before = await applyProduct(found, written, ctx)
  return answerOf(
    id,
    ctx,
    { before, after: pick(wireRow(await findProduct(id, ctx), ctx.zone), Object.keys(before)) },
    warned,
  )
}

/** Changes some fields of a locked product, without the rules of the form page. */
export async function patchProduct(found: StoredProduct, given: JsonObject, ctx: CallContext): Promise<void> {
  await applyProduct(found, await checkChange(found, given, ctx), ctx)
}

async function checkChange(
  found: StoredProduct,
  given: JsonObject,
  ctx: CallContext,
  form?: FormCheck,
): Promise<CheckedWrite> {
  const options = form === undefined ? {} : { form }
  const written = await checkWrite('product', found, given, ctx, options)
  refuseFaults({ ...written.formFaults, ...floorFaults(written.values, found), ...written.faults })
  return written
}

/** Stores checked values and those computed from them. @returns the previous values of the changed fields */
async function applyProduct(
  found: StoredProduct,
  { changed, own }: CheckedWrite,
  ctx: CallContext,
): Promise<JsonObject> {
  const before = pick(wireRow(found, ctx.zone), changedNames({ changed, own }))
  if (Object.keys(before).length === 0) return before
  const { product_no: newNumber, ...others } = changed
  const product_no = typeof newNumber === 'string' ? newNumber : found.product_no
  if (product_no !== found.product_no) await refuseTaken('product', product_no, ctx)
  const all = { ...found, ...changed } as unknown as InputValues
  const columns = describedColumns(filled(others), writtenFields('product', ctx))
  await updateRow(
    'product',
    found.id,
    { ...columns, ...own, product_no, ...(await derived(all, product_no, ctx)) },
    ctx,
  )
  return before
}

/** Puts a product on sale (1) or takes it off (0). Existing lines keep a product that is off sale. */
export async function setStatus(id: string, status: unknown, ctx: CallContext): Promise<void> {
  if (status !== 0 && status !== 1)
    refuse(400, 'VALIDATION', text('record.not-offered', { label: labelOfField('product', 'status', ctx) }))
  const found = await findProduct(id, ctx, true)
  if (found.status !== status) await updateRow('product', id, { status }, ctx)
}

/** Deletes a product. 422 REFERENCED while any line of a contract or opportunity names it (DOMAIN 1.16). */
export async function removeProduct(id: string, ctx: CallContext): Promise<void> {
  await findProduct(id, ctx, true)
  const line = JSON.stringify([{ product_id: id }])
  const { rows } = await sql`
    select 1 from contract where tenant_id = ${ctx.caller.tenantId} and lines @> ${line}::jsonb
    union all
    select 1 from bussiness where tenant_id = ${ctx.caller.tenantId} and lines @> ${line}::jsonb limit 1`.execute(
    ctx.trx,
  )
  if (rows.length > 0) refuse(422, 'REFERENCED', text('product.used'))
  await updateRow('product', id, { deleted_at: ctx.now }, ctx)
}

/** Restores a product within 30 days. 409 DUPLICATE if its code is taken by now. */
export async function restoreProduct(id: string, ctx: CallContext): Promise<void> {
  const { rows } = await sql<{ product_no: string }>`select product_no from product
    where tenant_id = ${ctx.caller.tenantId} and id = ${id} and deleted_at >= ${oldestMark(ctx)} for update`.execute(
    ctx.trx,
  )
  const [found] = rows
  if (found === undefined) refuse(404, 'NOT_FOUND', text('record.not-deleted'))
  await refuseTaken('product', found.product_no, ctx)
  await updateRow('product', id, { deleted_at: null }, ctx)
}

function floorFaults(values: InputValues, found: StoredProduct | null): Faults {
  const price = values.price === undefined ? found?.price : values.price
  const floor = values.min_price === undefined ? found?.min_price : values.min_price
  const isAbove = typeof price === 'number' && typeof floor === 'number' && floor > price
  return isAbove ? { min_price: text('product.floor-above') } : {}
}

/** Null clears a field, except where the table has a default. */
function filled(values: InputValues): InputValues {
  const { sort, ...others } = values
  return sort === undefined ? others : { ...others, sort: sort ?? 0 }
}

async function derived(values: InputValues, product_no: string, ctx: CallContext) {
  const { mobile_norm: _, ...search } = searchColumns({
    kind: 'company',
    name: String(values.name),
    number: product_no,
    phones: [],
  })
  return { ...search, category_path: await categoryPath(String(values.category_id), ctx) }
}

const pickNames = ({ name, category_id }: StoredProduct) => ({ name, category_id })

/** A name must be unique in its category unless the caller confirms. @returns whether it is a confirmed duplicate */
async function warnSameName(
  { name, category_id }: InputValues,
  id: string | null,
  confirm: Json | undefined,
  { trx, caller }: CallContext,
): Promise<boolean> {
  const { rows } = await sql`select 1 from product where tenant_id = ${caller.tenantId} and deleted_at is null
    and category_id = ${category_id} and name = ${name} and id <> ${id ?? ''} limit 1`.execute(trx)
  if (rows.length > 0 && !isConfirmed(confirm, 'DUPLICATE_NAME'))
    refuse(409, 'DUPLICATE', text('product.duplicate-name'), { data: { confirm: 'DUPLICATE_NAME' } })
  return rows.length > 0
}

async function answerOf(
  id: string,
  ctx: CallContext,
  detail: Json,
  warned: boolean,
): Promise<WriteResult<Json>> {
  const found = await findProduct(id, ctx)
  const warnings = warned ? [{ type: 'DUPLICATE_NAME', message: text('product.duplicate-name') }] : []
  return writtenRecord(found, productRecord(found, ctx), detail, warnings)
}
