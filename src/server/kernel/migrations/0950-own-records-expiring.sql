-- The tab 即将回收 of own modules: a user's records that return to their pool soon, in that order. Only pools with rules set `expire_at`.
create index record_owner_expire on record
  (tenant_id, module, owner_id, least(expire_at, 'infinity'::timestamptz), id) where deleted_at is null and expire_at is not null;
