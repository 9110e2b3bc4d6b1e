import { sql } from 'kysely'
import type { Retention } from '../../kernel/config/retention.ts'
import type { Database } from '../../kernel/db/database.ts'
import { type Trouble, troublesIn } from './troubles.ts'

/** The operator's view of an installation. It contains names of tenants and pages, but none of their data. */
export interface Status {
  readonly at: string
  /** Problems that need attention; empty if all is well. */
  readonly troubles: readonly Trouble[]
  readonly version: string
  readonly schema: { readonly newest: string; readonly pending: readonly string[] }
  readonly servers: readonly ServerLine[]
  readonly jobs: readonly JobLine[]
  readonly queues: {
    readonly work: readonly {
      readonly status: string
      readonly count: number
      readonly oldest: string | null
    }[]
    readonly failedWorkOfADay: number
    readonly push: { readonly count: number; readonly oldest: string | null; readonly devices: number }
  }
  readonly storage: {
    readonly database: number
    readonly files: FilesLine
    readonly largest: readonly { readonly table: string; readonly bytes: number; readonly rows: number }[]
  }
  readonly backups: readonly {
    readonly kind: string
    readonly lastGood: string | null
    readonly lastFailed: string | null
    readonly message: string
  }[]
  /** For how many days rows are kept; 0: without limit. */
  readonly keeping: Retention
  readonly brokenPages: readonly { readonly page: string; readonly first: string }[]
  readonly killedHooks: readonly {
    readonly tenant: string
    readonly page: string
    readonly hook: string
    readonly week: number
  }[]
  readonly tenants: readonly {
    readonly code: string
    readonly name: string
    readonly status: string
    readonly people: number
    readonly sessions: number
  }[]
}

interface FilesLine {
  readonly count: number
  readonly bytes: number
  /** Deleted files whose content still exists. */
  readonly going: number
  /** Old files for which the first check found no reference. */
  readonly unnamed: number
}

interface ServerLine {
  readonly host: string
  readonly version: string
  readonly startedAt: string
  readonly seenAt: string
  /** The disk of its data folder, in bytes; null if it did not report it. */
  readonly diskFree: number | null
  readonly diskSize: number | null
  /** When its database was last unavailable. */
  readonly awayFrom: string | null
  readonly awayUntil: string | null
}

interface JobLine {
  readonly job: string
  /** For the tenant that is furthest behind; null if one never ran. */
  readonly lastRun: string | null
  /** The number of items created by the last runs, over all tenants. */
  readonly made: number
  readonly faults: readonly {
    readonly tenant: string
    readonly at: string
    readonly message: string
    readonly count: number
    /** It succeeded afterwards. */
    readonly isOver: boolean
  }[]
}

export interface StatusParts {
  readonly database: Database
  readonly version: string
  readonly jobs: readonly string[]
  readonly pending: readonly string[]
  readonly broken: Status['brokenPages']
  readonly keeping: Retention
  /** Interval between two backups; null if the server makes none. */
  readonly backupEveryMs: number | null
  readonly now: number
  /** The disk of this server's data folder at this moment: a full disk may prevent storing it. */
  readonly disk: { readonly host: string; readonly free: number; readonly size: number } | null
}

const DAY_MS = 86_400_000
const LARGEST = 10

