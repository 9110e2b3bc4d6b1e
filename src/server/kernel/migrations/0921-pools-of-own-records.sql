-- Records of modules that say `pool` lie in pools like those of the product: the entity is `m.<module>`, the columns are the same.
alter table record
  add column owner_since timestamptz(3),
  add column obtain_way text not null default 'created',
  add column prev_owner_id text,
  add column pool_id text,
  add column pool_entered_at timestamptz(3),
  add column pool_reason text,
  add column pool_times int not null default 0,
  add column expire_at timestamptz(3),
  add column follow_status text not null default 'none',
  add column last_follow_at timestamptz(3),
  add column last_follow_by text,
  add column last_follow_content text,
  add column next_follow_at timestamptz(3),
  add foreign key (tenant_id, pool_id) references pool (tenant_id, id);
create index record_pool on record
  (tenant_id, pool_id, greatest(pool_entered_at, '-infinity'::timestamptz) desc, id desc) where owner_id is null and deleted_at is null;

alter table pool drop constraint pool_entity_check;
alter table pool add constraint pool_entity_check
  check (entity in ('customer', 'lead', 'bussiness') or entity ~ '^m\.[a-z]\w{0,39}$');
alter table owner_record drop constraint owner_record_entity_check;
alter table owner_record add constraint owner_record_entity_check
  check (entity in ('customer', 'lead', 'bussiness') or entity ~ '^m\.[a-z]\w{0,39}$');

-- Whoever has all rights on a module of their own may work with its pool as well, once it has one.
set local role crm_system;
with more as (
  select r.tenant_id, r.id, jsonb_agg(to_jsonb(o.name || ':' || action)) as gets
  from role r cross join lateral (
    select split_part(one, ':', 1) as name from jsonb_array_elements_text(r.permissions) one where one like 'm.%:approve'
  ) o cross join unnest(array['pool', 'claim', 'assign', 'release']) action
  where r.permissions ?& array[o.name || ':view', o.name || ':add', o.name || ':edit', o.name || ':del', o.name || ':transfer',
      o.name || ':export', o.name || ':import']
    and not r.permissions ? (o.name || ':' || action)
  group by r.tenant_id, r.id
)
update role r set permissions = r.permissions || m.gets, updated_at = now(), version = r.version + 1
from more m
where r.tenant_id = m.tenant_id and r.id = m.id;
reset role;
