-- Modules and fields as data (src/model): what tenants say beyond the files under schemas/modules.

-- A module of a tenant's own, or its difference to one of the product's, in versions: the newest counts.
create table module_override (
  tenant_id text not null references tenant (id),
  name text not null check (char_length(name) <= 40),
  version int not null check (version > 0),
  kind text not null check (kind in ('own', 'difference')),
  description jsonb not null,
  deleted boolean not null default false,
  created_by text,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, name, version)
);
select crm_guard('module_override', 'select, insert');

-- Records of modules of a tenant's own: common columns here, the module's fields in ext.
create table record (
  tenant_id text not null references tenant (id),
  module text not null check (char_length(module) <= 40),
  id text not null,
  title text not null check (char_length(title) <= 500),
  record_no text check (char_length(record_no) <= 60),
  owner_id text,
  owner_dept_id text,
  search_text text not null default '',
  search_tokens text[] not null default '{}',
  py text collate "C" not null default '',
  py_initial text collate "C" not null default '',
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  version int not null default 1,
  ext jsonb not null default '{}',
  primary key (tenant_id, module, id),
  unique (tenant_id, module, record_no),
  foreign key (tenant_id, owner_id) references membership (tenant_id, user_id)
);
create index record_owner on record (tenant_id, module, owner_id, created_at desc, id desc) where deleted_at is null;
create index record_dept on record (tenant_id, module, owner_dept_id, created_at desc, id desc) where deleted_at is null;
create index record_all on record (tenant_id, module, created_at desc, id desc) where deleted_at is null;
create index record_tokens on record using gin (search_tokens);
select crm_guard('record');
