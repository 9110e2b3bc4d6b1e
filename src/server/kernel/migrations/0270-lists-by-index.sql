-- Indexes that hold the rows of a list in its order (tenant, then whose they are, then the sort), so that a page reads about as many
-- rows as it shows. A sort of a nullable column is spelled like `lists/keyset.ts` spells it; U&'\+10FFFF' is its last text.
-- The moments among them were spelled `coalesce`, which row-level security does not count as leakproof: their indexes gave the order, but
-- could not be entered at a cursor or a bound. `least` and `greatest` mean the same and can.
drop index customer_owner_last_follow;
drop index customer_owner_next_follow;
drop index customer_dept_last_follow;
drop index lead_owner_last_follow;
drop index lead_owner_next_follow;
drop index bussiness_owner_last_follow;
drop index bussiness_dept_last_follow;
create index customer_owner_last_follow on customer
  (tenant_id, owner_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index customer_owner_next_follow on customer
  (tenant_id, owner_id, least(next_follow_at, 'infinity'::timestamptz), id) where deleted_at is null;
create index customer_owner_expire on customer
  (tenant_id, owner_id, least(expire_at, 'infinity'::timestamptz), id) where deleted_at is null;
create index customer_owner_forgotten on customer (tenant_id, owner_id, greatest(last_follow_at, owner_since)) where deleted_at is null;
create index customer_dept_last_follow on customer
  (tenant_id, owner_dept_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index lead_owner_last_follow on lead
  (tenant_id, owner_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index lead_owner_next_follow on lead
  (tenant_id, owner_id, least(next_follow_at, 'infinity'::timestamptz), id) where deleted_at is null;
create index lead_owner_expire on lead
  (tenant_id, owner_id, least(expire_at, 'infinity'::timestamptz), id) where deleted_at is null;
create index bussiness_owner_last_follow on bussiness
  (tenant_id, owner_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index bussiness_dept_last_follow on bussiness
  (tenant_id, owner_dept_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;

-- What has an owner, whosever: rows in pools are never in these lists.
drop index customer_last_follow;
drop index customer_next_follow;
create index customer_owned_last_follow on customer
  (tenant_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null and owner_id is not null;
create index customer_owned_next_follow on customer
  (tenant_id, least(next_follow_at, 'infinity'::timestamptz), id) where deleted_at is null and owner_id is not null;
create index customer_owned_since on customer
  (tenant_id, greatest(owner_since, '-infinity'::timestamptz) desc, id desc) where deleted_at is null and owner_id is not null;
create index customer_owned_level on customer (tenant_id, level, id) where deleted_at is null and owner_id is not null;
create index customer_owned_amount on customer (tenant_id, deal_amount, id) where deleted_at is null and owner_id is not null;
create index customer_owner_since on customer
  (tenant_id, owner_id, greatest(owner_since, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index customer_owner_level on customer (tenant_id, owner_id, level, id) where deleted_at is null;
create index customer_owner_pinyin on customer (tenant_id, owner_id, py, id) where deleted_at is null;
create index customer_dept_next_follow on customer
  (tenant_id, owner_dept_id, least(next_follow_at, 'infinity'::timestamptz), id) where deleted_at is null;

create index lead_owned_last_follow on lead
  (tenant_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null and owner_id is not null;
create index lead_owned_next_follow on lead
  (tenant_id, least(next_follow_at, 'infinity'::timestamptz), id) where deleted_at is null and owner_id is not null;
create index lead_owned_status on lead (tenant_id, status, created_at desc, id desc) where deleted_at is null and owner_id is not null;
create index lead_dept_status on lead (tenant_id, owner_dept_id, status, created_at desc, id desc) where deleted_at is null;
create index lead_owner_status on lead (tenant_id, owner_id, status, created_at desc, id desc) where deleted_at is null;
create index lead_owned_level on lead
  (tenant_id, coalesce(level, U&'\+10FFFF'::text), id) where deleted_at is null and owner_id is not null;
create index lead_owner_level on lead
  (tenant_id, owner_id, coalesce(level, U&'\+10FFFF'::text), id) where deleted_at is null;
create index lead_dept_last_follow on lead
  (tenant_id, owner_dept_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index lead_dept_next_follow on lead
  (tenant_id, owner_dept_id, least(next_follow_at, 'infinity'::timestamptz), id) where deleted_at is null;

-- A lead is also found by the whole name of its contact.
create index lead_contact_name on lead (tenant_id, contact_name) where deleted_at is null;

drop index bussiness_last_follow;
create index bussiness_owned_last_follow on bussiness
  (tenant_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null and owner_id is not null;
create index bussiness_owned_next_follow on bussiness
  (tenant_id, least(next_follow_at, 'infinity'::timestamptz), id) where deleted_at is null and owner_id is not null;
create index bussiness_owned_amount on bussiness (tenant_id, amount, id) where deleted_at is null and owner_id is not null;
create index bussiness_owned_expected on bussiness (tenant_id, expected_date, id) where deleted_at is null and owner_id is not null;
create index bussiness_owned_win_rate on bussiness (tenant_id, win_rate, id) where deleted_at is null and owner_id is not null;
create index bussiness_owned_stage_since on bussiness (tenant_id, stage_since, id) where deleted_at is null and owner_id is not null;
create index bussiness_open_stage_since on bussiness (tenant_id, stage_since, id)
  where deleted_at is null and owner_id is not null and status = 1;
create index bussiness_dept_open_expected on bussiness (tenant_id, owner_dept_id, expected_date, id)
  where deleted_at is null and status = 1;
create index bussiness_owner_next_follow on bussiness
  (tenant_id, owner_id, least(next_follow_at, 'infinity'::timestamptz), id) where deleted_at is null;
create index bussiness_owner_amount on bussiness (tenant_id, owner_id, amount, id) where deleted_at is null;
create index bussiness_owner_expected on bussiness (tenant_id, owner_id, expected_date, id) where deleted_at is null;
create index bussiness_owner_win_rate on bussiness (tenant_id, owner_id, win_rate, id) where deleted_at is null;
create index bussiness_owner_stage_since on bussiness (tenant_id, owner_id, stage_since, id) where deleted_at is null;
create index bussiness_dept_created on bussiness (tenant_id, owner_dept_id, created_at desc, id desc) where deleted_at is null;
create index bussiness_dept_next_follow on bussiness
  (tenant_id, owner_dept_id, least(next_follow_at, 'infinity'::timestamptz), id) where deleted_at is null;
create index bussiness_dept_expected on bussiness (tenant_id, owner_dept_id, expected_date, id) where deleted_at is null;

-- Pools: their three orders; the first also counts a pool.
drop index customer_pool;
drop index lead_pool;
drop index bussiness_pool;
create index customer_pool on customer
  (tenant_id, pool_id, greatest(pool_entered_at, '-infinity'::timestamptz) desc, id desc) where owner_id is null and deleted_at is null;
create index customer_pool_level on customer
  (tenant_id, pool_id, coalesce(level, U&'\+10FFFF'::text), id) where owner_id is null and deleted_at is null;
create index customer_pool_last_follow on customer
  (tenant_id, pool_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc) where owner_id is null and deleted_at is null;
create index lead_pool on lead
  (tenant_id, pool_id, greatest(pool_entered_at, '-infinity'::timestamptz) desc, id desc) where owner_id is null and deleted_at is null;
create index lead_pool_level on lead
  (tenant_id, pool_id, coalesce(level, U&'\+10FFFF'::text), id) where owner_id is null and deleted_at is null;
create index lead_pool_last_follow on lead
  (tenant_id, pool_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc) where owner_id is null and deleted_at is null;
create index bussiness_pool on bussiness
  (tenant_id, pool_id, greatest(pool_entered_at, '-infinity'::timestamptz) desc, id desc) where owner_id is null and deleted_at is null;
create index bussiness_pool_last_follow on bussiness
  (tenant_id, pool_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc) where owner_id is null and deleted_at is null;

-- Birthdays of a month: a column of its own, because a month taken out of a date is not leakproof and so in no index's reach.
alter table contact add column birth_month smallint generated always as (extract(month from birthday)) stored;
create index contact_birth_month on contact (tenant_id, birth_month, py, id) where deleted_at is null and status = 'active';
-- The tab of opportunities near their end, as `pools/pool-list.ts` asks for it.
create index bussiness_pool_high on bussiness
  (tenant_id, pool_id, greatest(pool_entered_at, '-infinity'::timestamptz) desc, id desc)
  where owner_id is null and deleted_at is null and win_rate >= 50;

create index contact_created on contact (tenant_id, created_at desc, id desc) where deleted_at is null;
create index contact_last_follow on contact
  (tenant_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index follow_created on follow (tenant_id, created_at desc, id desc) where deleted_at is null;
create index contract_amount on contract (tenant_id, amount, id) where deleted_at is null;
create index contract_owner_amount on contract (tenant_id, owner_id, amount, id) where deleted_at is null;
