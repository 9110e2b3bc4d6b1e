-- Follow-ups on records of a tenant's own modules stand in the general feed, and clients that keep a copy hear of both.

-- A place names the module as follow-ups do: m/ticket. Records without an owner have the owner '', so that the order of the feed is entered
-- as for all others; what lies in the recycle bin has no place.
alter table follow_place drop constraint follow_place_entity_check;
alter table follow_place add constraint follow_place_entity_check
  check (entity in ('customer', 'lead', 'bussiness', 'contract') or entity ~ '^m/[a-z]\w{0,39}$');

create function crm_place_own_follows(tenant text, ids text[]) returns void language plpgsql as $$
begin
  insert into follow_place (tenant_id, entity, record_id, id, followed_at, owner_id, owner_dept_id)
    select f.tenant_id, 'm/' || r.module, r.id, f.id, f.followed_at, coalesce(r.owner_id, ''), r.owner_dept_id
      from follow f join record r on r.tenant_id = f.tenant_id and r.module = f.record_module and r.id = f.record_id
      where f.tenant_id = tenant and f.id = any(ids) and f.deleted_at is null and r.deleted_at is null for no key update of r;
end $$;

create or replace function crm_follows_added() returns trigger language plpgsql as $$
begin
  perform crm_place_follows(tenant_id, array_agg(id)), crm_place_own_follows(tenant_id, array_agg(id))
    from added group by tenant_id;
  return null;
end $$;

create or replace function crm_follow_changed() returns trigger language plpgsql as $$
begin
  delete from follow_place where tenant_id = old.tenant_id and id = old.id;
  perform crm_place_follows(new.tenant_id, array[new.id]);
  perform crm_place_own_follows(new.tenant_id, array[new.id]);
  return null;
end $$;

create function crm_own_follows_follow() returns trigger language plpgsql as $$
begin
  delete from follow_place where tenant_id = new.tenant_id and entity = 'm/' || new.module and record_id = new.id;
  perform crm_place_own_follows(new.tenant_id, array(select id from follow
    where tenant_id = new.tenant_id and record_module = new.module and record_id = new.id));
  return null;
end $$;
create trigger follows_follow after update of owner_id, owner_dept_id, deleted_at on record for each row
  when ((old.owner_id, old.owner_dept_id, old.deleted_at) is distinct from (new.owner_id, new.owner_dept_id, new.deleted_at))
  execute function crm_own_follows_follow();

create or replace procedure crm_place_all() language plpgsql as $$
declare
  batch record;
begin
  update contact k set owner_id = c.owner_id, owner_dept_id = c.owner_dept_id from customer c
    where c.tenant_id = k.tenant_id and c.id = k.customer_id and c.deleted_at is null
      and (k.owner_id, k.owner_dept_id) is distinct from (c.owner_id, c.owner_dept_id);
  for batch in select tenant_id, array_agg(id) as ids from (select f.tenant_id, f.id, row_number() over (partition by f.tenant_id order by f.id) as n
      from follow f where not exists (select 1 from follow_place p where p.tenant_id = f.tenant_id and p.id = f.id)) f
      group by tenant_id, n / 1000 loop
    perform crm_place_follows(batch.tenant_id, batch.ids);
    perform crm_place_own_follows(batch.tenant_id, batch.ids);
  end loop;
end $$;

set local role crm_system;
select crm_place_own_follows(tenant_id, array_agg(id)) from follow where record_id is not null group by tenant_id;
reset role;

-- Changes of own records, noted under the module, whose they are, and themselves.
alter table sync_change drop constraint sync_change_entity_check;
alter table sync_change add constraint sync_change_entity_check
  check (entity in ('customer', 'contact', 'lead', 'bussiness', 'record', 'follow', 'todo'));

create function crm_note_records() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into sync_change (tenant_id, key, entity, id)
      select r.tenant_id, key, 'record', r.id from was r
      cross join unnest(crm_sync_keys('m/' || r.module, coalesce(r.owner_id, ''), r.owner_dept_id, r.id)) key
      where r.deleted_at is null on conflict do nothing;
  end if;
  if tg_op <> 'DELETE' then
    insert into sync_change (tenant_id, key, entity, id)
      select r.tenant_id, key, 'record', r.id from made r
      cross join unnest(crm_sync_keys('m/' || r.module, coalesce(r.owner_id, ''), r.owner_dept_id, r.id)) key
      where r.deleted_at is null on conflict do nothing;
  end if;
  return null;
end $$;
create trigger sync_made after insert on record referencing new table as made for each statement execute function crm_note_records();
create trigger sync_changed after update on record referencing old table as was new table as made for each statement
  execute function crm_note_records();
create trigger sync_gone after delete on record referencing old table as was for each statement execute function crm_note_records();
