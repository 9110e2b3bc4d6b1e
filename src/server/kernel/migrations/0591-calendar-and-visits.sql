-- The calendar and the visits can be chosen for the menus.
insert into menu (tenant_id, id, path, title, icon, sort, slot, permission)
select t.id, entry.id, entry.path, entry.title, entry.icon, entry.id, '["common", "bottom"]'::jsonb, entry.permission
from tenant t, (values
  (182, '/pages/work/calendar/index', '日历', 'CalendarOutline', null),
  (183, '/pages/work/visit/index', '拜访', 'LocationOutline', 'follow:view')) as entry (id, path, title, icon, permission)
on conflict do nothing;
