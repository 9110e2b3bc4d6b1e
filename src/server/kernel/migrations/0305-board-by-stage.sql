-- A column of the board: its cards in their order, its count and sums without a look at the rows themselves.
create index bussiness_board on bussiness
  (tenant_id, flow_id, stage_id, greatest(last_follow_at, '-infinity'::timestamptz) desc, id desc)
  include (amount, weighted, owner_id, owner_dept_id)
  where status = 1 and deleted_at is null and owner_id is not null;
