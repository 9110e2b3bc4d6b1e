-- How often a version of a page was opened and how often it failed, by person and five minutes: counts, nothing of what was filled in.
create table page_health (
  tenant_id text not null references tenant (id),
  path text not null,
  -- The number of the version, 0 the product's; below it, what is tried.
  version text not null,
  slot timestamptz not null,
  user_id text not null,
  opened integer not null,
  failed integer not null,
  faults integer not null,
  killed integer not null,
  submits integer not null,
  primary key (tenant_id, path, version, slot, user_id)
);
create index page_health_slot on page_health (tenant_id, slot);
select crm_guard('page_health');
