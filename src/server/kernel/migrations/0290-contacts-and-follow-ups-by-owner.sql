-- Contacts and follow-ups have no owner: they are seen by who sees the record they belong to. So that a list of them reads little more than
-- it shows, what decides about that record is written beside them, by triggers alone: whatever moves a record moves them in the same statement.

-- A contact has the owner of its customer; none while that lies in a pool or in the recycle bin.
alter table contact add column owner_id text, add column owner_dept_id text;

create function crm_contact_placed() returns trigger language plpgsql as $$
begin
  -- Held, so that a customer that changes hands meanwhile does not leave this contact behind.
  select case when c.deleted_at is null then c.owner_id end, case when c.deleted_at is null then c.owner_dept_id end
    into new.owner_id, new.owner_dept_id
    from customer c where c.tenant_id = new.tenant_id and c.id = new.customer_id for no key update;
  return new;
end $$;
create trigger contact_placed before insert or update of customer_id on contact
  for each row execute function crm_contact_placed();

create function crm_contacts_follow() returns trigger language plpgsql as $$
begin
  update contact set owner_id = case when new.deleted_at is null then new.owner_id end,
      owner_dept_id = case when new.deleted_at is null then new.owner_dept_id end
    where tenant_id = new.tenant_id and customer_id = new.id;
  return null;
end $$;
create trigger contacts_follow after update of owner_id, owner_dept_id, deleted_at on customer
  for each row when ((old.owner_id, old.owner_dept_id, old.deleted_at) is distinct from (new.owner_id, new.owner_dept_id, new.deleted_at))
  execute function crm_contacts_follow();

-- Where a follow-up is seen: a row for each record it hangs on. Nobody has owner and pool of a record in the recycle bin.
create table follow_place (
  tenant_id text not null references tenant (id),
  entity text not null check (entity in ('customer', 'lead', 'bussiness', 'contract')),
  record_id text not null,
  id text not null,
  followed_at timestamptz(3) not null,
  owner_id text,
  owner_dept_id text,
  pool_id text,
  primary key (tenant_id, entity, record_id, id),
  foreign key (tenant_id, id) references follow (tenant_id, id) on delete cascade
);
create index follow_place_of on follow_place (tenant_id, id);
select crm_guard('follow_place');

-- Writes down where follow-ups are; their records are held, so that one that changes hands meanwhile does not leave any behind.
create function crm_place_follows(tenant text, ids text[]) returns void language plpgsql as $$
begin
  insert into follow_place (tenant_id, entity, record_id, id, followed_at, owner_id, owner_dept_id, pool_id)
    select f.tenant_id, 'customer', r.id, f.id, f.followed_at, case when r.deleted_at is null then r.owner_id end,
        case when r.deleted_at is null then r.owner_dept_id end, case when r.deleted_at is null then r.pool_id end
      from follow f join customer r on r.tenant_id = f.tenant_id and r.id = f.customer_id
      where f.tenant_id = tenant and f.id = any(ids) and f.deleted_at is null for no key update of r;
  insert into follow_place (tenant_id, entity, record_id, id, followed_at, owner_id, owner_dept_id, pool_id)
    select f.tenant_id, 'lead', r.id, f.id, f.followed_at, case when r.deleted_at is null then r.owner_id end,
        case when r.deleted_at is null then r.owner_dept_id end, case when r.deleted_at is null then r.pool_id end
      from follow f join lead r on r.tenant_id = f.tenant_id and r.id = f.lead_id
      where f.tenant_id = tenant and f.id = any(ids) and f.deleted_at is null for no key update of r;
  insert into follow_place (tenant_id, entity, record_id, id, followed_at, owner_id, owner_dept_id, pool_id)
    select f.tenant_id, 'bussiness', r.id, f.id, f.followed_at, case when r.deleted_at is null then r.owner_id end,
        case when r.deleted_at is null then r.owner_dept_id end, case when r.deleted_at is null then r.pool_id end
      from follow f join bussiness r on r.tenant_id = f.tenant_id and r.id = f.bussiness_id
      where f.tenant_id = tenant and f.id = any(ids) and f.deleted_at is null for no key update of r;
  insert into follow_place (tenant_id, entity, record_id, id, followed_at, owner_id, owner_dept_id, pool_id)
    select f.tenant_id, 'contract', r.id, f.id, f.followed_at, case when r.deleted_at is null then r.owner_id end,
        case when r.deleted_at is null then r.owner_dept_id end, null
      from follow f join contract r on r.tenant_id = f.tenant_id and r.id = f.contract_id
      where f.tenant_id = tenant and f.id = any(ids) and f.deleted_at is null for no key update of r;
end $$;

create function crm_follows_added() returns trigger language plpgsql as $$
begin
  perform crm_place_follows(tenant_id, array_agg(id)) from added group by tenant_id;
  return null;
