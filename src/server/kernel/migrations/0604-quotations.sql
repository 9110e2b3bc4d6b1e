-- Quotations came with the product: roles that write contracts write them, those that decide on contracts decide on them, those that read contracts
-- read them. A new installation's roles hold the same.
with later (held, gets) as (
  values
    ('["contract:view"]'::jsonb, '["m.quotation:view"]'::jsonb),
    ('["contract:view", "contract:add"]', '["m.quotation:add", "m.quotation:edit", "m.quotation:del"]'),
    ('["contract:add", "contract:approve"]', '["m.quotation:approve", "m.quotation:transfer", "m.quotation:export", "m.quotation:import"]')
), more as (
  select r.tenant_id, r.id, jsonb_agg(distinct one) as permissions
  from role r join later l on r.permissions @> l.held
    cross join lateral jsonb_array_elements(r.permissions || l.gets) one
  where not r.permissions ? '*'
  group by r.tenant_id, r.id
)
update role r set permissions = m.permissions, updated_at = now(), version = r.version + 1
from more m
where r.tenant_id = m.tenant_id and r.id = m.id and not r.permissions @> m.permissions;

insert into menu (tenant_id, id, path, title, icon, sort, slot, permission)
select t.id, 125, '/pages/m/quotation/index', '报价单', 'CalculatorOutline', 125, '["common", "bottom"]'::jsonb, 'm.quotation:view'
from tenant t
on conflict do nothing;
