import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { extName } from '../../../model/form-fields.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { isEmpty } from '../../../model/read-record.ts'
import {
  namesInRights,
  refuseUnwritable,
  unlimitedFor,
  writableFields,
} from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { extTogether, liveExtFields } from '../../kernel/fields/ext-fields.ts'
import { announce } from '../../kernel/records/announce.ts'
import { idsOf } from '../../kernel/records/batch.ts'
import { applyChange, checkedChange } from '../../kernel/records/change-record.ts'
import { namesOfFields, writtenFields } from '../../kernel/records/described.ts'
import { type FoundRecord, findInScope, wireRecord } from '../../kernel/records/find-record.ts'
import { mergedText } from '../../kernel/records/merged-text.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { choosePrimary } from '../../modules/contacts/primary.ts'
import { refreshTotals } from '../../modules/contracts/totals.ts'
import { CUSTOMER_CHANGE } from '../../modules/customers/change-customer.ts'
import { customerRecord } from '../../modules/customers/detail.ts'
import { findCustomer } from '../../modules/customers/find-customer.ts'
import { refreshExpiry } from '../../modules/customers/holding.ts'
import { lockCustomerTree } from '../../modules/customers/parent.ts'
import { repointOwn } from '../modelling/repoint.ts'

const MAX_MERGED = 5

/** Values that may be outdated, or would create a cycle: neither copied automatically nor offered. */
export const LEFT: ReadonlySet<string> = new Set(['next_follow_at', 'parent_id', 'lng', 'lat'])

/**
 * 合并 (DOMAIN 1.1.6): everything of the other customers moves to the master, and their ids lead there from now on. Empty fields of the master
 * are filled from theirs; `take` names fields whose values replace the master's. All of it or nothing.
 *
 * @param body  `masterId`, `ids` ≤ 5, `take` (names of fields to copy from the first of them), `fields` (explicit values)
 */
export async function mergeCustomers(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const masterId = String(body.masterId ?? '')
  const others = idsOf(body, MAX_MERGED)
  if (others.includes(masterId)) refuse(400, 'VALIDATION', text('customer.merge-self'), { detail: 'ids' })
  await lockCustomerTree(ctx)
  const rows = new Map<string, FoundRecord>()
  for (const id of [masterId, ...others].sort()) {
    const found = await findInScope('customer', id, ctx, 'merge')
    if (found.owner_id === null) refuse(409, 'STATE_CONFLICT', text('customer.masked'))
    rows.set(id, found)
  }
  for (const id of others) await mergeOne(id, masterId, ctx)
  await openCircle(masterId, ctx)
  await lastFollow(masterId, ctx)
  await refreshTotals(masterId, [], ctx)
  await choosePrimary(masterId, ctx)
  const master = await findCustomer(masterId, ctx, true)
  const chosen = isObject(body.fields) ? body.fields : {}
  const taken = new Set(Array.isArray(body.take) ? body.take.map(String) : [])
  const mergedValues = adoptedValues(master, idsInOrder(body), rows, taken, ctx)
  refuseUnwritable(ctx.caller, 'customer', [...taken])
  const shown = wireRecord('customer', master, ctx)
  const written = writableFields(ctx.caller, 'customer', chosen, shown)
  const fields = { ...mergedValues, ...written, ...extTogether(mergedValues.ext, written) }
  // What the merge fills by itself is no writing of the caller.
  const caller = unlimitedFor(ctx.caller, 'customer', namesInRights(mergedValues))
  const values = await checkedChange(CUSTOMER_CHANGE, master, fields, { ...ctx, caller })
  await applyChange(CUSTOMER_CHANGE, master, values, ctx)
  await refreshExpiry(ctx, masterId)
  const after = await findCustomer(masterId, ctx)
  const gone = [...new Set(idsInOrder(body))].flatMap((id) => rows.get(id) ?? [])
  await tellOwners(gone, after, ctx)
  return {
    data: { id: masterId, version: after.version, record: customerRecord(after, ctx) },
    recordId: masterId,
    detail: {
      merged: gone.map(({ id }) => id),
      merged_names: gone.map(({ name }) => name),
      merged_into: after.name,
    },
  }
}

/** Each owner of merged customers is told once what became of theirs, with the way to the master, which they may read. */
async function tellOwners(
  gone: readonly FoundRecord[],
  master: FoundRecord,
  ctx: CallContext,
): Promise<void> {
  const owners = [...new Set(gone.flatMap(({ owner_id }) => owner_id ?? []))]
  for (const to of owners) {
    const theirs = gone.filter(({ owner_id }) => owner_id === to).map(({ name }) => name)
    const params = { by: ctx.caller.name, merged: mergedText(theirs, master.name) }
    await announce({ event: 'customer.merged', to, entity: 'customer', ids: [master.id], params }, ctx)
  }
}

/** The other customers in the given order. */
function idsInOrder({ ids }: JsonObject): readonly string[] {
  return Array.isArray(ids) ? ids.map(String) : []
}

