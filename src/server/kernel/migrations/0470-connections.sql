-- External systems that the server calls for a tenant's pages (connections/). What of a connection is secret stands in secrets, sealed
-- with a key that is not in the database; nothing reads it back but the call itself.
create table connection (
  tenant_id text not null references tenant (id),
  id text not null,
  name text not null check (char_length(name) <= 40),
  label text not null check (char_length(label) <= 60),
  setting jsonb not null,
  secrets jsonb not null default '{}',
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  version int not null default 1,
  primary key (tenant_id, id),
  unique (tenant_id, name)
);
select crm_guard('connection');
