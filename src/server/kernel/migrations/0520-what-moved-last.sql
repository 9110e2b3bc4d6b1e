-- The order "last moved first" of owned lists (`lists/owned-list.ts`): by the last follow-up or the day it was received, whichever is
-- later, so that what is new or was claimed comes first, not last. Spelled as the list asks; the same indexes find what was forgotten.
drop index customer_owner_last_follow;
drop index customer_dept_last_follow;
drop index customer_owned_last_follow;
drop index customer_owner_forgotten;
drop index lead_owner_last_follow;
drop index lead_dept_last_follow;
drop index lead_owned_last_follow;
drop index bussiness_owner_last_follow;
drop index bussiness_dept_last_follow;
drop index bussiness_owned_last_follow;
drop index bussiness_won_last_follow;
drop index bussiness_lost_last_follow;
drop index bussiness_board;
create index customer_owner_moved on customer
  (tenant_id, owner_id, greatest(last_follow_at, owner_since, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index customer_dept_moved on customer
  (tenant_id, owner_dept_id, greatest(last_follow_at, owner_since, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index customer_owned_moved on customer
  (tenant_id, greatest(last_follow_at, owner_since, '-infinity'::timestamptz) desc, id desc) where deleted_at is null and owner_id is not null;
create index lead_owner_moved on lead
  (tenant_id, owner_id, greatest(last_follow_at, owner_since, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index lead_dept_moved on lead
  (tenant_id, owner_dept_id, greatest(last_follow_at, owner_since, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index lead_owned_moved on lead
  (tenant_id, greatest(last_follow_at, owner_since, '-infinity'::timestamptz) desc, id desc) where deleted_at is null and owner_id is not null;
create index bussiness_owner_moved on bussiness
  (tenant_id, owner_id, greatest(last_follow_at, owner_since, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index bussiness_dept_moved on bussiness
  (tenant_id, owner_dept_id, greatest(last_follow_at, owner_since, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index bussiness_owned_moved on bussiness
  (tenant_id, greatest(last_follow_at, owner_since, '-infinity'::timestamptz) desc, id desc) where deleted_at is null and owner_id is not null;
-- Opportunities by how they stand: of the tenant; and those still open, of an owner and of a department, whatever else has ended.
create index bussiness_open_moved on bussiness
  (tenant_id, greatest(last_follow_at, owner_since, '-infinity'::timestamptz) desc, id desc)
  where deleted_at is null and owner_id is not null and status = 1;
create index bussiness_won_moved on bussiness
  (tenant_id, greatest(last_follow_at, owner_since, '-infinity'::timestamptz) desc, id desc)
  where deleted_at is null and owner_id is not null and status = 2;
create index bussiness_lost_moved on bussiness
  (tenant_id, greatest(last_follow_at, owner_since, '-infinity'::timestamptz) desc, id desc)
  where deleted_at is null and owner_id is not null and status in (3, 4);
create index bussiness_owner_open_moved on bussiness
  (tenant_id, owner_id, greatest(last_follow_at, owner_since, '-infinity'::timestamptz) desc, id desc) where deleted_at is null and status = 1;
create index bussiness_dept_open_moved on bussiness
  (tenant_id, owner_dept_id, greatest(last_follow_at, owner_since, '-infinity'::timestamptz) desc, id desc) where deleted_at is null and status = 1;
-- The board, with the sums of its columns.
create index bussiness_board on bussiness (tenant_id, flow_id, stage_id,
  greatest(last_follow_at, owner_since, '-infinity'::timestamptz) desc, id desc)
  include (amount, weighted, owner_id, owner_dept_id) where status = 1 and deleted_at is null and owner_id is not null;
