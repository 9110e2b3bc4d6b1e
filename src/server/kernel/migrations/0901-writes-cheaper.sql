-- Rows that only tell of others (notes, sums, places, owners before) name their tenant; that the tenant exists was looked up for each of
-- them, eleven times for one follow-up. Triggers and writers of records make them, in the transaction of a row that still refers to its
-- tenant. What may be written alone (the log, tokens) goes on to refer to it itself, so that nothing is left of a tenant that goes.
alter table sync_change drop constraint sync_change_tenant_id_fkey;
alter table stat_day drop constraint stat_day_tenant_id_fkey;
alter table follow_place drop constraint follow_place_tenant_id_fkey;
alter table owner_record drop constraint owner_record_tenant_id_fkey;

-- One follow-up, as people write them, is placed by what it says itself; many at once as before (0750).
create or replace function crm_follows_added() returns trigger language plpgsql as $$
declare
  f record;
begin
  select count(*) over () as n, a.* into f from added a limit 1;
  if f.n > 1 then
    perform crm_place_follows(tenant_id, array_agg(id)), crm_place_own_follows(tenant_id, array_agg(id))
      from added group by tenant_id;
    return null;
  end if;
  if f.deleted_at is not null then return null; end if;
  if f.customer_id is not null then
    insert into follow_place (tenant_id, entity, record_id, id, followed_at, owner_id, owner_dept_id, pool_id)
      select r.tenant_id, 'customer', r.id, f.id, f.followed_at, case when r.deleted_at is null then r.owner_id end,
          case when r.deleted_at is null then r.owner_dept_id end, case when r.deleted_at is null then r.pool_id end
        from customer r where r.tenant_id = f.tenant_id and r.id = f.customer_id for no key update of r;
  end if;
  if f.lead_id is not null then
    insert into follow_place (tenant_id, entity, record_id, id, followed_at, owner_id, owner_dept_id, pool_id)
      select r.tenant_id, 'lead', r.id, f.id, f.followed_at, case when r.deleted_at is null then r.owner_id end,
          case when r.deleted_at is null then r.owner_dept_id end, case when r.deleted_at is null then r.pool_id end
        from lead r where r.tenant_id = f.tenant_id and r.id = f.lead_id for no key update of r;
  end if;
  if f.bussiness_id is not null then
    insert into follow_place (tenant_id, entity, record_id, id, followed_at, owner_id, owner_dept_id, pool_id)
      select r.tenant_id, 'bussiness', r.id, f.id, f.followed_at, case when r.deleted_at is null then r.owner_id end,
          case when r.deleted_at is null then r.owner_dept_id end, case when r.deleted_at is null then r.pool_id end
        from bussiness r where r.tenant_id = f.tenant_id and r.id = f.bussiness_id for no key update of r;
  end if;
  if f.contract_id is not null then
    insert into follow_place (tenant_id, entity, record_id, id, followed_at, owner_id, owner_dept_id, pool_id)
      select r.tenant_id, 'contract', r.id, f.id, f.followed_at, case when r.deleted_at is null then r.owner_id end,
          case when r.deleted_at is null then r.owner_dept_id end, null
        from contract r where r.tenant_id = f.tenant_id and r.id = f.contract_id for no key update of r;
  end if;
  if f.record_id is not null then
    insert into follow_place (tenant_id, entity, record_id, id, followed_at, owner_id, owner_dept_id)
      select r.tenant_id, 'm/' || r.module, r.id, f.id, f.followed_at, coalesce(r.owner_id, ''), r.owner_dept_id
        from record r where r.tenant_id = f.tenant_id and r.module = f.record_module and r.id = f.record_id
          and r.deleted_at is null for no key update of r;
  end if;
  return null;
end $$;

