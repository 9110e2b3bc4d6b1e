-- What changed, for clients that keep a copy (POST /mini/sync/changes, CRM 8.6). Written by triggers alone, in the transaction of the change and
-- never changed, so that writers never wait for each other. A change is noted under every key by which somebody may see the record or saw it:
-- whose it is, his department, the record itself, everybody (of records of a kind: `customer/owner/…`, `customer/dept/…`, `customer/record/…`,
-- `customer`), or a person of a to-do (`person/…`). What lies in a pool or in the recycle bin has none. There is one index only, which the
-- planner cannot miss: of transactions as new as those that are asked for it knows nothing.
create table sync_change (
  tenant_id text not null references tenant (id),
  key text not null,
  entity text not null check (entity in ('customer', 'contact', 'lead', 'bussiness', 'follow', 'todo')),
  -- The transaction: what a reader has not seen yet is told by its snapshot, whatever order transactions commit in.
  xid bigint not null default pg_current_xact_id()::text::bigint,
  id text not null,
  at timestamptz not null default now(),
  primary key (tenant_id, key, entity, xid, id)
);
select crm_guard('sync_change', 'select, insert, delete');

create function crm_sync_keys(place text, owner text, dept text, record text) returns text[] language sql immutable as $$
  select array[place, place || '/owner/' || owner, place || '/dept/' || coalesce(dept, ''), place || '/record/' || record]
$$;

-- Each reads the rows as they were (`was`) and as they are (`made`); an insert has no former rows, a delete no later ones.
create function crm_note_owned() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into sync_change (tenant_id, key, entity, id)
      select r.tenant_id, key, tg_table_name, r.id from was r
      cross join unnest(crm_sync_keys(tg_table_name, r.owner_id, r.owner_dept_id, r.id)) key
      where r.owner_id is not null and r.deleted_at is null on conflict do nothing;
  end if;
  if tg_op <> 'DELETE' then
    insert into sync_change (tenant_id, key, entity, id)
      select r.tenant_id, key, tg_table_name, r.id from made r
      cross join unnest(crm_sync_keys(tg_table_name, r.owner_id, r.owner_dept_id, r.id)) key
      where r.owner_id is not null and r.deleted_at is null on conflict do nothing;
  end if;
  return null;
end $$;

create function crm_note_contacts() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into sync_change (tenant_id, key, entity, id)
      select k.tenant_id, key, 'contact', k.id from was k
      cross join unnest(crm_sync_keys('customer', k.owner_id, k.owner_dept_id, k.customer_id)) key
      where k.owner_id is not null and k.deleted_at is null on conflict do nothing;
  end if;
  if tg_op <> 'DELETE' then
    insert into sync_change (tenant_id, key, entity, id)
      select k.tenant_id, key, 'contact', k.id from made k
      cross join unnest(crm_sync_keys('customer', k.owner_id, k.owner_dept_id, k.customer_id)) key
      where k.owner_id is not null and k.deleted_at is null on conflict do nothing;
  end if;
  return null;
end $$;

-- A follow-up is told in all its places when one of them changes: how much of it is shown depends on whether its customer lies in a pool.
create function crm_note_places() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into sync_change (tenant_id, key, entity, id)
      select p.tenant_id, key, 'follow', p.id from was p
      cross join unnest(crm_sync_keys(p.entity, p.owner_id, p.owner_dept_id, p.record_id)) key
      where p.owner_id is not null on conflict do nothing;
  end if;
  if tg_op <> 'DELETE' then
    insert into sync_change (tenant_id, key, entity, id)
      select p.tenant_id, key, 'follow', p.id from made m
      join follow_place p on p.tenant_id = m.tenant_id and p.id = m.id
      cross join unnest(crm_sync_keys(p.entity, p.owner_id, p.owner_dept_id, p.record_id)) key
      where p.owner_id is not null on conflict do nothing;
  end if;
  return null;
end $$;

create function crm_note_follows() returns trigger language plpgsql as $$
begin
  insert into sync_change (tenant_id, key, entity, id)
      select p.tenant_id, key, 'follow', p.id from made m
      join follow_place p on p.tenant_id = m.tenant_id and p.id = m.id
      cross join unnest(crm_sync_keys(p.entity, p.owner_id, p.owner_dept_id, p.record_id)) key
      where p.owner_id is not null on conflict do nothing;
  return null;
end $$;

create function crm_note_todos() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into sync_change (tenant_id, key, entity, id)
      select t.tenant_id, 'person/' || person, 'todo', t.id from was t
      cross join unnest(t.participant_ids || array[t.assignee_id, t.created_by]) person
      where person is not null and t.deleted_at is null on conflict do nothing;
  end if;
  if tg_op <> 'DELETE' then
    insert into sync_change (tenant_id, key, entity, id)
      select t.tenant_id, 'person/' || person, 'todo', t.id from made t
      cross join unnest(t.participant_ids || array[t.assignee_id, t.created_by]) person
      where person is not null and t.deleted_at is null on conflict do nothing;
  end if;
  return null;
end $$;

-- An approval is a to-do of those it waits for.
create function crm_note_approvals() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into sync_change (tenant_id, key, entity, id)
      select a.tenant_id, 'person/' || person, 'todo', 'approval:' || a.id from was a
      cross join unnest(a.waiting_ids) person where a.status = 'running' on conflict do nothing;
  end if;
  if tg_op <> 'DELETE' then
    insert into sync_change (tenant_id, key, entity, id)
      select a.tenant_id, 'person/' || person, 'todo', 'approval:' || a.id from made a
      cross join unnest(a.waiting_ids) person where a.status = 'running' on conflict do nothing;
  end if;
  return null;
end $$;

do $$
declare noted record;
begin
  for noted in select * from (values ('customer', 'crm_note_owned'), ('lead', 'crm_note_owned'), ('bussiness', 'crm_note_owned'),
      ('contact', 'crm_note_contacts'), ('follow_place', 'crm_note_places'), ('todo', 'crm_note_todos'), ('approval', 'crm_note_approvals'))
      n(name, work) loop
    execute format('create trigger sync_made after insert on %I referencing new table as made for each statement execute function %I()', noted.name, noted.work);
    execute format('create trigger sync_changed after update on %I referencing old table as was new table as made for each statement execute function %I()', noted.name, noted.work);
    execute format('create trigger sync_gone after delete on %I referencing old table as was for each statement execute function %I()', noted.name, noted.work);
  end loop;
end $$;
create trigger sync_changed after update on follow referencing new table as made for each statement execute function crm_note_follows();
