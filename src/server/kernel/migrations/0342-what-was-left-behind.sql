-- What earlier changes left as it was: records of people who changed their department, and recall dates of what has ended.
set local role crm_system;
do $$
declare placed text;
begin
  foreach placed in array array['customer', 'lead', 'bussiness', 'contract', 'payment'] loop
    execute format('update %I r set owner_dept_id = m.dept_id from membership m
      where m.tenant_id = r.tenant_id and m.user_id = r.owner_id and m.status <> ''left''
        and r.owner_dept_id is distinct from m.dept_id', placed);
  end loop;
end $$;
update lead set expire_at = null where status = 50 and expire_at is not null;
update bussiness set expire_at = null where status <> 1 and expire_at is not null;
update bussiness set next_follow_at = null where status <> 1 and next_follow_at is not null;
reset role;
