import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { AdminPool } from '../../../contract/admin.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { POOL_ENTITIES, type PoolName } from '../../kernel/context/entities.ts'
import { newId } from '../../kernel/db/id.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { ownModules } from '../../kernel/model/own-rights.ts'
import { ownReturn } from '../../kernel/pools/own-return.ts'
import { isOwnPool, moduleOf, pooledTable } from '../../kernel/pools/pooled.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { readPoolSetting, savePoolSetting } from '../pools/settings-calls.ts'
import { checkVersion, givenId, idList, invalid, shortText } from './input.ts'
import type { AdminResult } from './kind.ts'
import { poolForm, settingsOfForm } from './pool-form.ts'

/** The pools of the tenant, including disabled ones. @param body `entity` restricts to one kind */
export async function listPools(body: JsonObject, ctx: CallContext) {
  const pools = await readPools(ctx)
  return { list: pools.filter((pool) => (body.entity ?? '') === '' || pool.entity === body.entity) }
}

/** A pool with its rules. */
export async function poolDetail(body: JsonObject, ctx: CallContext) {
  const record = await readPool(givenId(body), ctx)
  const setting = await readPoolSetting(record.id, ctx)
  return {
    record,
    setting,
    form: poolForm(record, setting.settings),
    levels: await levelsOf(record.entity, ctx),
    judged: judgedBy(record.entity, ctx),
  }
}

/** By what the records of an own module can be judged; the product's are by all their rules. */
function judgedBy(entity: PoolName, { model }: CallContext) {
  const module = isOwnPool(entity) ? model.modules.get(moduleOf(entity)) : undefined
  if (module === undefined) return null
  const { isFollowed, canBeDone, others } = ownReturn(module)
  const still = text(isFollowed ? 'admin.pool.unfollowed' : 'admin.pool.unchanged')
  return {
    followed: isFollowed,
    done: canBeDone,
    statuses: others,
    still,
    undone: text('admin.pool.undone'),
  }
}

/** The levels that can have a number of days of their own, and the rest. */
async function levelsOf(entity: PoolName, { trx, caller }: CallContext) {
  const { rows } = await sql<{ value: string; label: string }>`select value, label from dict_item
    where tenant_id = ${caller.tenantId} and type_key = ${entity === 'customer' ? 'customer_level' : ''} and not disabled
    order by sort, value`.execute(trx)
  return [...rows, { value: 'default', label: text('admin.pool.other-levels') }]
}

/**
 * Creates a pool or changes its members; its rules are `settings`. Every kind keeps an enabled pool and one default (DOMAIN 1.2).
 *
 * @param body  `name`, `enabled`, `is_default`, `member_all`, `member_user_ids`, `member_dept_ids`, `admin_user_ids`, `settings`;
 * new: `entity`; change: `id`, `version`
 */
export async function savePool(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller, now } = ctx
  const tenantId = caller.tenantId
  await sql`select pg_advisory_xact_lock(hashtextextended(${`pool/${tenantId}`}, 0))`.execute(trx)
  const id = givenId(body)
  const before = id === '' ? null : await readPool(id, ctx)
  if (before !== null) checkVersion(body.version, before.version)
  const entity = before?.entity ?? readEntity(body.entity, ctx)
  const flag = (name: 'enabled' | 'is_default' | 'member_all', fallback: boolean): boolean => {
    const value = body[name] ?? before?.[name] ?? fallback
    return typeof value === 'boolean' ? value : invalid(name)
  }
  const people = (name: 'member_user_ids' | 'member_dept_ids' | 'admin_user_ids') =>
    body[name] === undefined && before !== null ? [...before[name]] : [...idList(body[name], name)]
  const given = {
    name: shortText(body.name ?? before?.name, 'name', 100, 1),
    enabled: flag('enabled', true),
    is_default: flag('is_default', false),
    member_all: flag('member_all', false),
    member_user_ids: people('member_user_ids'),
    member_dept_ids: people('member_dept_ids'),
    admin_user_ids: people('admin_user_ids'),
  }
  await refuseStrangers(given, ctx)
  const poolId = before?.id ?? newId(now.getTime())
  const same = (await readPools(ctx)).some(
    (pool) => pool.entity === entity && pool.id !== poolId && pool.name === given.name,
  )
  if (same) refuseFaults({ name: text('admin.pool.same') })
  if (given.is_default)
    await sql`update pool set is_default = false where tenant_id = ${tenantId} and entity = ${entity}`.execute(
      trx,
    )
  await sql`insert into pool (tenant_id, id, entity, name, enabled, is_default, member_all, member_user_ids, member_dept_ids,
      admin_user_ids, created_by, created_at, updated_by, updated_at)
    values (${tenantId}, ${poolId}, ${entity}, ${given.name}, ${given.enabled}, ${given.is_default}, ${given.member_all},
      ${given.member_user_ids}::text[], ${given.member_dept_ids}::text[], ${given.admin_user_ids}::text[], ${caller.userId}, ${now},
      ${caller.userId}, ${now})
    on conflict (tenant_id, id) do update set name = excluded.name, enabled = excluded.enabled, is_default = excluded.is_default,
      member_all = excluded.member_all, member_user_ids = excluded.member_user_ids, member_dept_ids = excluded.member_dept_ids,
      admin_user_ids = excluded.admin_user_ids, updated_by = excluded.updated_by, updated_at = excluded.updated_at,
      version = pool.version + 1`.execute(trx)
  await keepOne(entity, ctx)
  const rules =
    body.settings === undefined
      ? { before: {}, after: {} }
      : await changeRules({ id: poolId, entity }, body.settings, ctx)
  const record = await readPool(poolId, ctx)
  return {
    data: { id: poolId, version: record.version, record: record as unknown as Json },
    recordId: poolId,
    detail: {
      before: before === null ? null : { ...(before as unknown as JsonObject), settings: rules.before },
      after: { ...(record as unknown as JsonObject), settings: rules.after },
    },
  }
}

