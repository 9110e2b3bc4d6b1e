-- Colleagues comment on what they see. Not those who reach further than their own: with that right they may also change others' follow-ups.
update role set permissions = permissions || '["follow:comment"]'::jsonb
where code in ('sales', 'sdr') and permissions ? 'follow:add' and not permissions ? 'follow:comment'
  and coalesce(scopes ->> 'customer', scopes ->> 'default', 'self') = 'self';

-- The feed and the search can be chosen for the menus.
insert into menu (tenant_id, id, path, title, icon, sort, slot, permission)
select t.id, entry.id, entry.path, entry.title, entry.icon, entry.id, '["common", "bottom"]'::jsonb, entry.permission
from tenant t, (values
  (180, '/pages/work/feed/index', '跟进动态', 'MessageOutline', 'follow:view'),
  (181, '/pages/search/index', '搜索', 'SearchOutline', null)) as entry (id, path, title, icon, permission)
on conflict do nothing;
