-- What a record was made of: a contract of a quotation, an invoice of a contract. Written with the record that was made.
create table conversion (
  tenant_id text not null references tenant (id),
  to_entity text not null,
  to_id text not null,
  from_entity text not null,
  from_id text not null,
  created_by text,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, to_entity, to_id)
);
create index conversion_of on conversion (tenant_id, from_entity, from_id, created_at desc);
select crm_guard('conversion', 'select, insert');
