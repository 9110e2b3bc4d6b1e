import { sql } from 'kysely'
import { POOL_ENTITIES, type PoolName } from '../../kernel/context/entities.ts'
import type { Database, Trx } from '../../kernel/db/database.ts'
import { REMIND_MS } from '../../kernel/lists/owned-list.ts'
import { linkToTab } from '../../kernel/notices/links.ts'
import { ownLabel, ownPools } from '../../kernel/pools/own-return.ts'
import { homePool, type Pool } from '../../kernel/pools/pool.ts'
import {
  isOwnPool,
  isPooledRow,
  linkToPooled,
  messageSubject,
  moduleOf,
  pooledName,
  pooledTable,
} from '../../kernel/pools/pooled.ts'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import { announce } from '../../kernel/records/announce.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { putIntoPool } from './put.ts'

const BATCH = 500
const DAY_MS = 86_400_000
/** The hour of the tenant's day from which warnings are sent (DOMAIN 5 record.recycle_soon). */
const WARN_HOUR = 9
/** Number of one person's records above which they are listed in one message (DOMAIN 1.2.3). */
const DIGEST_FROM = 5
/** The job has no user: row-level security still limits it to one tenant. */
const SYSTEM = 'system'

/** The job's run for one tenant. */
interface RecycleTurn {
  readonly database: Database
  readonly tenantId: string
  readonly zone: string
  readonly now: Date
}

/**
 * The recycling job (DOMAIN 1.2.3), every 15 minutes: recomputes expiries after a change of rules, then returns expired records
 * to their pools in batches, then sends warnings. Several servers may run it at once; a batch belongs to one of them.
 *
 * @returns how many records were recycled
 */
export async function recycle(database: Database, at: number): Promise<number> {
  const tenants = await database.system((trx) =>
    sql<{ id: string; timezone: string }>`select id, timezone from tenant where status = 'normal'`.execute(
      trx,
    ),
  )
  let count = 0
  for (const { id, timezone } of tenants.rows) {
    const turn = { database, tenantId: id, zone: timezone, now: new Date(at) }
    for (const entity of [
      ...POOL_ENTITIES,
      ...(await inTurn(turn, (trx) => ownPools({ trx, tenantId: id }))),
    ]) {
      await renewExpiries(entity, turn)
      for (;;) {
        const { seen, recycled } = await inTurn(turn, (trx) => recycleBatch(entity, trx, turn))
        count += recycled
        if (seen < BATCH) break
      }
      await inTurn(turn, (trx) => warn(entity, trx, turn))
    }
  }
  return count
}

function inTurn<T>({ database, tenantId }: RecycleTurn, work: (trx: Trx) => Promise<T>): Promise<T> {
  return database.tenant({ tenantId, userId: SYSTEM }, work)
}

