import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Trx } from '../../kernel/db/database.ts'
import { heldIn } from '../../kernel/fields/convert-field.ts'
import { MODULE_CHANNEL } from '../../kernel/model/library.ts'
import { FILL_PART } from '../../kernel/model/own-index.ts'

/** Maximum time of one round, in milliseconds: a server that stops waits for it, and the next round continues where it ended. */
const TURN_MS = 10_000
/** Number of attempts to find a moment without writers of the module's records, before later writers have to wait. */
const TRIES = 20
const PAUSE_MS = 50
const NOBODY = 'system'

interface Open {
  readonly tenant: string
  readonly module: string
  readonly field: string
  readonly class: 'text' | 'number' | 'moment' | 'ref'
  readonly state: 'filling' | 'leaving'
}

/**
 * Fills the mirrors of fields from existing records, in parts, and deletes the rows of mirrors that are no longer used.
 * Each part is a transaction that stores the progress: a server that is killed loses nothing.
 *
 * @returns how many parts were done
 */
export async function fillOwnIndexes(database: Database): Promise<number> {
  const until = performance.now() + TURN_MS
  let parts = 0
  for (const field of await openFields(database)) {
    for (let isOpen = true; isOpen && performance.now() < until; parts += 1)
      isOpen = field.state === 'leaving' ? await clearPart(database, field) : await fillPart(database, field)
  }
  return parts
}

/** @returns true while there is more */
async function fillPart(database: Database, field: Open): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    const done = await database.tenant({ tenantId: field.tenant, userId: NOBODY }, async (trx) => {
      if (tries < TRIES && !(await isQuiet(trx, field))) return null
      const { table } = heldIn(field.module)
      const { rows } = await sql<{
        n: number
      }>`select crm_own_fill(${field.tenant}, ${field.module}, ${field.field},
        ${table}, ${FILL_PART}) as n`.execute(trx)
      const isOpen = (rows[0]?.n ?? 0) === FILL_PART
      if (!isOpen) await database.notify(trx, MODULE_CHANNEL, field.tenant)
      return isOpen
    })
    if (done !== null) return done
    await setTimeout(PAUSE_MS)
  }
}

/** Takes the lock of the module's writers if it is free. */
async function isQuiet(trx: Trx, { tenant, module }: Open): Promise<boolean> {
  const { rows } = await sql<{
    taken: boolean
  }>`select pg_try_advisory_xact_lock(crm_own_lock(${tenant}, ${module})) as taken`.execute(trx)
  return rows[0]?.taken === true
}

/** @returns true while there is more */
async function clearPart(database: Database, field: Open): Promise<boolean> {
  return database.tenant({ tenantId: field.tenant, userId: NOBODY }, async (trx) => {
    const leaving =
      await sql`select 1 from own_index where ${isThis(field)} and state = 'leaving' for update`.execute(trx)
    if (leaving.rows.length === 0) return false
    const table = sql.table(`own_${field.class}`)
    const { rows } = await sql`delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${isThis(field)} limit ${FILL_PART})) returning 1`.execute(trx)
    if (rows.length === FILL_PART) return true
    await sql`delete from own_index where ${isThis(field)}`.execute(trx)
    return false
  })
}

const isThis = ({ tenant, module, field }: Open) =>
  sql<boolean>`(tenant_id = ${tenant} and module = ${module} and field = ${field})`

async function openFields(database: Database): Promise<readonly Open[]> {
  const { rows } = await database.system((trx) =>
    sql<Open>`select i.tenant_id as tenant, i.module, i.field, i.class, i.state
      from own_index i where i.state <> 'ready' and not exists (select 1 from field_conversion c
        where c.tenant_id = i.tenant_id and c.module = i.module and c.field = i.field) order by i.tenant_id, i.module, i.field`.execute(
      trx,
    ),
  )
  return rows
}
