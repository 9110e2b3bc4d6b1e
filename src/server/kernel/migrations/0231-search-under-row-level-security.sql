-- Row-level security puts a function that is not leakproof behind its own condition: then no index answers it, and a search reads the whole
-- table. "Contains" of arrays tells nothing of what it compares (it compares texts for equality, which is leakproof itself). A user who may not say so
-- (a managed server) goes on without, slower; its administrator can say it once: src/server/README.md.
do $$
begin
  alter function pg_catalog.arraycontains(anyarray, anyarray) leakproof;
exception when insufficient_privilege then
  raise notice 'searches will read whole tables: arraycontains is not marked leakproof';
end $$;

-- Pinyin and record numbers are found from their beginning (starts_with, leakproof, answered by an index in the C collation).
create index lead_pinyin on lead (tenant_id, py, id) where deleted_at is null;
create index bussiness_pinyin on bussiness (tenant_id, py, id) where deleted_at is null;
create index customer_number on customer (tenant_id, customer_no collate "C") where deleted_at is null;
create index bussiness_number on bussiness (tenant_id, bussiness_no collate "C") where deleted_at is null;
