-- A follow-up is placed under each record it hangs on. Each statement below was planned again for every follow-up, and four of five found
-- nothing: by far the most of what writing one cost the database. Now they are planned once per session (a list of ids is looked up by
-- index however long it is), and asked only where there is something.

create or replace function crm_place_follows(tenant text, ids text[]) returns void language plpgsql
  set plan_cache_mode = 'force_generic_plan' as $$
declare
  hangs record;
begin
  select bool_or(customer_id is not null) on_customer, bool_or(lead_id is not null) on_lead,
      bool_or(bussiness_id is not null) on_bussiness, bool_or(contract_id is not null) on_contract
    into hangs from follow where tenant_id = tenant and id = any(ids) and deleted_at is null;
  if hangs.on_customer then
    insert into follow_place (tenant_id, entity, record_id, id, followed_at, owner_id, owner_dept_id, pool_id)
      select f.tenant_id, 'customer', r.id, f.id, f.followed_at, case when r.deleted_at is null then r.owner_id end,
          case when r.deleted_at is null then r.owner_dept_id end, case when r.deleted_at is null then r.pool_id end
        from follow f join customer r on r.tenant_id = f.tenant_id and r.id = f.customer_id
        where f.tenant_id = tenant and f.id = any(ids) and f.deleted_at is null for no key update of r;
  end if;
  if hangs.on_lead then
    insert into follow_place (tenant_id, entity, record_id, id, followed_at, owner_id, owner_dept_id, pool_id)
      select f.tenant_id, 'lead', r.id, f.id, f.followed_at, case when r.deleted_at is null then r.owner_id end,
          case when r.deleted_at is null then r.owner_dept_id end, case when r.deleted_at is null then r.pool_id end
        from follow f join lead r on r.tenant_id = f.tenant_id and r.id = f.lead_id
        where f.tenant_id = tenant and f.id = any(ids) and f.deleted_at is null for no key update of r;
  end if;
  if hangs.on_bussiness then
    insert into follow_place (tenant_id, entity, record_id, id, followed_at, owner_id, owner_dept_id, pool_id)
      select f.tenant_id, 'bussiness', r.id, f.id, f.followed_at, case when r.deleted_at is null then r.owner_id end,
          case when r.deleted_at is null then r.owner_dept_id end, case when r.deleted_at is null then r.pool_id end
        from follow f join bussiness r on r.tenant_id = f.tenant_id and r.id = f.bussiness_id
        where f.tenant_id = tenant and f.id = any(ids) and f.deleted_at is null for no key update of r;
  end if;
  if hangs.on_contract then
    insert into follow_place (tenant_id, entity, record_id, id, followed_at, owner_id, owner_dept_id, pool_id)
      select f.tenant_id, 'contract', r.id, f.id, f.followed_at, case when r.deleted_at is null then r.owner_id end,
          case when r.deleted_at is null then r.owner_dept_id end, null
        from follow f join contract r on r.tenant_id = f.tenant_id and r.id = f.contract_id
        where f.tenant_id = tenant and f.id = any(ids) and f.deleted_at is null for no key update of r;
  end if;
end $$;

create or replace function crm_place_own_follows(tenant text, ids text[]) returns void language plpgsql
  set plan_cache_mode = 'force_generic_plan' as $$
begin
  if not exists (select 1 from follow where tenant_id = tenant and id = any(ids) and record_id is not null) then
    return;
  end if;
  insert into follow_place (tenant_id, entity, record_id, id, followed_at, owner_id, owner_dept_id)
    select f.tenant_id, 'm/' || r.module, r.id, f.id, f.followed_at, coalesce(r.owner_id, ''), r.owner_dept_id
      from follow f join record r on r.tenant_id = f.tenant_id and r.module = f.record_module and r.id = f.record_id
      where f.tenant_id = tenant and f.id = any(ids) and f.deleted_at is null and r.deleted_at is null for no key update of r;
end $$;

-- Old tokens are looked for by tenant and age (idempotency_of_tenant); nothing looks for them by age alone.
drop index idempotency_age;
