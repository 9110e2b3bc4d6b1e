-- Roles: the application works as crm_app (row-level security decides what it sees), login and jobs as crm_system.
-- Roles belong to the whole cluster, so another database may have made them, even at this moment.
do $$
declare wanted text;
begin
  foreach wanted in array array['crm_app', 'crm_system'] loop
    begin
      execute format('create role %I nologin', wanted);
    exception when duplicate_object or unique_violation then null;
    end;
    begin
      execute format('set local role %I', wanted);
      reset role;
    exception when insufficient_privilege then
      execute format('grant %I to %I', wanted, current_user);
    end;
  end loop;
end $$;

grant usage on schema public to crm_app, crm_system;
create extension if not exists pg_trgm;

-- Puts a tenant table under row-level security. Every migration that makes a tenant table calls it.
-- rights: what crm_app may do, for example 'select, insert' for an append-only table.
create function crm_guard(target text, rights text default 'select, insert, update, delete', tenant_column text default 'tenant_id')
returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security', target);
  execute format('alter table %I force row level security', target);
  execute format('create policy own_tenant on %I to crm_app using (%I = current_setting(''app.tenant'', true)) with check (%I = current_setting(''app.tenant'', true))', target, tenant_column, tenant_column);
  execute format('create policy whole_system on %I to crm_system using (true) with check (true)', target);
  execute format('grant %s on %I to crm_app', rights, target);
  execute format('grant select, insert, update, delete on %I to crm_system', target);
end $$;