end $$;
create trigger follows_added after insert on follow referencing new table as added for each statement
  execute function crm_follows_added();

create function crm_follow_changed() returns trigger language plpgsql as $$
begin
  delete from follow_place where tenant_id = old.tenant_id and id = old.id;
  perform crm_place_follows(new.tenant_id, array[new.id]);
  return null;
end $$;
create trigger follow_changed after update of customer_id, lead_id, bussiness_id, contract_id, followed_at, deleted_at on follow
  for each row execute function crm_follow_changed();

create function crm_follows_follow() returns trigger language plpgsql as $$
declare
  pool text;
begin
  if tg_table_name <> 'contract' then
    pool := new.pool_id;
  end if;
  update follow_place set owner_id = case when new.deleted_at is null then new.owner_id end,
      owner_dept_id = case when new.deleted_at is null then new.owner_dept_id end,
      pool_id = case when new.deleted_at is null then pool end
    where tenant_id = new.tenant_id and entity = tg_table_name and record_id = new.id;
  return null;
end $$;
create trigger follows_follow after update of owner_id, owner_dept_id, pool_id, deleted_at on customer for each row
  when ((old.owner_id, old.owner_dept_id, old.pool_id, old.deleted_at)
    is distinct from (new.owner_id, new.owner_dept_id, new.pool_id, new.deleted_at)) execute function crm_follows_follow();
create trigger follows_follow after update of owner_id, owner_dept_id, pool_id, deleted_at on lead for each row
  when ((old.owner_id, old.owner_dept_id, old.pool_id, old.deleted_at)
    is distinct from (new.owner_id, new.owner_dept_id, new.pool_id, new.deleted_at)) execute function crm_follows_follow();
create trigger follows_follow after update of owner_id, owner_dept_id, pool_id, deleted_at on bussiness for each row
  when ((old.owner_id, old.owner_dept_id, old.pool_id, old.deleted_at)
    is distinct from (new.owner_id, new.owner_dept_id, new.pool_id, new.deleted_at)) execute function crm_follows_follow();
create trigger follows_follow after update of owner_id, owner_dept_id, deleted_at on contract for each row
  when ((old.owner_id, old.owner_dept_id, old.deleted_at) is distinct from (new.owner_id, new.owner_dept_id, new.deleted_at))
  execute function crm_follows_follow();

-- What is there already. Also for whoever fills the tables with triggers switched off.
create procedure crm_place_all() language plpgsql as $$
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
  end loop;
end $$;
set local role crm_system;
call crm_place_all();
reset role;

create index follow_place_owner on follow_place (tenant_id, entity, owner_id, followed_at desc, id desc) where owner_id is not null;
create index follow_place_dept on follow_place (tenant_id, entity, owner_dept_id, followed_at desc, id desc) where owner_id is not null;
create index follow_place_pool on follow_place (tenant_id, entity, pool_id, followed_at desc, id desc) where pool_id is not null;
create index follow_place_owned on follow_place (tenant_id, entity, followed_at desc, id desc) where owner_id is not null;

-- Contacts in the orders of their list: of an owner, of a department, of everybody; then the two tabs that hold few of them.
drop index contact_created;
drop index contact_last_follow;
drop index contact_birth_month;
create index contact_owned_pinyin on contact (tenant_id, py, id) where deleted_at is null and owner_id is not null;
create index contact_owned_created on contact (tenant_id, created_at desc, id desc) where deleted_at is null and owner_id is not null;
create index contact_owned_last_follow on contact
  (tenant_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null and owner_id is not null;
create index contact_owner_pinyin on contact (tenant_id, owner_id, py, id) where deleted_at is null;
create index contact_owner_created on contact (tenant_id, owner_id, created_at desc, id desc) where deleted_at is null;
create index contact_owner_last_follow on contact
  (tenant_id, owner_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index contact_dept_pinyin on contact (tenant_id, owner_dept_id, py, id) where deleted_at is null;
create index contact_dept_created on contact (tenant_id, owner_dept_id, created_at desc, id desc) where deleted_at is null;
create index contact_dept_last_follow on contact
  (tenant_id, owner_dept_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index contact_owned_key on contact (tenant_id, py, id) where deleted_at is null and owner_id is not null and is_key;
create index contact_owner_key on contact (tenant_id, owner_id, py, id) where deleted_at is null and is_key;
create index contact_dept_key on contact (tenant_id, owner_dept_id, py, id) where deleted_at is null and is_key;
create index contact_owned_birth on contact (tenant_id, birth_month, py, id)
  where deleted_at is null and owner_id is not null and status = 'active';
create index contact_owner_birth on contact (tenant_id, owner_id, birth_month, py, id) where deleted_at is null and status = 'active';
create index contact_dept_birth on contact (tenant_id, owner_dept_id, birth_month, py, id) where deleted_at is null and status = 'active';
