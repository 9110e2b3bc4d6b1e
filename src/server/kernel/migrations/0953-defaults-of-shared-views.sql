-- A view that a colleague shares, as the default of whoever chose it; one of their own is marked in saved_view.
create table shared_default (
  tenant_id text not null references tenant (id),
  user_id text not null,
  entity text not null,
  view_id text not null,
  primary key (tenant_id, user_id, entity),
  foreign key (tenant_id, user_id) references membership (tenant_id, user_id),
  foreign key (tenant_id, view_id) references saved_view (tenant_id, id) on delete cascade
);
create index shared_default_view on shared_default (tenant_id, view_id);
select crm_guard('shared_default');
