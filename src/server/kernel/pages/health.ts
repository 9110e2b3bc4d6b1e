import { sql } from 'kysely'
import type { Trx } from '../db/database.ts'

declare module '../db/tables.ts' {
  interface Tables {
    page_health: HealthCounts & {
      tenant_id: string
      path: string
      version: string
      slot: Date
      user_id: string
    }
  }
}

/** Statistics that open pages report: counts only, never content. */
export interface HealthCounts {
  readonly opened: number
  /** Openings in which one of the others happened. */
  readonly failed: number
  /** Hooks that failed. */
  readonly faults: number
  /** Hooks that were disabled. */
  readonly killed: number
  /** Forms that the server rejected although no field was invalid. */
  readonly submits: number
}

/** A person counts for at most this many openings within this time, so that a tenant's table stays small. */
const SLOT_MS = 5 * 60_000
const MAX_OPENINGS = 10
const RETENTION_DAYS = 30

/** The name under which a version is counted. */
export const versionName = (revision: number): string => String(revision)
export const trialName = (of: string): string => `try ${of}`

interface Version {
  readonly path: string
  readonly version: string
  /** When it became current; null for the product's page. */
  readonly since: Date | null
}

export interface Noted extends HealthCounts, Version {}

interface Person {
  readonly tenantId: string
  readonly userId: string
}

/** Adds the counts of one person's device. */
export async function noteHealth(
  trx: Trx,
  { tenantId, userId }: Person,
  { path, version, since, opened, failed, faults, killed, submits }: Noted,
  now: Date,
): Promise<void> {
  const begin = Math.floor(now.getTime() / SLOT_MS) * SLOT_MS
  // Counts from before it became current again stay apart.
  const slot = new Date(Math.max(begin, since?.getTime() ?? 0))
  const counts = [opened, failed, faults, killed, submits].map((n) => Math.min(n, MAX_OPENINGS))
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = counts
  const maximum = sql.lit(MAX_OPENINGS)
  await sql`insert into page_health as h (tenant_id, path, version, slot, user_id, opened, failed, faults, killed, submits)
    values (${tenantId}, ${path}, ${version}, ${slot}, ${userId}, ${a}, ${b}, ${c}, ${d}, ${e})
    on conflict (tenant_id, path, version, slot, user_id) do update set
      opened = least(${maximum}, h.opened + excluded.opened), failed = least(${maximum}, h.failed + excluded.failed),
      faults = least(${maximum}, h.faults + excluded.faults), killed = least(${maximum}, h.killed + excluded.killed),
      submits = least(${maximum}, h.submits + excluded.submits)`.execute(trx)
}

const NOTHING: HealthCounts = { opened: 0, failed: 0, faults: 0, killed: 0, submits: 0 }

/** The counts of each version of a page. */
export async function healthOf(
  trx: Trx,
  tenantId: string,
  path: string,
): Promise<(version: string) => HealthCounts> {
  const { rows } = await sql<HealthCounts & { version: string }>`select version, sum(opened)::int as opened,
      sum(failed)::int as failed, sum(faults)::int as faults, sum(killed)::int as killed, sum(submits)::int as submits
    from page_health where tenant_id = ${tenantId} and path = ${path} group by version`.execute(trx)
  const known = new Map(rows.map(({ version, ...counts }) => [version, counts]))
  return (version) => known.get(version) ?? NOTHING
}

/** What is known of a version since it became current. */
export interface Health {
  readonly all: HealthCounts
  /** How many people reported failures. */
  readonly people: number
  /** The counts of the person asking. */
  readonly own: HealthCounts
}

/** The counts of a version since it became current. */
export async function healthSince(
  trx: Trx,
  { tenantId, userId }: Person,
  { path, version, since }: Version,
): Promise<Health> {
  const { rows } = await sql<HealthCounts & { user_id: string }>`select user_id, sum(opened)::int as opened,
      sum(failed)::int as failed, sum(faults)::int as faults, sum(killed)::int as killed, sum(submits)::int as submits
    from page_health where tenant_id = ${tenantId} and path = ${path} and version = ${version}
      and slot >= ${since ?? new Date(0)} group by user_id`.execute(trx)
  return {
    all: rows.reduce(addCounts, NOTHING),
    people: rows.filter(({ failed }) => failed > 0).length,
    own: rows.find((row) => row.user_id === userId) ?? NOTHING,
  }
}

const addCounts = (one: HealthCounts, other: HealthCounts): HealthCounts => ({
  opened: one.opened + other.opened,
  failed: one.failed + other.failed,
  faults: one.faults + other.faults,
  killed: one.killed + other.killed,
  submits: one.submits + other.submits,
})

/** Deletes old counts. */
export async function forgetHealth(trx: Trx, tenantId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - RETENTION_DAYS * 86_400_000)
  await trx.deleteFrom('page_health').where('tenant_id', '=', tenantId).where('slot', '<', before).execute()
}

const MIN_OPENINGS = 20
const FAILED_SHARE = 0.05
const TIMES_WORSE = 2
/** Reports are only said: fewer people take back no page that somebody else has published. */
const MIN_PEOPLE = 3

/** True if a version fails often, and clearly more often than the previous one. */
function isWorse(now: HealthCounts, before: HealthCounts): boolean {
  if (now.opened < MIN_OPENINGS) return false
  const share = now.failed / now.opened
  const was = before.opened === 0 ? 0 : before.failed / before.opened
  return share > FAILED_SHARE && share >= TIMES_WORSE * was
}

/**
 * True if a version should be taken back: it is worse than the previous one by the failures of several people, or by those of the person asking alone.
 *
 * @param mayAlone  they may take it back themselves
 */
export function isToGoBack({ all, people, own }: Health, before: HealthCounts, mayAlone: boolean): boolean {
  return isWorse(all, before) && (people >= MIN_PEOPLE || (mayAlone && isWorse(own, before)))
}
