-- What somebody is writing of a page and has not published: one text per person and page, broken or not.
create table page_draft (
  tenant_id text not null references tenant (id),
  path text not null,
  user_id text not null,
  text text not null,
  base integer not null default 0,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, path, user_id)
);
select crm_guard('page_draft');
