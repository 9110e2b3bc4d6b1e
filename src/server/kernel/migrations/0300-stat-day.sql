-- Sums per day and per month behind the statistics (CRM 3, Caching): a team's year is added up from them instead of from every row.
-- A row is added in the transaction of the change it counts, never changed: what counts now is +, what counted before is −, so writers never
-- wait for each other and the sum is exact in every snapshot. `crm_stat_day_rebuild` puts them together every night.

-- The creator-time owner of a customer: whom its first owner record names, whoever has it now.
alter table customer add column first_owner_id text;
create index customer_first_owner on customer (tenant_id, first_owner_id, created_at) where deleted_at is null;

create function crm_first_owner() returns trigger language plpgsql as $$
declare moved owner_record;
begin
  if tg_op = 'DELETE' then moved := old; else moved := new; end if;
  update customer c set first_owner_id = f.to_user
    from (select (select r.to_user from owner_record r where r.tenant_id = moved.tenant_id and r.entity = 'customer'
      and r.record_id = moved.record_id and r.kind in ('create', 'import', 'convert') and r.to_user is not null
      order by r.at, r.id limit 1) as to_user) f
    where c.tenant_id = moved.tenant_id and c.id = moved.record_id and c.first_owner_id is distinct from f.to_user;
  return null;
end $$;
create trigger owner_record_first after insert on owner_record for each row
  when (new.entity = 'customer' and new.kind in ('create', 'import', 'convert') and new.to_user is not null)
  execute function crm_first_owner();
create trigger owner_record_first_gone after delete on owner_record for each row
  when (old.entity = 'customer' and old.kind in ('create', 'import', 'convert') and old.to_user is not null)
  execute function crm_first_owner();

-- `day` is a calendar day (or the first of a calendar month) of what has one, else one of UTC, whatever the tenant's zone: what a span
-- has of a begun day is counted from the rows.
create table stat_day (
  tenant_id text not null references tenant (id),
  key text not null,
  unit text not null check (unit in ('day', 'month')),
  user_id text not null,
  day date not null,
  seq bigint generated always as identity,
  n integer not null,
  amount numeric(18, 2) not null,
  primary key (tenant_id, key, unit, user_id, day, seq) include (n, amount)
);
create index stat_day_of_all on stat_day (tenant_id, key, unit, day, user_id) include (n, amount);
select crm_guard('stat_day', 'select, insert, delete');

create index customer_deleted on customer (tenant_id, id) where deleted_at is not null;
-- Moves and follow-ups of a span, with all that is asked of them.
drop index owner_record_at;
create index owner_record_at on owner_record (tenant_id, entity, kind, at) include (record_id, from_user, to_user, to_pool);
drop index follow_time;
create index follow_time on follow (tenant_id, followed_at desc, id desc) include (author_id, source, customer_id) where deleted_at is null;

-- What a row counts for, null for nothing: the rules of home/stat-rows.ts.
create type crm_stat as (key text, user_id text, day date, n integer, amount numeric(18, 2));
create function crm_stat_of(x customer) returns crm_stat language sql immutable as $$
  select case when x.deleted_at is null and x.first_owner_id is not null
    then row ('new_customer', x.first_owner_id, (x.created_at at time zone 'UTC')::date, 1, 0)::crm_stat end $$;
create function crm_stat_of(x bussiness) returns crm_stat language sql immutable as $$
  select case when x.deleted_at is null and x.owner_id is not null
    then row ('new_bussiness', x.owner_id, (x.created_at at time zone 'UTC')::date, 1, 0)::crm_stat end $$;
create function crm_stat_of(x follow) returns crm_stat language sql immutable as $$
  select case when x.deleted_at is null and x.source <> 'system'
    then row ('new_customer_follow', x.author_id, (x.followed_at at time zone 'UTC')::date, 1, 0)::crm_stat end $$;
create function crm_stat_of(x contract) returns crm_stat language sql immutable as $$
  select case when x.deleted_at is null and x.approval_status = 2 and x.owner_id is not null and x.sign_date is not null
    then row ('new_contract', x.owner_id, x.sign_date, 1, x.stat_amount)::crm_stat end $$;
create function crm_stat_of(x payment) returns crm_stat language sql immutable as $$
  select case when x.deleted_at is null and x.approval_status = 2 and x.owner_id is not null and x.paid_at is not null
    then row ('new_amount', x.owner_id, x.paid_at, case when x.reverses_id is null then 1 else 0 end, x.amount)::crm_stat end $$;

create function crm_count_day() returns trigger language plpgsql as $$
declare
  was crm_stat;
  is_now crm_stat;
begin
  if tg_op <> 'INSERT' then was := crm_stat_of(old); end if;
  if tg_op <> 'DELETE' then is_now := crm_stat_of(new); end if;
  insert into stat_day (tenant_id, key, unit, user_id, day, n, amount)
    select case when tg_op = 'DELETE' then old.tenant_id else new.tenant_id end, s.key, u.unit, s.user_id,
      date_trunc(u.unit, s.day::timestamp)::date, s.n, s.amount
    from (values (was.key, was.user_id, was.day, -was.n, -was.amount),
      (is_now.key, is_now.user_id, is_now.day, is_now.n, is_now.amount)) s(key, user_id, day, n, amount)
    cross join (values ('day'), ('month')) u(unit)
    where s.key is not null;
  return null;
end $$;
do $$
declare counted text;
begin
  foreach counted in array array['customer', 'bussiness', 'follow', 'contract', 'payment'] loop
    execute format('create trigger stat_day_made after insert or delete on %I for each row execute function crm_count_day()', counted);
    execute format('create trigger stat_day_changed after update on %I for each row
      when (crm_stat_of(old) is distinct from crm_stat_of(new)) execute function crm_count_day()', counted);
  end loop;
end $$;

-- Counts a tenant anew, in one statement and so in one snapshot: what others write meanwhile adds to it. One at a time.
create function crm_stat_day_rebuild(tenant text) returns bigint language plpgsql as $$
declare made bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('stat_day/' || tenant, 0));
  with gone as (delete from stat_day where tenant_id = tenant)
  insert into stat_day (tenant_id, key, unit, user_id, day, n, amount)
    select tenant, (s).key, u.unit, (s).user_id, date_trunc(u.unit, (s).day::timestamp)::date, sum((s).n), sum((s).amount) from (
      select crm_stat_of(x) as s from customer x where x.tenant_id = tenant
      union all select crm_stat_of(x) from bussiness x where x.tenant_id = tenant
      union all select crm_stat_of(x) from follow x where x.tenant_id = tenant
      union all select crm_stat_of(x) from contract x where x.tenant_id = tenant
      union all select crm_stat_of(x) from payment x where x.tenant_id = tenant) counted
    cross join (values ('day'), ('month')) u(unit) where (s).key is not null group by 2, 3, 4, 5;
  get diagnostics made = row_count;
  return made;
end $$;

set local role crm_system;
update customer c set first_owner_id = f.to_user from (
  select distinct on (tenant_id, record_id) tenant_id, record_id, to_user from owner_record
    where entity = 'customer' and kind in ('create', 'import', 'convert') and to_user is not null
    order by tenant_id, record_id, at, id) f
  where c.tenant_id = f.tenant_id and c.id = f.record_id;
select crm_stat_day_rebuild(id) from tenant;
reset role;