/** True for the server that does this job for this tenant now, until the transaction ends. */
async function isMyTurn(trx: Trx, { tenantId }: RecycleTurn, job: string): Promise<boolean> {
  const key = `${job}/${tenantId}`
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as mine`.execute(trx)
  return rows[0]?.mine === true
}

/** After the rules of a pool changed, every owned record is recomputed once. */
async function renewExpiries(entity: PoolName, turn: RecycleTurn): Promise<void> {
  const { tenantId } = turn
  const changedAt = await inTurn(
    turn,
    async (trx) => (await homePool(entity, { trx, tenantId }))?.rules_changed_at,
  )
  if (changedAt === null || changedAt === undefined) return
  let after = ''
  for (;;) {
    const next = await inTurn(turn, async (trx) => {
      const { rows } = await sql<{
        id: string
      }>`select r.id from ${pooledTable(entity)} r where r.tenant_id = ${tenantId} and ${isPooledRow(entity)}
        and r.owner_id is not null and r.deleted_at is null and r.id > ${after} order by r.id limit ${BATCH} for update`.execute(
        trx,
      )
      await refreshExpiry(
        entity,
        rows.map((row) => row.id),
        { trx, tenantId },
      )
      return rows.length < BATCH ? null : (rows.at(-1)?.id ?? null)
    })
    if (next === null) break
    after = next
  }
  await inTurn(turn, (trx) =>
    sql`update pool set rules_changed_at = null where tenant_id = ${tenantId} and entity = ${entity}
      and rules_changed_at = ${changedAt}`.execute(trx),
  )
}

interface Batch {
  readonly seen: number
  readonly recycled: number
}

async function recycleBatch(entity: PoolName, trx: Trx, turn: RecycleTurn): Promise<Batch> {
  const { tenantId, now } = turn
  if (!(await isMyTurn(trx, turn, `recycle/${entity}`))) return { seen: 0, recycled: 0 }
  const pool = await homePool(entity, { trx, tenantId })
  if (pool === null) return { seen: 0, recycled: 0 }
  if (entity === 'customer') await endLocks(trx, turn)
  const { rows } = await sql<{ id: string; name: string; owner_id: string }>`
    select r.id, ${pooledName(entity)} as name, r.owner_id from ${pooledTable(entity)} r
    where r.tenant_id = ${tenantId} and ${isPooledRow(entity)} and r.expire_at <= ${now}
      and r.owner_id is not null and r.deleted_at is null order by r.expire_at, r.id limit ${BATCH}
    for update skip locked`.execute(trx)
  // Changes made without updating the expiry are taken into account before anybody loses a record.
  const expiries = await refreshExpiry(
    entity,
    rows.map((row) => row.id),
    { trx, tenantId },
  )
  const due = rows.flatMap((row) => {
    const expiry = expiries.get(row.id)
    return expiry && expiry.at <= now ? [{ ...row, reason: expiry.reason }] : []
  })
  const returned = new Set(
    await putIntoPool(entity, due, {
      trx,
      tenantId,
      now,
      operatorId: null,
      poolId: pool.id,
      kind: 'recycle',
    }),
  )
  await tellOwners(
    entity,
    pool.id,
    due.filter((row) => returned.has(row.id)),
    trx,
    turn,
  )
  return { seen: rows.length, recycled: returned.size }
}

/** Ends expired locks (DOMAIN 1.1.1 lock_until). */
async function endLocks(trx: Trx, { tenantId, now }: RecycleTurn): Promise<void> {
  const { rows } = await sql<{ id: string }>`update customer set lock_status = false, lock_until = null,
      version = version + 1, updated_at = ${now}
    where tenant_id = ${tenantId} and lock_status and lock_until <= ${now} returning id`.execute(trx)
  await refreshExpiry(
    'customer',
    rows.map((row) => row.id),
    { trx, tenantId },
  )
}

interface Lost {
  readonly id: string
  readonly name: string
  readonly owner_id: string
}

/** One message per record, or one digest if somebody loses many at once. */
async function tellOwners(
  entity: PoolName,
  poolId: string,
  lost: readonly Lost[],
  trx: Trx,
  turn: RecycleTurn,
): Promise<void> {
  if (lost.length === 0) return
  const by = { trx, now: turn.now, caller: { tenantId: turn.tenantId, userId: null } }
  const label = await ownLabel(entity, { trx, tenantId: turn.tenantId })
  for (const [owner, rows] of byOwner(lost)) {
    const groups = rows.length > DIGEST_FROM ? [rows] : rows.map((row) => [row])
    for (const group of groups) {
      const ids = group.map((row) => row.id)
      const { about, words } = messageSubject(entity, ids, label)
      const names = group.slice(0, DIGEST_FROM).map((row) => row.name)
      const params = { ...words, count: group.length, names }
      const link = linkToPooled(entity, poolId, ids)
      await announce({ event: 'record.recycled', to: owner, ...about, link, params }, by)
    }
  }
}

function byOwner<Row extends { readonly owner_id: string }>(
  rows: readonly Row[],
): ReadonlyMap<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(row.owner_id, [...(groups.get(row.owner_id) ?? []), row])
  return groups
}

/** Once a day from nine o'clock: records that will be recycled within `remind_days` (DOMAIN 5). */
async function warn(entity: PoolName, trx: Trx, turn: RecycleTurn): Promise<void> {
  const { tenantId, now, zone } = turn
  const wall = wallTimeOf(now, zone)
  if (new Date(wall).getUTCHours() < WARN_HOUR || !(await isMyTurn(trx, turn, `warn/${entity}`))) return
  const pool: Pool | null = await homePool(entity, { trx, tenantId })
  if (pool === null || pool.settings.remind_days === 0) return
  const until = new Date(now.getTime() + pool.settings.remind_days * DAY_MS)
  const day = dayText(wall)
  const { rows } =
    await sql<Lost>`select r.id, ${pooledName(entity)} as name, r.owner_id from ${pooledTable(entity)} r
    where r.tenant_id = ${tenantId} and ${isPooledRow(entity)} and r.owner_id is not null and r.expire_at > ${now}
      and r.expire_at <= ${until} and r.deleted_at is null order by r.expire_at, r.id limit 20000`.execute(
      trx,
    )
  if (rows.length === 0) return
  const label = await ownLabel(entity, { trx, tenantId })
  const tab = linkToTab(isOwnPool(entity) ? { module: moduleOf(entity) } : entity, 'recycling')
  const isInTab = pool.settings.remind_days * DAY_MS <= REMIND_MS
  for (const [owner, soon] of byOwner(rows)) {
    const { about, words } = messageSubject(
      entity,
      soon.slice(0, 200).map((row) => row.id),
      label,
    )
    const names = soon.slice(0, DIGEST_FROM).map((row) => row.name)
    await announce(
      {
        event: 'record.recycle_soon',
        to: owner,
        ...about,
        ...(soon.length > 1 && isInTab ? { link: tab } : {}),
        params: { ...words, count: soon.length, names },
        once: `recycle_soon/${entity}/${owner}/${day}`,
      },
      { trx, now, caller: { tenantId, userId: null } },
    )
  }
}
