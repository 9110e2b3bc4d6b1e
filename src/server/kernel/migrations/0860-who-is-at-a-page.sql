-- Who has a page open at the workbench, as it says itself every half minute.
create table page_visit (
  tenant_id text not null references tenant (id),
  path text not null,
  user_id text not null,
  seen_at timestamptz not null,
  primary key (tenant_id, path, user_id)
);
select crm_guard('page_visit');
