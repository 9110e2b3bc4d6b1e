-- What managers and a desk open most can be chosen for the menus: approvals, team, analysis, targets, reports, the board and what is to come.
insert into menu (tenant_id, id, path, title, icon, sort, slot, permission)
select t.id, entry.id, entry.path, entry.title, entry.icon, entry.id, entry.slot::jsonb, entry.permission
from tenant t, (values
  (122, '/pages/bussiness/board', '商机看板', 'ContentOutline', '["common", "bottom"]', 'bussiness:view'),
  (131, '/pages/contract/plan/index', '回款计划', 'PayCircleOutline', '["common"]', 'payment:view'),
  (161, '/pages/work/approval/index', '审批', 'CheckCircleOutline', '["common", "bottom"]', null),
  (190, '/pages/stats/team', '团队', 'TeamOutline', '["common", "bottom"]', 'stats:team'),
  (191, '/pages/stats/index', '统计分析', 'HistogramOutline', '["common"]', null),
  (192, '/pages/stats/target', '业绩目标', 'FlagOutline', '["common"]', null),
  (193, '/pages/stats/reports', '工作报告', 'FileOutline', '["common"]', null)) as entry (id, path, title, icon, slot, permission)
on conflict do nothing;