/** Values of the others: for empty fields of the master, from the first that has one; for requested fields, from the first customer. */
function adoptedValues(
  master: FoundRecord,
  ids: readonly string[],
  rows: ReadonlyMap<string, FoundRecord>,
  chosen: ReadonlySet<string>,
  ctx: CallContext,
): JsonObject {
  const { zone } = ctx
  const others = ids.flatMap((id) => rows.get(id) ?? []).map((row) => wireRow(row, zone))
  const masterValues = wireRow(master, zone)
  const plain = filledFrom(
    namesOfFields(writtenFields('customer', ctx)),
    others,
    (name) => chosen.has(name) || (isEmpty(masterValues[name]) && !LEFT.has(name)),
  )
  const mine = extOf(masterValues)
  const ext = filledFrom(
    liveExtFields('customer', ctx)
      .filter(({ kind }) => kindOf(kind).derived !== true)
      .map(({ name }) => name),
    others.map(extOf),
    (name) => chosen.has(extName(name)) || isEmpty(mine[name]),
  )
  return { ...plain, ...(Object.keys(ext).length > 0 ? { ext } : {}) }
}

const extOf = ({ ext }: JsonObject): JsonObject => (isObject(ext) ? ext : {})

/** The requested values, each from the first that has one. */
const filledFrom = (
  names: readonly string[],
  others: readonly JsonObject[],
  isWanted: (name: string) => boolean,
): JsonObject =>
  Object.fromEntries(
    names.filter(isWanted).flatMap((name): [string, Json][] => {
      const value = others.map((row) => row[name]).find((one) => !isEmpty(one))
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** Tables whose rows refer to a customer. */
const CHILDREN = ['bussiness', 'contract', 'follow', 'lead'] as const

async function mergeOne(id: string, masterId: string, ctx: CallContext): Promise<void> {
  const { trx, caller, now } = ctx
  const tenant = caller.tenantId
  // A contact that both have is one person: the master's stays.
  const doubles =
    await sql<Double>`update contact k set deleted_at = ${now}, is_primary = false from contact m
    where k.tenant_id = ${tenant} and k.customer_id = ${id} and k.deleted_at is null
      and m.tenant_id = ${tenant} and m.customer_id = ${masterId} and m.deleted_at is null
      and m.name = k.name and m.mobile = k.mobile
    returning k.id as gone, m.id as stays`.execute(trx)
  for (const double of doubles.rows) await replaceContact(double, ctx)
  await sql`update contact set customer_id = ${masterId}, is_primary = false where tenant_id = ${tenant}
    and customer_id = ${id} and deleted_at is null`.execute(trx)
  for (const table of CHILDREN)
    await sql`update ${sql.table(table)} set customer_id = ${masterId} where tenant_id = ${tenant}
      and customer_id = ${id}`.execute(trx)
  for (const table of ['follow', 'todo'])
    await sql`update ${sql.table(table)} set target_id = ${masterId} where tenant_id = ${tenant}
      and target_type = 'customer' and target_id = ${id}`.execute(trx)
  await sql`update customer set parent_id = ${masterId} where tenant_id = ${tenant} and parent_id = ${id}
    and id <> ${masterId}`.execute(trx)
  await sql`update customer set parent_id = null where tenant_id = ${tenant} and id = ${masterId}
    and parent_id = ${id}`.execute(trx)
  await repointOwn('customer', { gone: id, stays: masterId }, ctx)
  await shareTeam(id, masterId, ctx)
  await keepMarks('customer', { gone: id, stays: masterId }, ctx)
  await sql`update customer set deleted_at = ${now}, primary_contact_id = null, updated_by = ${caller.userId},
    updated_at = ${now}, version = version + 1 where tenant_id = ${tenant} and id = ${id}`.execute(trx)
  await sql`update record_redirect set new_id = ${masterId} where tenant_id = ${tenant} and entity = 'customer'
    and new_id = ${id}`.execute(trx)
  await sql`insert into record_redirect (tenant_id, entity, old_id, new_id, created_at)
    values (${tenant}, 'customer', ${id}, ${masterId}, ${now})
    on conflict (tenant_id, entity, old_id) do update set new_id = excluded.new_id`.execute(trx)
}

/** A record that was merged into another. */
interface Double {
  readonly gone: string
  readonly stays: string
}

/** Columns that refer to one contact, and to several. */
const NAMED = [
  ['contact', 'report_to_id'],
  ['contract', 'customer_signer_id'],
  ['lead', 'contact_id'],
  ['phone_call', 'contact_id'],
] as const
const LISTED = ['bussiness', 'follow'] as const

/** Replaces references to the removed contact by the remaining one. */
async function replaceContact({ gone, stays }: Double, ctx: CallContext): Promise<void> {
  const { trx, caller } = ctx
  const tenant = caller.tenantId
  for (const [table, column] of NAMED)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${stays} where tenant_id = ${tenant}
      and ${sql.ref(column)} = ${gone}`.execute(trx)
  await sql`update contact set report_to_id = null where tenant_id = ${tenant} and id = ${stays}
    and report_to_id = id`.execute(trx)
  for (const table of LISTED)
    await sql`update ${sql.table(table)} set contact_ids = case when ${stays} = any(contact_ids)
        then array_remove(contact_ids, ${gone}) else array_replace(contact_ids, ${gone}, ${stays}) end
      where tenant_id = ${tenant} and ${gone} = any(contact_ids)`.execute(trx)
  await sql`update bussiness set contact_roles = (select coalesce(jsonb_agg(r || jsonb_build_object('contact_id',
        case when r ->> 'contact_id' = ${gone} then ${stays} else r ->> 'contact_id' end) order by at), '[]')
      from jsonb_array_elements(contact_roles) with ordinality as named (r, at)
      where r ->> 'contact_id' <> ${gone} or not contact_roles @> jsonb_build_array(jsonb_build_object('contact_id', ${stays}::text)))
    where tenant_id = ${tenant} and ${stays} = any(contact_ids)
      and contact_roles @> jsonb_build_array(jsonb_build_object('contact_id', ${gone}::text))`.execute(trx)
  for (const table of ['follow', 'todo'] as const)
    await sql`update ${sql.table(table)} set target_id = ${stays} where tenant_id = ${tenant}
      and target_type = 'contact' and target_id = ${gone}`.execute(trx)
  await repointOwn('contact', { gone, stays }, ctx)
  await keepMarks('contact', { gone, stays }, ctx)
}

/** Transfers stars and recent views of the merged customer to the remaining one. */
async function keepMarks(
  entity: 'customer' | 'contact',
  { gone, stays }: Double,
  { trx, caller }: CallContext,
): Promise<void> {
  for (const [table, at] of [
    ['star', 'created_at'],
    ['recent_view', 'viewed_at'],
  ] as const) {
    await sql`insert into ${sql.table(table)} (tenant_id, user_id, entity, record_id, ${sql.ref(at)})
      select tenant_id, user_id, entity, ${stays}, ${sql.ref(at)} from ${sql.table(table)}
      where tenant_id = ${caller.tenantId} and entity = ${entity} and record_id = ${gone}
      on conflict do nothing`.execute(trx)
    await sql`delete from ${sql.table(table)} where tenant_id = ${caller.tenantId} and entity = ${entity}
      and record_id = ${gone}`.execute(trx)
  }
}

/** If the master was below a merged customer in the tree, it has no parent now. */
async function openCircle(masterId: string, { trx, caller }: CallContext): Promise<void> {
  await sql`with recursive up as (
      select c.id, c.parent_id from customer c where c.tenant_id = ${caller.tenantId} and c.id = ${masterId}
      union
      select c.id, c.parent_id from customer c join up on c.id = up.parent_id where c.tenant_id = ${caller.tenantId}
    ) update customer set parent_id = null where tenant_id = ${caller.tenantId} and id = ${masterId}
      and exists (select 1 from up where up.parent_id = ${masterId})`.execute(trx)
}

/** Collaborators are transferred; the merged customer's owner keeps read access. A share of the master that has expired does not stand in the way. */
async function shareTeam(id: string, masterId: string, { trx, caller, now }: CallContext): Promise<void> {
  await sql`insert into collaborator (tenant_id, entity, record_id, user_id, level, expire_at, created_by, created_at)
    select distinct on (k.user_id)
      k.tenant_id, 'customer', ${masterId}, k.user_id, k.level, k.expire_at, ${caller.userId}, ${now}::timestamptz
    from (select tenant_id, user_id, level, expire_at from collaborator
        where tenant_id = ${caller.tenantId} and entity = 'customer' and record_id = ${id}
          and (expire_at is null or expire_at > ${now})
      union select tenant_id, owner_id, 'read', null from customer
        where tenant_id = ${caller.tenantId} and id = ${id}) k
    join customer m on m.tenant_id = k.tenant_id and m.id = ${masterId} and m.owner_id is distinct from k.user_id
    order by k.user_id, k.level desc, k.expire_at desc nulls first
    on conflict (tenant_id, entity, record_id, user_id) do update set level = excluded.level,
      expire_at = excluded.expire_at, created_by = excluded.created_by, created_at = excluded.created_at
      where collaborator.expire_at <= ${now}`.execute(trx)
}

/** Recomputes the master's last follow-up, now including those of the others. */
async function lastFollow(masterId: string, { trx, caller }: CallContext): Promise<void> {
  await sql`update customer c set last_follow_at = f.followed_at, last_follow_by = f.author_id,
      last_follow_content = left(f.content, 120),
      follow_status = case when f.followed_at is null then c.follow_status else 'followed' end,
      version = c.version + 1
    from (select 1) one
    left join lateral (select followed_at, author_id, content from follow where tenant_id = ${caller.tenantId}
      and customer_id = ${masterId} and deleted_at is null order by followed_at desc, id desc limit 1) f on true
    where c.tenant_id = ${caller.tenantId} and c.id = ${masterId}`.execute(trx)
}
