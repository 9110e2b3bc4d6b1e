-- Records of modules that say `approval` go through the same approvals as contracts and payments: the entity is `m.<module>`.
alter table record
  add column approval_status smallint not null default 0,
  add column submitted_by text,
  add column submitted_at timestamptz(3),
  add column approver_id text,
  add column approver_ids text[] not null default '{}',
  -- The number of the version a record is at, where its module says `versions`.
  add column revision_no int not null default 1;

alter table approval_flow drop constraint approval_flow_entity_check;
alter table approval_flow add constraint approval_flow_entity_check
  check (entity in ('contract', 'payment') or entity ~ '^m\.[a-z]\w{0,39}$');
alter table approval drop constraint approval_entity_check;
alter table approval add constraint approval_entity_check
  check (entity in ('contract', 'payment') or entity ~ '^m\.[a-z]\w{0,39}$');

-- What a record said before its next version was begun: nothing changes or removes it.
create table record_version (
  tenant_id text not null references tenant (id),
  module text not null,
  record_id text not null,
  no int not null check (no > 0),
  title text not null,
  ext jsonb not null,
  approval_status smallint not null,
  created_by text,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, module, record_id, no),
  foreign key (tenant_id, module, record_id) references record (tenant_id, module, id) on delete cascade
);
select crm_guard('record_version', 'select, insert');

-- Whoever has all rights on a module of his own may decide on its records, too.
with more as (
  select r.tenant_id, r.id, jsonb_agg(to_jsonb(o.name || ':approve')) as gets
  from role r cross join lateral (
    select split_part(one, ':', 1) as name from jsonb_array_elements_text(r.permissions) one where one like 'm.%:transfer'
  ) o
  where r.permissions ?& array[o.name || ':view', o.name || ':add', o.name || ':edit', o.name || ':del', o.name || ':export', o.name || ':import']
    and not r.permissions ? (o.name || ':approve')
  group by r.tenant_id, r.id
)
update role r set permissions = r.permissions || m.gets, updated_at = now(), version = r.version + 1
from more m
where r.tenant_id = m.tenant_id and r.id = m.id;
