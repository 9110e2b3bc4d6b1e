-- Who likes a follow-up: one row per person. Counted when it is shown, so that nobody waits for anybody.
create table follow_like (
  tenant_id text not null references tenant (id),
  follow_id text not null,
  user_id text not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, follow_id, user_id),
  foreign key (tenant_id, follow_id) references follow (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references membership (tenant_id, user_id) on delete cascade
);

select crm_guard('follow_like');
