-- A field of a tenant's own that becomes one of another kind, while its records are worked through in the order of their ids: those up to
-- `last_id` hold the new kind, the others what it was. Meanwhile it is no field of its module: nobody reads the one as the other, nobody writes it.
create table field_conversion (
  tenant_id text not null references tenant (id),
  module text not null check (char_length(module) <= 40),
  field text not null check (char_length(field) <= 40),
  was jsonb not null,
  made jsonb not null,
  total int not null,
  done int not null default 0,
  last_id text not null default '',
  created_by text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, module, field)
);
select crm_guard('field_conversion');