/** Reads the state from the database. */
export async function readStatus(parts: StatusParts): Promise<Status> {
  const { database, now } = parts
  const seen = await database.system(async (trx) => {
    const rowsOf = async <T>(query: ReturnType<typeof sql<T>>): Promise<readonly T[]> =>
      (await query.execute(trx)).rows
    const day = new Date(now - DAY_MS)
    const week = new Date(now - 7 * DAY_MS)
    return {
      schema: await rowsOf(sql<{ name: string }>`select max(name) as name from schema_migration`),
      servers: await rowsOf(
        sql<ServerLine>`select host, version, ${iso('started_at')} as "startedAt", ${iso('seen_at')} as "seenAt",
          disk_free as "diskFree", disk_size as "diskSize", ${iso('away_from')} as "awayFrom",
          ${iso('away_until')} as "awayUntil" from server_seen order by started_at`,
      ),
      slots: await rowsOf(
        sql<{
          job: string
          last: string
          made: number
        }>`select s.job, ${iso('min(s.ran_at)')} as last, sum(s.made)::int as made from job_slot s
          join tenant t on t.id = s.tenant_id and t.status = 'normal' group by s.job
          union all select job, ${iso('ran_at')}, made from job_run`,
      ),
      faults: await rowsOf(
        sql<{
          job: string
          tenant: string
          at: string
          message: string
          count: number
          isOver: boolean
        }>`select f.job,
          coalesce(t.code, f.tenant_id) as tenant, ${iso('f.at')} as at, f.message, f.count,
          coalesce(s.ran_at > f.at, w.ran_at > f.at, false) as "isOver"
          from job_fault f left join tenant t on t.id = f.tenant_id
          left join job_slot s on s.tenant_id = f.tenant_id and s.job = f.job
          left join job_run w on f.tenant_id = '' and w.job = f.job order by f.at desc limit 100`,
      ),
      work: await rowsOf(
        sql<{ status: string; count: number; oldest: string | null }>`select status, count(*)::int as count,
          ${iso('min(created_at)')} as oldest from work where status in ('waiting', 'running') group by status order by status`,
      ),
      failedWork: await rowsOf(
        sql<{
          n: number
        }>`select count(*)::int as n from work where status = 'failed' and finished_at > ${day}`,
      ),
      push: await rowsOf(
        sql<{ count: number; oldest: string | null; devices: number }>`select count(*)::int as count,
          ${iso('min(created_at)')} as oldest, (select count(*)::int from push_subscription) as devices from push_task`,
      ),
      database: await rowsOf(sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`),
      files: await rowsOf(
        sql<FilesLine>`select count(*) filter (where deleted_at is null)::int as count,
          coalesce(sum(size), 0) as bytes, count(*) filter (where deleted_at is not null)::int as going,
          count(*) filter (where unnamed_at is not null and deleted_at is null)::int as unnamed
          from file where gone_at is null`,
      ),
      largest: await rowsOf(
        sql<{
          table: string
          bytes: number
          rows: number
        }>`select c.relname as table, pg_total_relation_size(c.oid) as bytes,
          greatest(c.reltuples, 0)::bigint as rows from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = 'public' and c.relkind = 'r' order by 2 desc limit ${LARGEST}`,
      ),
      backups: await rowsOf(
        sql<Status['backups'][number]>`select kind, ${iso('max(started_at) filter (where ok)')} as "lastGood",
          ${iso('max(started_at) filter (where not ok)')} as "lastFailed",
          coalesce((array_agg(message order by started_at desc) filter (where not ok))[1], '') as message
          from backup_run group by kind order by kind`,
      ),
      hooks: await rowsOf(
        sql<Status['killedHooks'][number]>`select coalesce(t.code, h.tenant_id) as tenant, h.page, h.hook,
          sum(h.count)::int as week from hook_fault h left join tenant t on t.id = h.tenant_id
          where h.day >= ${week}::timestamptz::date group by 1, 2, 3 order by 4 desc limit 50`,
      ),
      tenants: await rowsOf(
        sql<Status['tenants'][number]>`select t.code, t.name, t.status,
          (select count(*)::int from membership m where m.tenant_id = t.id and m.status = 'enabled' and m.deleted_at is null) as people,
          (select count(*)::int from session s where s.tenant_id = t.id and s.revoked_at is null
            and s.expires_at > ${new Date(now)}) as sessions
          from tenant t order by t.code`,
      ),
    }
  })
  const runs = new Map(seen.slots.map((slot) => [slot.job, slot]))
  const status: Omit<Status, 'troubles'> = {
    at: new Date(now).toISOString(),
    version: parts.version,
    schema: { newest: seen.schema[0]?.name ?? '', pending: parts.pending },
    servers: seen.servers.map((server) =>
      server.host === parts.disk?.host
        ? { ...server, diskFree: parts.disk.free, diskSize: parts.disk.size }
        : server,
    ),
    jobs: parts.jobs.map((job) => ({
      job,
      lastRun: runs.get(job)?.last ?? null,
      made: runs.get(job)?.made ?? 0,
      faults: seen.faults.filter((fault) => fault.job === job).map(({ job: _, ...fault }) => fault),
    })),
    queues: {
      work: seen.work,
      failedWorkOfADay: seen.failedWork[0]?.n ?? 0,
      push: seen.push[0] ?? { count: 0, oldest: null, devices: 0 },
    },
    storage: {
      database: seen.database[0]?.bytes ?? 0,
      files: seen.files[0] ?? { count: 0, bytes: 0, going: 0, unnamed: 0 },
      largest: seen.largest,
    },
    backups: seen.backups,
    keeping: parts.keeping,
    brokenPages: parts.broken,
    killedHooks: seen.hooks,
    tenants: seen.tenants,
  }
  return { ...status, troubles: troublesIn(status, parts) }
}

/** A time as text, the same from both databases. */
const iso = (moment: string) =>
  sql.raw<string>(`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`)
