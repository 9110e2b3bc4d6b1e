-- Quick tabs that picked their rows out of the list's order had a page at once or after hundreds of rows, as it happened: what is worth
-- most is taken out of a pool first, and won opportunities may lie anywhere. Each has its rows in an index of its own now; the conditions
-- are spelled as the lists ask for them (`pools/pool-list.ts`, `bussiness/list-spec.ts`).
create index customer_pool_high on customer
  (tenant_id, pool_id, greatest(pool_entered_at, '-infinity'::timestamptz) desc, id desc)
  where owner_id is null and deleted_at is null and level in ('A', 'B');
create index lead_pool_high on lead
  (tenant_id, pool_id, greatest(pool_entered_at, '-infinity'::timestamptz) desc, id desc)
  where owner_id is null and deleted_at is null and level = 'hot';
create index bussiness_won_last_follow on bussiness
  (tenant_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc)
  where deleted_at is null and owner_id is not null and status = 2;
create index bussiness_lost_last_follow on bussiness
  (tenant_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc)
  where deleted_at is null and owner_id is not null and status in (3, 4);
create index customer_pool_never_followed on customer
  (tenant_id, pool_id, greatest(pool_entered_at, '-infinity'::timestamptz) desc, id desc)
  where owner_id is null and deleted_at is null and last_follow_at is null;
create index lead_pool_never_followed on lead
  (tenant_id, pool_id, greatest(pool_entered_at, '-infinity'::timestamptz) desc, id desc)
  where owner_id is null and deleted_at is null and last_follow_at is null;
create index bussiness_pool_never_followed on bussiness
  (tenant_id, pool_id, greatest(pool_entered_at, '-infinity'::timestamptz) desc, id desc)
  where owner_id is null and deleted_at is null and last_follow_at is null;
-- One's own that leave soon, as customers and leads have them.
create index bussiness_owner_expire on bussiness
  (tenant_id, owner_id, least(expire_at, 'infinity'::timestamptz), id) where deleted_at is null;
