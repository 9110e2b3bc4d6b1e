import { sql } from 'kysely'
import type { Database, Trx } from './database.ts'

/** Tables that belong to no tenant. `crm_app` has no rights on them; everything else is a tenant table. */
export const GLOBAL_TABLES: ReadonlySet<string> = new Set([
  'schema_migration',
  'app_user',
  'session',
  'login_failure',
  'captcha',
  'backup_run',
  'last_good',
  'push_key',
  'server_seen',
  'job_fault',
  'hook_fault',
  'job_run',
  'shared_limit',
  'erasure',
])

/**
 * Reads the database's own catalogue for tables that do not keep tenants apart: tenant-first keys, forced row-level security
 * with a policy on `app.tenant`, nothing global readable by the application role.
 *
 * @returns one sentence per fault; empty when all is well
 */
export async function tenantTableFaults(trx: Trx): Promise<readonly string[]> {
  const { rows } = await sql<{ fault: string }>`
    with tables as (
      select c.oid, c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
             c.relname = any(${[...GLOBAL_TABLES]}::text[]) as is_global,
             case when c.relname = 'tenant' then 'id' else 'tenant_id' end as tenant_column
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p')
    ), owned as (select * from tables where not is_global)
    select name || ': ' || fault as fault from (
      select name, 'the application role may read this global table' as fault from tables
        where is_global and has_any_column_privilege('crm_app', oid, 'select, insert, update')
      union all
      select name, 'row-level security is not enabled and forced' from owned where not forced
      union all
      select name, 'no policy for crm_app on app.tenant' from owned t where not exists (
        select 1 from pg_policy p where p.polrelid = t.oid and p.polcmd = '*'
          and p.polroles = array['crm_app'::regrole::oid]
          and pg_get_expr(p.polqual, p.polrelid) = '(' || t.tenant_column || ' = current_setting(''app.tenant''::text, true))'
          and pg_get_expr(p.polwithcheck, p.polrelid) = pg_get_expr(p.polqual, p.polrelid))
      union all
      select name, 'policy "' || p.polname || '" opens it to other roles' from owned t join pg_policy p on p.polrelid = t.oid
        where not (p.polname in ('own_tenant', 'whole_system')
          and p.polroles = array[(case p.polname when 'own_tenant' then 'crm_app' else 'crm_system' end)::regrole::oid])
      union all
      select name, 'no not-null column ' || tenant_column from owned t where not exists (
        select 1 from pg_attribute a where a.attrelid = t.oid and a.attname = t.tenant_column and a.attnotnull)
      union all
      select name, 'no primary key' from owned t
        where not exists (select 1 from pg_index i where i.indrelid = t.oid and i.indisprimary)
      union all
      select name, 'unique index "' || i.indexrelid::regclass || '" does not start with tenant_id'
        from owned t join pg_index i on i.indrelid = t.oid
        where i.indisunique and t.name <> 'tenant' and not exists (
          select 1 from pg_attribute a where a.attrelid = t.oid and a.attnum = i.indkey[0] and a.attname = 'tenant_id')
      union all
      select t.name, 'foreign key "' || k.conname || '" does not start with tenant_id'
        from owned t join pg_constraint k on k.conrelid = t.oid and k.contype = 'f'
        join tables target on target.oid = k.confrelid
        where not target.is_global and not exists (
          select 1 from pg_attribute a, pg_attribute b
          where a.attrelid = t.oid and a.attnum = k.conkey[1] and a.attname = 'tenant_id'
            and b.attrelid = target.oid and b.attnum = k.confkey[1] and b.attname = target.tenant_column)
    ) found order by 1`.execute(trx)
  return rows.map((row) => row.fault)
}

/**
 * Errors in the roles that the product uses: a database restored without them has no policies and no rights either.
 *
 * @returns one sentence per fault; empty when all is well
 */
async function roleFaults(trx: Trx): Promise<readonly string[]> {
  const { rows } = await sql<{ fault: string }>`
    with wanted (name) as (values ('crm_app'), ('crm_system'))
    select w.name || ': ' || fault as fault from wanted w left join pg_roles r on r.rolname = w.name
      cross join lateral (values
        (r.oid is null, 'the role is missing'),
        (r.rolsuper or r.rolbypassrls, 'the role passes by row-level security'),
        (not pg_has_role(current_user, r.oid, 'member'), 'the user of this connection may not take on the role'),
        (exists (select 1 from pg_auth_members m where m.member = r.oid), 'the role has the rights of another role, too')
      ) as faults (is_so, fault) where is_so order by 1`.execute(trx)
  return rows.map((row) => row.fault)
}

/** Tables that `crm_app` and `crm_system` cannot read: a restore without roles loses their rights. */
async function rightFaults(trx: Trx): Promise<readonly string[]> {
  const { rows } = await sql<{ fault: string }>`
    select c.relname || ': ' || r.rolname || ' may not read it' as fault
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_roles r on r.rolname in ('crm_app', 'crm_system')
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not has_table_privilege(r.oid, c.oid, 'select')
      and not (c.relname = 'schema_migration' or (r.rolname = 'crm_app' and c.relname = any(${[...GLOBAL_TABLES]}::text[])))
    order by 1`.execute(trx)
  return rows.map((row) => row.fault)
}

/** @throws Error for the operator if roles, rights or policies do not keep tenants apart */
export async function refuseUnsafe(database: Database): Promise<void> {
  await database.owner(async (trx) => {
    const roles = await roleFaults(trx)
    // The other checks refer to the roles.
    const faults = roles.length > 0 ? roles : [...(await rightFaults(trx)), ...(await tenantTableFaults(trx))]
    if (faults.length > 0)
      throw new Error(
        `this database does not keep tenants apart; was it restored without its roles crm_app and crm_system?\n${faults.join('\n')}`,
      )
  })
}
