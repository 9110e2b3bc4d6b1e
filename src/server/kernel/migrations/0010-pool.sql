-- Pools 公海 / 线索池 / 商机池 (CRM 1.2): records of a tenant that nobody owns.
create table pool (
  tenant_id text not null references tenant (id),
  id text not null,
  entity text not null check (entity in ('customer', 'lead', 'bussiness')),
  name text not null check (char_length(name) between 1 and 100),
  is_default boolean not null default false,
  enabled boolean not null default true,
  -- Members may look and claim: everybody, or the listed users and departments.
  member_all boolean not null default false,
  member_user_ids text[] not null default '{}',
  member_dept_ids text[] not null default '{}',
  admin_user_ids text[] not null default '{}',
  -- Settings of CRM 1.2.1; an absent key means its default.
  settings jsonb not null default '{}',
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  version int not null default 1,
  ext jsonb not null default '{}',
  primary key (tenant_id, id),
  unique (tenant_id, entity, name)
);

select crm_guard('pool');
