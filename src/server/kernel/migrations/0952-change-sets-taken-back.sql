-- Who took a published change set back, and when. Sets taken back before: the last one of that in the log, if it went by the set itself.
alter table change_set add column back_by text;
alter table change_set add column back_at timestamptz;
set local role crm_system;
update change_set s set back_at = s.updated_at, back_by = (
  select l.user_id from audit_log l
  where l.tenant_id = s.tenant_id and l.entity = 'change_set' and l.record_id = s.id and l.action = 'changeset:rollback'
  order by l.at desc limit 1)
where s.status = 'back';
reset role;