async function changeRules(
  { id, entity }: { readonly id: string; readonly entity: PoolName },
  settings: Json | undefined,
  ctx: CallContext,
) {
  const before = (await readPoolSetting(id, ctx)).settings ?? {}
  await savePoolSetting({ id, settings: settingsOfForm(settings, entity) }, ctx)
  return { before, after: (await readPoolSetting(id, ctx)).settings ?? {} }
}

/** Deletes an empty pool that is not the last of its kind. @param body `id` */
export async function removePool(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller, now } = ctx
  const pool = await readPool(givenId(body), ctx)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`pool/${caller.tenantId}`}, 0))`.execute(trx)
  if (pool.records > 0) refuse(422, 'REFERENCED', text('admin.pool.used', { count: pool.records }))
  await sql`update pool set deleted_at = ${now}, enabled = false, is_default = false, name = name || '~' || right(id, 8),
      updated_by = ${caller.userId}, updated_at = ${now}
    where tenant_id = ${caller.tenantId} and id = ${pool.id}`.execute(trx)
  await keepOne(pool.entity, ctx)
  return { data: { id: pool.id }, recordId: pool.id, detail: { name: pool.name } }
}

async function readPools(ctx: CallContext): Promise<readonly AdminPool[]> {
  const { trx, caller } = ctx
  const known = pooledIn(ctx)
  const count = (entity: PoolName) => sql`when ${entity} then (select count(*) from ${pooledTable(entity)} r
    where r.tenant_id = p.tenant_id and r.pool_id = p.id and r.deleted_at is null)`
  const { rows } =
    await sql<AdminPool>`select p.id, p.entity, p.name, p.is_default, p.enabled, p.member_all, p.member_user_ids,
      p.member_dept_ids, p.admin_user_ids, p.version, case p.entity ${sql.join(known.map(count), sql` `)} end as records
    from pool p where p.tenant_id = ${caller.tenantId} and p.entity = any(${[...known]}::text[]) and p.deleted_at is null
    order by p.entity, p.is_default desc, p.created_at, p.id`.execute(trx)
  return rows
}

async function readPool(id: string, ctx: CallContext): Promise<AdminPool> {
  const found = (await readPools(ctx)).find((pool) => pool.id === id)
  return found ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}

/** Of each kind one pool is enabled, and an enabled one is the default. */
async function keepOne(entity: PoolName, ctx: CallContext): Promise<void> {
  const enabled = (await readPools(ctx)).filter((pool) => pool.entity === entity && pool.enabled)
  const [first] = enabled
  if (first === undefined) refuse(409, 'STATE_CONFLICT', text('admin.pool.last'))
  if (enabled.some((pool) => pool.is_default)) return
  const { trx, caller } = ctx
  await sql`update pool set is_default = (id = ${first.id}) where tenant_id = ${caller.tenantId} and entity = ${entity}`.execute(
    trx,
  )
}

async function refuseStrangers(
  {
    member_user_ids,
    admin_user_ids,
    member_dept_ids,
  }: Record<'member_user_ids' | 'admin_user_ids' | 'member_dept_ids', string[]>,
  { trx, caller }: CallContext,
): Promise<void> {
  const users = [...new Set([...member_user_ids, ...admin_user_ids])]
  const { rows } = await sql<{ users: number; depts: number }>`select
      (select count(*) from membership where tenant_id = ${caller.tenantId} and user_id = any(${users}::text[])
        and status <> 'left') as users,
      (select count(*) from department where tenant_id = ${caller.tenantId} and id = any(${member_dept_ids}::text[])
        and deleted_at is null) as depts`.execute(trx)
  if ((rows[0]?.users ?? 0) < users.length || (rows[0]?.depts ?? 0) < member_dept_ids.length)
    invalid('members')
}

const readEntity = (value: Json | undefined, ctx: CallContext): PoolName =>
  pooledIn(ctx).find((it) => it === value) ?? invalid('entity')

/** Whatever lies in pools here: own modules that do not say so any more have theirs again when they do. */
const pooledIn = ({ model }: CallContext): readonly PoolName[] => [
  ...POOL_ENTITIES,
  ...ownModules(model).flatMap(({ name, behaviours }) =>
    behaviours.includes('pool') ? [ownRights(name)] : [],
  ),
]