-- A change notes the same keys before and after, but for one that gives the record to somebody else: they are put together first.
create or replace function crm_note_owned() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into sync_change (tenant_id, key, entity, id)
      select r.tenant_id, key, tg_table_name, r.id from made r
      cross join unnest(crm_sync_keys(tg_table_name, r.owner_id, r.owner_dept_id, r.id)) key
      where r.owner_id is not null and r.deleted_at is null on conflict do nothing;
  elsif tg_op = 'DELETE' then
    insert into sync_change (tenant_id, key, entity, id)
      select r.tenant_id, key, tg_table_name, r.id from was r
      cross join unnest(crm_sync_keys(tg_table_name, r.owner_id, r.owner_dept_id, r.id)) key
      where r.owner_id is not null and r.deleted_at is null on conflict do nothing;
  else
    insert into sync_change (tenant_id, key, entity, id)
      select r.tenant_id, key, tg_table_name, r.id
      from (select tenant_id, id, owner_id, owner_dept_id from was where owner_id is not null and deleted_at is null
        union select tenant_id, id, owner_id, owner_dept_id from made where owner_id is not null and deleted_at is null) r
      cross join unnest(crm_sync_keys(tg_table_name, r.owner_id, r.owner_dept_id, r.id)) key on conflict do nothing;
  end if;
  return null;
end $$;

-- Most follow-ups have no to-do to close: none is looked for with all that a change of one would set off.
create or replace function crm_follow_written() returns trigger language plpgsql as $$
declare
  at_type text := case new.target_type when 'contact' then 'customer' else new.target_type end;
  at_id text := case new.target_type when 'contact' then new.customer_id else new.target_id end;
  at_name text;
  zone text;
  wall timestamp;
  remind timestamptz;
  people text[];
begin
  if current_user = 'crm_system' or new.source in ('system', 'convert') then
    return null;
  end if;
  if exists (select 1 from todo where tenant_id = new.tenant_id and target_type = at_type and target_id = at_id and status = 0
      and deleted_at is null and type in ('follow', 'first_follow')) then
    with closed as (
      update todo set status = 1, done_at = new.created_at, done_by = new.author_id, remind_next = null,
        updated_by = new.author_id, updated_at = new.created_at, version = version + 1
      where tenant_id = new.tenant_id and target_type = at_type and target_id = at_id and status = 0
        and deleted_at is null and type in ('follow', 'first_follow')
      returning assignee_id)
    select array_agg(distinct assignee_id) into people from closed;
  end if;
  if new.next_follow_at is not null then
    select t.timezone into zone from tenant t where t.id = new.tenant_id;
    wall := new.next_follow_at at time zone zone;
    execute format('select name from %I where tenant_id = $1 and id = $2', at_type) into at_name
      using new.tenant_id, at_id;
    remind := case when wall::time = '00:00' then (wall::date + time '09:00') at time zone zone
      else new.next_follow_at - interval '15 minutes' end;
    insert into todo (tenant_id, id, title, type, target_type, target_id, target_name, due_at, all_day, remind_at,
        remind_next, assignee_id, origin, source_key, created_by, created_at, updated_by, updated_at)
      values (new.tenant_id, 'f-' || new.id, nullif(left(trim(new.next_plan), 100), ''), 'follow', at_type, at_id, at_name,
        case when wall::time = '00:00' then ((wall::date + 1)::timestamp at time zone zone) - interval '1 millisecond'
          else new.next_follow_at end,
        wall::time = '00:00', array[remind], case when remind > new.created_at then remind end, new.author_id, 'follow',
        new.author_id || '/follow/' || at_type || '/' || at_id || '/' || wall::date, new.author_id, new.created_at,
        new.author_id, new.created_at)
      on conflict (tenant_id, source_key) where source_key is not null do update
        set status = 0, done_at = null, done_by = null, deleted_at = null, title = excluded.title, due_at = excluded.due_at,
          all_day = excluded.all_day, remind_at = excluded.remind_at, remind_next = excluded.remind_next,
          updated_by = excluded.updated_by, updated_at = excluded.updated_at, version = todo.version + 1;
    people := array_append(people, new.author_id);
  end if;
  if people is not null then
    perform pg_notify('crm_live', json_build_object('tenantId', new.tenant_id, 'users', people, 'kind', 'todo')::text);
  end if;
  return null;
end $$;
