import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { newId } from '../../kernel/db/id.ts'
import { changeOf, type Faults, isConfirmed } from '../../kernel/fields/check-record.ts'
import { type InputValues, refuseFaults } from '../../kernel/fields/input.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import { type CheckedWrite, changedNames, checkWrite } from '../../kernel/records/checked-write.ts'
import { numberFor, refuseTaken, refuseTakenNumber } from '../../kernel/records/chosen-number.ts'
import { describedColumns, labelOfField, writtenFields } from '../../kernel/records/described.ts'
import { oldestMark } from '../../kernel/records/recycle-bin.ts'
import { pick, wireRow } from '../../kernel/records/wire.ts'
import type { Written } from '../../kernel/records/write-once.ts'
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
  asking: Asking,
  form: FormCheck,
): Promise<Written<Json>> {
  const { confirm, ...given } = body
  const how = { form, posted: body }
  const { values, faults, own, formFaults } = await checkWrite('product', null, given, asking, how)
  refuseFaults({ ...formFaults, ...floorFaults(values, null), ...faults })
  await lockCategories(asking)
  const warned = await warnSameName(values, null, confirm, asking)
  const id = newId(asking.now.getTime())
  const product_no = await numberFor('product', values.product_no, asking)
  const stored = await insertRow(
    'product',
    {
      ...describedColumns(filled(values), writtenFields('product', asking)),
      ...own,
      product_no,
      id,
      ...(await derived(values, product_no, asking)),
    },
    asking,
  )
  if (!stored) refuseTakenNumber('product')
  return answerOf(id, asking, given, warned)
}

/** Changes a product; lines of contracts keep their values. @throws Refusal 404, 409 VERSION_CONFLICT or DUPLICATE */
export async function updateProduct(
  body: JsonObject,
  asking: Asking,
  form: FormCheck,
): Promise<Written<Json>> {
  const { confirm, ...rest } = body
  const { id, version, given } = changeOf(rest)
  await lockCategories(asking)
  const found = await findProduct(id, asking, true)
  if (found.version !== version) refuseStale(productRecord(found, asking))
  const written = await checkChange(found, given, asking, form)
  const warned = await warnSameName({ ...pickNames(found), ...written.changed }, id, confirm, asking)
  const before = await applyProduct(found, written, asking)
  return answerOf(
    id,
    asking,
    { before, after: pick(wireRow(await findProduct(id, asking), asking.zone), Object.keys(before)) },
    warned,
  )
}

/** Changes some fields of a locked product, without the rules of the form page. */
export async function patchProduct(found: StoredProduct, given: JsonObject, asking: Asking): Promise<void> {
  await applyProduct(found, await checkChange(found, given, asking), asking)
}

async function checkChange(
  found: StoredProduct,
  given: JsonObject,
  asking: Asking,
  form?: FormCheck,
): Promise<CheckedWrite> {
  const how = form === undefined ? {} : { form }
  const written = await checkWrite('product', found, given, asking, how)
  refuseFaults({ ...written.formFaults, ...floorFaults(written.values, found), ...written.faults })
  return written
}

/** Stores checked values and those computed from them. @returns the previous values of the changed fields */
async function applyProduct(
  found: StoredProduct,
  { changed, own }: CheckedWrite,
  asking: Asking,
): Promise<JsonObject> {
  const before = pick(wireRow(found, asking.zone), changedNames({ changed, own }))
  if (Object.keys(before).length === 0) return before
  const { product_no: newNumber, ...others } = changed
  const product_no = typeof newNumber === 'string' ? newNumber : found.product_no
  if (product_no !== found.product_no) await refuseTaken('product', product_no, asking)
  const all = { ...found, ...changed } as unknown as InputValues
  const columns = describedColumns(filled(others), writtenFields('product', asking))
  await updateRow(
    'product',
    found.id,
    { ...columns, ...own, product_no, ...(await derived(all, product_no, asking)) },
    asking,
  )
  return before
}

/** Puts a product on sale (1) or takes it off (0). Existing lines keep a product that is off sale. */
export async function setStatus(id: string, status: unknown, asking: Asking): Promise<void> {
  if (status !== 0 && status !== 1)
    refuse(
      400,
      'VALIDATION',
      text('record.not-offered', { label: labelOfField('product', 'status', asking) }),
    )
  const found = await findProduct(id, asking, true)
  if (found.status !== status) await updateRow('product', id, { status }, asking)
}

/** Deletes a product. 422 REFERENCED while any line of a contract or opportunity names it (DOMAIN 1.16). */
export async function removeProduct(id: string, asking: Asking): Promise<void> {
  await findProduct(id, asking, true)
  const line = JSON.stringify([{ product_id: id }])
  const { rows } = await sql`
    select 1 from contract where tenant_id = ${asking.caller.tenantId} and lines @> ${line}::jsonb
    union all
    select 1 from bussiness where tenant_id = ${asking.caller.tenantId} and lines @> ${line}::jsonb limit 1`.execute(
    asking.trx,
  )
  if (rows.length > 0) refuse(422, 'REFERENCED', text('product.used'))
  await updateRow('product', id, { deleted_at: asking.now }, asking)
}

/** Restores a product within 30 days. 409 DUPLICATE if its code is taken by now. */
export async function restoreProduct(id: string, asking: Asking): Promise<void> {
  const { rows } = await sql<{ product_no: string }>`select product_no from product
    where tenant_id = ${asking.caller.tenantId} and id = ${id} and deleted_at >= ${oldestMark(asking)} for update`.execute(
    asking.trx,
  )
  const [found] = rows
  if (found === undefined) refuse(404, 'NOT_FOUND', text('record.not-deleted'))
  await refuseTaken('product', found.product_no, asking)
  await updateRow('product', id, { deleted_at: null }, asking)
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

async function derived(values: InputValues, product_no: string, asking: Asking) {
  const { mobile_norm: _, ...search } = searchColumns({
    kind: 'company',
    name: String(values.name),
    number: product_no,
    phones: [],
  })
  return { ...search, category_path: await categoryPath(String(values.category_id), asking) }
}

const pickNames = ({ name, category_id }: StoredProduct) => ({ name, category_id })

/** A name must be unique in its category unless the caller confirms. @returns whether it is a confirmed duplicate */
async function warnSameName(
  { name, category_id }: InputValues,
  id: string | null,
  confirm: Json | undefined,
  { trx, caller }: Asking,
): Promise<boolean> {
  const { rows } = await sql`select 1 from product where tenant_id = ${caller.tenantId} and deleted_at is null
    and category_id = ${category_id} and name = ${name} and id <> ${id ?? ''} limit 1`.execute(trx)
  if (rows.length > 0 && !isConfirmed(confirm, 'DUPLICATE_NAME'))
    refuse(409, 'DUPLICATE', text('product.duplicate-name'), { data: { confirm: 'DUPLICATE_NAME' } })
  return rows.length > 0
}

async function answerOf(id: string, asking: Asking, detail: Json, warned: boolean): Promise<Written<Json>> {
  const found = await findProduct(id, asking)
  const warnings = warned ? [{ type: 'DUPLICATE_NAME', message: text('product.duplicate-name') }] : []
  return writtenRecord(found, productRecord(found, asking), detail, warnings)
}
