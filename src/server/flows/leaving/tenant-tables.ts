import { sql } from 'kysely'
import type { Trx } from '../../kernel/db/database.ts'

/** A tenant as identified by the operator. */
export interface KnownTenant {
  readonly id: string
  readonly code: string
  readonly name: string
}

/** @throws Error with a sentence when there is none */
export async function findTenant(trx: Trx, code: string): Promise<KnownTenant> {
  const { rows } = await sql<KnownTenant>`select id, code, name from tenant where code = ${code}`.execute(trx)
  const [tenant] = rows
  if (tenant === undefined) throw new Error(`there is no tenant ${code}; npm run status names them`)
  return tenant
}

/**
 * Every table with rows of tenants, read from the database's own catalogue, so that new tables are included. Referring tables come before the tables
 * they refer to.
 */
export async function tenantTables(trx: Trx): Promise<readonly string[]> {
  const { rows: tables } = await sql<{ name: string }>`select c.relname as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not a.attisdropped order by 1`.execute(trx)
  const { rows: links } = await sql<{
    from: string
    to: string
  }>`select distinct a.relname as from, b.relname as to
    from pg_constraint k join pg_class a on a.oid = k.conrelid join pg_class b on b.oid = k.confrelid
    where k.contype = 'f' and a.oid <> b.oid and a.relnamespace = 'public'::regnamespace
      and b.relnamespace = 'public'::regnamespace`.execute(trx)
  const ordered: string[] = []
  let remaining = tables.map(({ name }) => name)
  while (remaining.length > 0) {
    const names = new Set(remaining)
    const wanted = new Set(links.filter(({ from }) => names.has(from)).map(({ to }) => to))
    const free = remaining.filter((name) => !wanted.has(name))
    if (free.length === 0) throw new Error(`tables refer to each other in a circle: ${remaining.join(', ')}`)
    ordered.push(...free)
    remaining = remaining.filter((name) => wanted.has(name))
  }
  return ordered
}
