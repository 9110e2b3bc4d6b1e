-- Who owned what, when and why (CRM 1.0): append-only, the source of quotas and of the ownership statistics.
create table owner_record (
  tenant_id text not null references tenant (id),
  id text not null,
  entity text not null check (entity in ('customer', 'lead', 'bussiness')),
  record_id text not null,
  from_user text,
  to_user text,
  from_pool text,
  to_pool text,
  kind text not null
    check (kind in ('create', 'import', 'claim', 'assign', 'transfer', 'release', 'recycle', 'convert', 'resign')),
  reason text,
  operator_id text,
  at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index owner_record_of on owner_record (tenant_id, entity, record_id, at desc, id desc);
create index owner_record_to on owner_record (tenant_id, to_user, kind, at);
create index owner_record_from on owner_record (tenant_id, from_user, kind, at);
create index owner_record_at on owner_record (tenant_id, entity, kind, at);

-- Colleagues who share a record (CRM 1.0 collaborators).
create table collaborator (
  tenant_id text not null references tenant (id),
  entity text not null check (entity in ('customer', 'lead', 'bussiness', 'contract')),
  record_id text not null,
  user_id text not null,
  level text not null default 'read' check (level in ('read', 'write')),
  expire_at timestamptz(3),
  created_by text,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, entity, record_id, user_id)
);
create index collaborator_of_user on collaborator (tenant_id, user_id, entity);

-- Records a user marked with a star, and those he opened last.
create table star (
  tenant_id text not null references tenant (id),
  user_id text not null,
  entity text not null,
  record_id text not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, user_id, entity, record_id)
);

create table recent_view (
  tenant_id text not null references tenant (id),
  user_id text not null,
  entity text not null,
  record_id text not null,
  viewed_at timestamptz(3) not null default now(),
  primary key (tenant_id, user_id, entity, record_id)
);
create index recent_view_latest on recent_view (tenant_id, user_id, entity, viewed_at desc);

-- Document numbers: one row per tenant, kind and day, counted inside the writing transaction (CRM 1.16).
create table document_counter (
  tenant_id text not null references tenant (id),
  kind text not null,
  day date not null,
  last_number int not null,
  primary key (tenant_id, kind, day)
);

-- Monthly targets of a person or a department (CRM 3, home).
create table sales_target (
  tenant_id text not null references tenant (id),
  object_type text not null check (object_type in ('user', 'dept')),
  object_id text not null,
  month date not null check (extract(day from month) = 1),
  contract_amount numeric(14, 2) not null default 0,
  payment_amount numeric(14, 2) not null default 0,
  primary key (tenant_id, object_type, object_id, month)
);

select crm_guard('owner_record', 'select, insert');
select crm_guard('collaborator');
select crm_guard('star');
select crm_guard('recent_view');
select crm_guard('document_counter');
select crm_guard('sales_target');
