-- Prints what a Citus coordinator is told to spread this database over its workers, tenant by tenant; nothing is changed:
--   psql -At "$DATABASE_URL" -f src/deploy/distribute.sql
-- Made from the catalogue, so a new table is in it by itself. Tables without a tenant go to every worker (reference tables); they come first,
-- and a table comes after those it refers to.
with recursive mine as (
  select c.oid, c.relname as name, exists (
    select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnotnull and not a.attisdropped
  ) and c.relname <> all (array['job_fault', 'hook_fault']) as of_tenants
  from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'schema_migration'
), depth (oid, deep) as (
  select oid, 0 from mine
  union
  select f.conrelid, d.deep + 1 from depth d join pg_constraint f on f.confrelid = d.oid and f.contype = 'f' and f.conrelid <> f.confrelid
    where d.deep < 20
)
select case when m.of_tenants
    then format('select create_distributed_table(%L, ''tenant_id'', colocate_with => %L);', m.name, case when m.name = 'membership' then 'default' else 'membership' end)
    else format('select create_reference_table(%L);', m.name) end
  from mine m join (select oid, max(deep) as deep from depth group by oid) d using (oid)
  order by m.of_tenants, m.name <> 'membership', d.deep, m.name;
