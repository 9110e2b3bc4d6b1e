-- A changed contract is one contract: the revision that takes its place brings the difference of the amounts, and counts for none.
create or replace function crm_stat_of(x contract) returns crm_stat language sql immutable as $$
  select case when x.deleted_at is null and x.approval_status = 2 and x.owner_id is not null and x.sign_date is not null
    then row ('new_contract', x.owner_id, x.sign_date, case when x.revision_of is null then 1 else 0 end, x.stat_amount)::crm_stat end $$;

set local role crm_system;
select crm_stat_day_rebuild(tenant_id) from contract where revision_of is not null group by tenant_id;
reset role;
