import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { AdminDict, AdminDictItem } from '../../../contract/admin.ts'
import { isCode } from '../../../model/kind.ts'
import { namedUses } from '../../kernel/approvals/value-naming.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { announceDictionaries } from '../../kernel/pages/announce-dictionaries.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dictRows } from './dict-rows.ts'
import { isUsed, namingsOfItem } from './dict-usage.ts'
import { givenId, invalid, readInteger, shortText } from './input.ts'
import type { AdminResult } from './kind.ts'

const MAX_ITEMS = 500
const COLOR = /^(#[0-9a-fA-F]{3,8}|[a-z]{0,20})$/
const KEY = /^[a-z]\w{1,39}$/

/** The dictionaries of the tenant, without their values. */
export async function listDicts(_: JsonObject, { trx, caller }: CallContext) {
  const { rows } = await sql<
    Omit<AdminDict, 'items'> & { count: number }
  >`select t.key as id, t.key, t.name, t.tree, t.system,
      (select count(*) from dict_item i where i.tenant_id = t.tenant_id and i.type_key = t.key) as count
    from dict_type t where t.tenant_id = ${caller.tenantId} order by t.key`.execute(trx)
  return { list: rows }
}

/** One dictionary with its values; `id` is its key. */
export async function dictDetail(body: JsonObject, ctx: CallContext) {
  const record = await readDict(givenId(body), ctx)
  return { record, rows: dictRows(record) }
}

/**
 * Writes a dictionary's values: the given ones are changed or added, in their order; others stay. A value never changes
 * its code, so that records keep their meaning; unwanted values are disabled (DOMAIN 1.14).
 *
 * @param body  `id` the key, `name`, `items: [{ value, label, color, disabled, parent, is_default }]`; `create` for a new key
 */
export async function saveDict(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller } = ctx
  const key = givenId(body)
  if (body.create === true) await createDict(key, body, ctx)
  const before = await readDict(key, ctx)
  const items = readItems(body.items, before)
  const isNew = (item: AdminDictItem) => !before.items.some((it) => it.value === item.value)
  if (before.system && items.some(isNew)) refuse(409, 'STATE_CONFLICT', text('admin.dict.system'))
  if (typeof body.name === 'string' && body.create !== true)
    await sql`update dict_type set name = ${shortText(body.name, 'name', 40, 1)}
      where tenant_id = ${caller.tenantId} and key = ${key}`.execute(trx)
  for (const item of items)
    await sql`insert into dict_item (tenant_id, type_key, value, label, color, sort, disabled, parent, is_default)
      values (${caller.tenantId}, ${key}, ${item.value}, ${item.label}, ${item.color}, ${item.sort}, ${item.disabled},
        ${item.parent}, ${item.is_default})
      on conflict (tenant_id, type_key, value) do update set label = excluded.label, color = excluded.color,
        sort = excluded.sort, disabled = excluded.disabled, parent = excluded.parent, is_default = excluded.is_default`.execute(
      trx,
    )
  await announceDictionaries(trx, caller.tenantId)
  const after = await readDict(key, ctx)
  return {
    data: { id: key, record: after as unknown as Json },
    recordId: key,
    detail: { before: changedOf(before, after), after: changedOf(after, before) },
  }
}

/** Deletes values that are not in use. @param body `id` the key, `values[]` */
export async function removeDictItems(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller } = ctx
  const dict = await readDict(givenId(body), ctx)
  if (dict.system) refuse(409, 'STATE_CONFLICT', text('admin.dict.system'))
  const values = Array.isArray(body.values) ? body.values.map(String) : invalid('values')
  for (const value of values) {
    const found =
      dict.items.find((item) => item.value === value) ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
    const hasChildren = dict.items.some((item) => item.parent === value)
    if (hasChildren || (await isUsed(dict.key, value, ctx)))
      refuse(422, 'REFERENCED', text('admin.dict.used', { label: found.label }), { detail: value })
    const namings = await namingsOfItem(dict.key, value, ctx)
    if (namings.length > 0)
      refuse(422, 'REFERENCED', text('admin.dict.named', { label: found.label, uses: namedUses(namings) }), {
        detail: value,
      })
    await sql`delete from dict_item where tenant_id = ${caller.tenantId} and type_key = ${dict.key}
      and value = ${value}`.execute(trx)
  }
  await announceDictionaries(trx, caller.tenantId)
  return {
    data: { id: dict.key, record: (await readDict(dict.key, ctx)) as unknown as Json },
    recordId: dict.key,
    detail: { values },
  }
}

/** One dictionary; 404 for an unknown key. */
export async function readDict(key: string, { trx, caller }: CallContext): Promise<AdminDict> {
  const { rows } = await sql<Omit<AdminDict, 'items'>>`select key, name, tree, system from dict_type
    where tenant_id = ${caller.tenantId} and key = ${key}`.execute(trx)
  const items =
    await sql<AdminDictItem>`select value, label, color, sort, disabled, parent, is_default from dict_item
    where tenant_id = ${caller.tenantId} and type_key = ${key} order by sort, value`.execute(trx)
  const [row] = rows
  return row === undefined ? refuse(404, 'NOT_FOUND', text('call.not-found')) : { ...row, items: items.rows }
}

async function createDict(key: string, body: JsonObject, { trx, caller }: CallContext): Promise<void> {
  if (!KEY.test(key)) invalid('id')
  const { rows } =
    await sql`insert into dict_type (tenant_id, key, name, tree) values (${caller.tenantId}, ${key},
    ${shortText(body.name, 'name', 40, 1)}, ${body.tree === true}) on conflict do nothing returning 1`.execute(
      trx,
    )
  if (rows.length === 0) refuseFaults({ id: text('admin.dict.same') })
}

function readItems(value: Json | undefined, { items: before, tree }: AdminDict): readonly AdminDictItem[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > MAX_ITEMS) return invalid('items')
  const items = value.map((it, i) => readItem(it, i))
  const values = new Set(items.map((item) => item.value))
  if (values.size < items.length) return invalid('items')
  const parentOf = new Map([...before, ...items].map((item) => [item.value, item.parent]))
  for (const { value: start, parent } of items) {
    if (parent !== '' && (!tree || !parentOf.has(parent))) invalid('items.parent')
    const seen = new Set([start])
    for (let at = parent; at !== ''; at = parentOf.get(at) ?? '') {
      if (seen.has(at)) return invalid('items.parent')
      seen.add(at)
    }
  }
  return items
}

function readItem(value: Json, index: number): AdminDictItem {
  if (!isObject(value) || !isCode(value.value)) return invalid('items.value')
  const color = shortText(value.color, 'color', 20)
  if (!COLOR.test(color)) return invalid('items.color')
  return {
    value: value.value,
    label: shortText(value.label, 'label', 40, 1),
    color,
    sort: readInteger(value.sort, 'sort', 100_000, index),
    disabled: value.disabled === true,
    parent: shortText(value.parent, 'parent', 64),
    is_default: value.is_default === true,
  }
}

/** The values of one version that differ in the other, for the audit log. */
function changedOf(one: AdminDict, other: AdminDict): Json {
  const written = new Set(other.items.map((item) => JSON.stringify(item)))
  return one.items.filter((item) => !written.has(JSON.stringify(item))) as unknown as Json
}
