-- Rights of a role beyond its permissions (CRM 2.2, 2.3). field_rights: { "<entity>": { "<field>": "hidden"|"masked"|"read" } },
-- custom_depts: { "default"|"<module>": ["<department>", …] } for the scope dept_custom.
alter table role add column field_rights jsonb not null default '{}';
alter table role add column custom_depts jsonb not null default '{}';
set local role crm_system;
update role set field_rights = '{
    "customer": { "mobile": "masked", "telephone": "masked", "wechat": "masked", "email": "masked" },
    "contact": { "mobile": "masked", "mobile2": "masked", "telephone": "masked", "wechat": "masked", "email": "masked", "qq": "masked" },
    "lead": { "mobile": "masked", "telephone": "masked", "wechat": "masked", "email": "masked" }
  }' where code = 'observer';
update role set field_rights = '{ "bussiness": { "win_rate": "read" }, "product": { "cost": "hidden" } }' where code = 'sales';
reset role;

-- Changed recycling rules take nobody's record before grace_until; the job computes expiries anew while rules_changed_at is set.
alter table pool add column grace_until timestamptz(3);
alter table pool add column rules_changed_at timestamptz(3);
alter table owner_record add column remark text check (char_length(remark) <= 500);

alter table lead add column products text[] not null default '{}' check (cardinality(products) <= 50);
-- The last open stage of an opportunity that is closed: where it was lost, and where it goes on when reopened (CRM 1.5).
alter table bussiness add column last_stage_id text;

-- Sales flows 销售流程 (CRM 1.5). stages: [{ "id", "winRate", "required": [fields to fill before leaving it] }], names are
-- those of dictionary bussiness_stage. A tenant without a flow works by the product's own.
create table bussiness_flow (
  tenant_id text not null references tenant (id),
  id text not null,
  name text not null check (char_length(name) between 1 and 40),
  is_default boolean not null default false,
  enabled boolean not null default true,
  allow_back boolean not null default true,
  stages jsonb not null,
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  version int not null default 1,
  ext jsonb not null default '{}',
  primary key (tenant_id, id)
);
select crm_guard('bussiness_flow');

-- Saved views of a list, personal or shared (CRM 1.1.4).
create table saved_view (
  tenant_id text not null references tenant (id),
  id text not null,
  entity text not null,
  user_id text not null,
  shared boolean not null default false,
  name text not null check (char_length(name) between 1 and 40),
  request jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references membership (tenant_id, user_id)
);
create unique index saved_view_name on saved_view (tenant_id, entity, user_id, name);
select crm_guard('saved_view');

-- Where a merged record went (CRM 1.1.6).
create table record_redirect (
  tenant_id text not null references tenant (id),
  entity text not null,
  old_id text not null,
  new_id text not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, entity, old_id)
);
select crm_guard('record_redirect', 'select, insert, update');

-- What people are to be told (CRM 5); the message room delivers it. source_key makes a repeated announcement one.
create table announcement (
  tenant_id text not null references tenant (id),
  id text not null,
  event text not null,
  receiver_id text not null,
  entity text,
  record_ids text[] not null default '{}',
  params jsonb not null default '{}',
  source_key text not null,
  created_by text,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create unique index announcement_once on announcement (tenant_id, source_key);
create index announcement_of on announcement (tenant_id, receiver_id, created_at desc);
select crm_guard('announcement');

create index lead_expire on lead (tenant_id, expire_at) where owner_id is not null and expire_at is not null;
create index lead_owner_last_follow on lead
  (tenant_id, owner_id, coalesce(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index lead_owner_next_follow on lead
  (tenant_id, owner_id, coalesce(next_follow_at, 'infinity'::timestamptz), id) where deleted_at is null;
create index lead_created on lead (tenant_id, created_at desc, id desc) where deleted_at is null;
create index lead_name_norm on lead (tenant_id, name_norm) where deleted_at is null;
create index bussiness_expire on bussiness (tenant_id, expire_at) where owner_id is not null and expire_at is not null;
create index bussiness_owner_last_follow on bussiness
  (tenant_id, owner_id, coalesce(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index bussiness_dept_last_follow on bussiness
  (tenant_id, owner_dept_id, coalesce(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index bussiness_last_follow on bussiness
  (tenant_id, coalesce(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index bussiness_expected on bussiness (tenant_id, expected_date, id) where deleted_at is null and status = 1;