create table tenant (
  id text primary key,
  code text not null unique,
  name text not null,
  short_name text not null default '',
  logo text not null default '',
  industry text not null default '',
  edition text not null default 'standard',
  max_users integer not null default 100,
  timezone text not null default 'Asia/Shanghai',
  status text not null default 'normal' check (status in ('normal', 'disabled', 'expired')),
  expire_at timestamptz,
  settings jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
select crm_guard('tenant', 'select', 'id');

-- Global tables: persons, their sessions and login protection. crm_app never reads them.
create table app_user (
  id text primary key,
  account text not null unique check (account = lower(account)),
  mobile text unique,
  email text,
  password_hash text not null,
  password_history jsonb not null default '[]',
  password_changed_at timestamptz not null default now(),
  must_change_password boolean not null default false,
  status text not null default 'normal' check (status in ('normal', 'locked', 'cancelled')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table session (
  id text primary key,
  user_id text not null references app_user (id),
  tenant_id text not null references tenant (id),
  device_id text not null,
  device_name text not null default '',
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_reason text
);
create index session_by_user on session (user_id) where revoked_at is null;
create table login_failure (
  account text primary key,
  count integer not null default 0,
  locked_until timestamptz,
  updated_at timestamptz not null default now()
);
create table captcha (
  id text primary key,
  answer text not null,
  device_id text not null,
  expires_at timestamptz not null
);
grant select, insert, update, delete on app_user, session, login_failure, captcha to crm_system;

create table department (
  tenant_id text not null references tenant (id),
  id text not null,
  parent_id text,
  name text not null,
  path text not null, -- ids from the root, each followed by a slash: 'a/b/'
  leader_id text,
  sort integer not null default 0,
  created_by text, created_at timestamptz not null default now(),
  updated_by text, updated_at timestamptz not null default now(),
  deleted_at timestamptz, version integer not null default 1, ext jsonb not null default '{}',
  primary key (tenant_id, id),
  foreign key (tenant_id, parent_id) references department (tenant_id, id)
);
create unique index department_name on department (tenant_id, coalesce(parent_id, ''), name) where deleted_at is null;
create index department_path on department (tenant_id, path text_pattern_ops);
select crm_guard('department');

create table membership (
  tenant_id text not null references tenant (id),
  user_id text not null references app_user (id),
  name text not null,
  mobile text not null default '',
  email text not null default '',
  avatar text not null default '',
  gender text not null default '',
  wechat text not null default '',
  signature text not null default '',
  py text not null default '',
  employee_no text not null default '',
  dept_id text,
  position text not null default '',
  supervisor_id text,
  status text not null default 'enabled' check (status in ('enabled', 'disabled', 'left')),
  is_default boolean not null default false,
  last_used_at timestamptz,
  selected jsonb not null default '{}',
  preferences jsonb not null default '{}',
  created_by text, created_at timestamptz not null default now(),
  updated_by text, updated_at timestamptz not null default now(),
  deleted_at timestamptz, version integer not null default 1, ext jsonb not null default '{}',
  primary key (tenant_id, user_id),
  foreign key (tenant_id, dept_id) references department (tenant_id, id),
  foreign key (tenant_id, supervisor_id) references membership (tenant_id, user_id)
);
create index membership_user on membership (user_id);
create index membership_dept on membership (tenant_id, dept_id);
select crm_guard('membership');

create table role (
  tenant_id text not null references tenant (id),
  id text not null,
  code text not null,
  name text not null,
  scopes jsonb not null,      -- { "default": "self", "<module>": "<scope>" }, CRM 2.2
  permissions jsonb not null, -- ["customer:view", …], "*" is all, CRM 2.3
  sort integer not null default 0,
  created_by text, created_at timestamptz not null default now(),
  updated_by text, updated_at timestamptz not null default now(),
  deleted_at timestamptz, version integer not null default 1, ext jsonb not null default '{}',
  primary key (tenant_id, id),
  unique (tenant_id, code)
);
select crm_guard('role');

create table role_assignment (
  tenant_id text not null,
  user_id text not null,
  role_id text not null,
  primary key (tenant_id, user_id, role_id),
  foreign key (tenant_id, user_id) references membership (tenant_id, user_id),
  foreign key (tenant_id, role_id) references role (tenant_id, id)
);
select crm_guard('role_assignment');

create table dict_type (
  tenant_id text not null references tenant (id),
  key text not null,
  name text not null,
  tree boolean not null default false,
  system boolean not null default false,
  primary key (tenant_id, key)
);
select crm_guard('dict_type');

create table dict_item (
  tenant_id text not null,
  type_key text not null,
  value text not null,
  label text not null,
  color text not null default '',
  sort integer not null default 0,
  disabled boolean not null default false,
  parent text not null default '',
  is_default boolean not null default false,
  ext jsonb not null default '{}',
  primary key (tenant_id, type_key, value),
  foreign key (tenant_id, type_key) references dict_type (tenant_id, key)
);
select crm_guard('dict_item');

create table menu (
  tenant_id text not null references tenant (id),
  id integer not null,
  parent_id integer not null default 0,
  hide integer not null default 0,
  path text not null,
  title text not null,
  icon text not null default '',
  component text not null default '',
  sort integer not null default 0,
  slot jsonb not null default '[]',
  permission text,
  primary key (tenant_id, id)
);
select crm_guard('menu');

create table page_override (
  tenant_id text not null references tenant (id),
  path text not null,
  revision integer not null,
  status text not null check (status in ('draft', 'published', 'archived')),
  document json not null, -- as written: jsonb would sort its keys
  etag text not null,
  note text not null default '',
  created_by text,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  primary key (tenant_id, path, revision)
);
create unique index page_override_published on page_override (tenant_id, path) where status = 'published';
select crm_guard('page_override');

create table file (
  tenant_id text not null references tenant (id),
  id text not null,
  name text not null,
  file_ext text not null,
  mime text not null,
  size bigint not null,
  sha256 text not null,
  biz text not null default '',
  created_by text, created_at timestamptz not null default now(),
  updated_by text, updated_at timestamptz not null default now(),
  deleted_at timestamptz, version integer not null default 1, ext jsonb not null default '{}',
  primary key (tenant_id, id)
);
select crm_guard('file');

create table idempotency (
  tenant_id text not null references tenant (id),
  user_id text not null,
  client_token text not null,
  path text not null,
  body_hash text not null,
  answer json, -- as answered
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id, client_token)
);
create index idempotency_age on idempotency (created_at);
select crm_guard('idempotency');

create table audit_log (
  tenant_id text not null references tenant (id),
  id text not null,
  user_id text,
  action text not null,
  entity text not null,
  record_id text,
  detail jsonb not null default '{}',
  request_id text not null default '',
  address text not null default '',
  at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index audit_log_record on audit_log (tenant_id, entity, record_id, at);
select crm_guard('audit_log', 'select, insert');
