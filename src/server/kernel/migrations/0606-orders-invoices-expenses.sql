-- Orders, invoice requests and expenses came with the product: whoever writes contracts writes them, whoever decides on contracts has all of them, whoever
-- reads contracts reads them; finance decides on invoices and expenses and says when they were issued and paid. A new installation's roles hold the same.
with later (held, actions) as (
  values
    ('["contract:view"]'::jsonb, array['view']),
    ('["contract:view", "contract:add"]', array['add', 'edit', 'del']),
    ('["contract:add", "contract:approve"]', array['approve', 'transfer', 'export', 'import'])
), gets as (
  select held, jsonb_agg('m.' || module || ':' || action) as gets
  from later, unnest(array['sales_order', 'invoice_request', 'expense']) module, unnest(actions) action group by held
  union all
  select '["payment:approve"]', '["m.invoice_request:edit", "m.invoice_request:approve", "m.invoice_request:export", "m.expense:add",
    "m.expense:edit", "m.expense:approve", "m.expense:export"]'
), more as (
  select r.tenant_id, r.id, jsonb_agg(distinct one) as permissions
  from role r join gets g on r.permissions @> g.held
    cross join lateral jsonb_array_elements(r.permissions || g.gets) one
  where not r.permissions ? '*'
  group by r.tenant_id, r.id
)
update role r set permissions = m.permissions, updated_at = now(), version = r.version + 1
from more m
where r.tenant_id = m.tenant_id and r.id = m.id and not r.permissions @> m.permissions;

insert into menu (tenant_id, id, path, title, icon, sort, slot, permission)
select t.id, entry.id, entry.path, entry.title, entry.icon, entry.id, '["common", "bottom"]'::jsonb, entry.permission
from tenant t, (values
  (126, '/pages/m/sales_order/index', '订单', 'TruckOutline', 'm.sales_order:view'),
  (127, '/pages/m/invoice_request/index', '开票申请', 'ReceiptOutline', 'm.invoice_request:view'),
  (128, '/pages/m/expense/index', '费用报销', 'BillOutline', 'm.expense:view')) as entry (id, path, title, icon, permission)
on conflict do nothing;
