-- Sheets came to modules whose roles were there already: whoever wrote records of a module and took them out brings them in as well, whoever had
-- all of products or activities does both. A new installation's roles hold the same.
with later (held, gets) as (
  values
    ('["bussiness:add", "bussiness:edit", "bussiness:export"]'::jsonb, '["bussiness:import"]'::jsonb),
    ('["contract:add", "contract:edit", "contract:export"]', '["contract:import"]'),
    ('["payment:add", "payment:edit", "payment:export"]', '["payment:import"]'),
    ('["product:add", "product:edit", "product:status"]', '["product:import", "product:export"]'),
    ('["activity:add", "activity:edit", "activity:sign_in"]', '["activity:import", "activity:export"]')
), more as (
  select r.tenant_id, r.id, jsonb_agg(distinct one) as permissions
  from role r join later l on r.permissions @> l.held
    cross join lateral jsonb_array_elements(r.permissions || l.gets) one
  group by r.tenant_id, r.id
)
update role r set permissions = m.permissions, updated_at = now(), version = r.version + 1
from more m
where r.tenant_id = m.tenant_id and r.id = m.id and not r.permissions @> m.permissions;

-- Records of own modules are given away since their makers got all rights on them.
with more as (
  select r.tenant_id, r.id, jsonb_agg(to_jsonb(o.name || ':transfer')) as gets
  from role r cross join lateral (
    select split_part(one, ':', 1) as name from jsonb_array_elements_text(r.permissions) one where one like 'm.%:del'
  ) o
  where r.permissions ?& array[o.name || ':view', o.name || ':add', o.name || ':edit', o.name || ':export', o.name || ':import']
    and not r.permissions ? (o.name || ':transfer')
  group by r.tenant_id, r.id
)
update role r set permissions = r.permissions || m.gets, updated_at = now(), version = r.version + 1
from more m
where r.tenant_id = m.tenant_id and r.id = m.id;
