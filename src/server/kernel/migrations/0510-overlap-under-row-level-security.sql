-- "Overlaps" of arrays, as "contains" in 0231: it compares texts for equality and tells nothing of them. Without the mark the question whether a
-- record is there already (numbers, pairs of characters of its name) reads every customer, contact and lead of all tenants.
do $$
begin
  alter function pg_catalog.arrayoverlap(anyarray, anyarray) leakproof;
exception when insufficient_privilege then
  raise notice 'searches will read whole tables: arrayoverlap is not marked leakproof';
end $$;

-- The same name and the same web site; the unique index of names leaves out those that may be there twice.
create index customer_name_norm on customer (tenant_id, name_norm) where deleted_at is null;
create index customer_website_host on customer (tenant_id, website_host) where deleted_at is null and website_host is not null;
