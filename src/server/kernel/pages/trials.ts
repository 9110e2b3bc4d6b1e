import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Trx } from '../db/database.ts'
import { json } from '../db/json.ts'
import type { WrittenPage } from './overrides.ts'
import { etagOf } from './page-version.ts'

declare module '../db/tables.ts' {
  interface Tables {
    page_trial: {
      tenant_id: string
      path: string
      set_id: string
      document: Json
      etag: string
      audience: Json
      started_at: Date
    }
  }
}

type Head = Pick<WrittenPage, 'revision' | 'etag'>

/** The person pages are requested for. */
export interface Reader {
  readonly userId: string
  /** Codes of their roles. */
  readonly roles: readonly string[]
}

/** Who gets a page first: people with these roles, these people, and a percentage of everybody. */
export interface Audience {
  readonly roles: readonly string[]
  readonly users: readonly string[]
  readonly percent: number
  /** Identifies the trial: another one selects other people. */
  readonly of: string
}

/** A page on trial. */
export interface Trial {
  readonly path: string
  readonly etag: string
  readonly audience: Audience
}

/** True for somebody who takes part in a trial; always the same people, and more of them when it is widened. */
export function isAmong({ roles, users, percent, of }: Audience, reader: Reader): boolean {
  if (users.includes(reader.userId) || roles.some((role) => reader.roles.includes(role))) return true
  return percent > 0 && placeOf(of, reader.userId) < percent
}

/** A person's position from 0 to 99. */
const placeOf = (of: string, userId: string): number =>
  createHash('sha256').update(`${of}/${userId}`).digest().readUInt32BE(0) % 100

export function readAudience(value: Json, of: string): Audience {
  const { roles, users, percent }: JsonObject = isObject(value) ? value : {}
  const list = (given: Json | undefined): readonly string[] => (Array.isArray(given) ? given.map(String) : [])
  return { roles: list(roles), users: list(users), percent: Number(percent ?? 0), of }
}

const COLUMNS = ['path', 'etag', 'audience', 'set_id'] as const

const asTrial = (row: { path: string; etag: string; audience: Json; set_id: string }): Trial => ({
  path: row.path,
  etag: row.etag,
  audience: readAudience(row.audience, row.set_id),
})

/** The running trials of the tenant. */
export async function findTrials(trx: Trx, tenantId: string): Promise<readonly Trial[]> {
  const rows = await trx.selectFrom('page_trial').select(COLUMNS).where('tenant_id', '=', tenantId).execute()
  return rows.map(asTrial)
}

export async function findTrial(trx: Trx, tenantId: string, path: string): Promise<Trial | null> {
  const row = await trx
    .selectFrom('page_trial')
    .select(COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where('path', '=', path)
    .executeTakeFirst()
  return row === undefined ? null : asTrial(row)
}

/** The tenant's replacement at a path, by one query: the head of the published version, and the trial. */
export async function findAt(
  trx: Trx,
  tenantId: string,
  path: string,
): Promise<{ readonly head: Head | null; readonly trial: Trial | null }> {
  const { rows } = await sql<{
    revision: number | null
    etag: string
    tried: string | null
    audience: Json
    set_id: string
  }>`select o.revision, o.etag, t.etag as tried, t.audience, t.set_id from (select 1) one
    left join page_override o on o.tenant_id = ${tenantId} and o.path = ${path} and o.status = 'published'
    left join page_trial t on t.tenant_id = ${tenantId} and t.path = ${path}`.execute(trx)
  const [{ revision, etag, tried, audience, set_id } = NOTHING] = rows
  return {
    head: revision === null ? null : { revision, etag },
    trial: tried === null ? null : asTrial({ path, etag: tried, audience, set_id }),
  }
}

const NOTHING = { revision: null, etag: '', tried: null, audience: null, set_id: '' }

/** The trial document at a path, as written. */
export async function trialDocument(trx: Trx, tenantId: string, path: string): Promise<Json> {
  const row = await trx
    .selectFrom('page_trial')
    .select('document')
    .where('tenant_id', '=', tenantId)
    .where('path', '=', path)
    .executeTakeFirst()
  return row?.document ?? null
}

/** Gives some people a page, or changes who gets the trial. The page is locked. */
export async function putTrial(
  trx: Trx,
  tenantId: string,
  { path, document, audience, now }: Pick<Trial, 'path'> & { document: Json; audience: Audience; now: Date },
): Promise<void> {
  const { roles, users, percent, of } = audience
  const rule = json({ roles: [...roles], users: [...users], percent })
  const values = { set_id: of, document: json(document), etag: etagOf(document), audience: rule }
  await trx
    .insertInto('page_trial')
    .values({ tenant_id: tenantId, path, started_at: now, ...values })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'path']).doUpdateSet(values))
    .execute()
}

/** Ends the trials of a change set. @returns what was on trial */
export async function endTrials(trx: Trx, tenantId: string, of: string): Promise<readonly Trial[]> {
  const rows = await trx
    .deleteFrom('page_trial')
    .where('tenant_id', '=', tenantId)
    .where('set_id', '=', of)
    .returning(COLUMNS)
    .execute()
  return rows.map(asTrial)
}
