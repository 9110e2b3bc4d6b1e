-- Pages that some people of a tenant have already: tried by them before everybody has them.
create table page_trial (
  tenant_id text not null references tenant (id),
  path text not null,
  set_id text not null,
  document json not null,
  etag text not null,
  -- { roles, users, percent }
  audience jsonb not null,
  started_at timestamptz not null,
  primary key (tenant_id, path)
);
select crm_guard('page_trial');
-- Who said when a set is to be published, and to whom: it is done in his name.
alter table change_set add column planned_by text;
