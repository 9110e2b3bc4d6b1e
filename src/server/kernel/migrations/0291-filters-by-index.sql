-- The filters of the sheets that find few rows: so few are looked up, instead of looking through everybody's.
create index customer_source on customer (tenant_id, source) where deleted_at is null;
create index customer_stage on customer (tenant_id, stage) where deleted_at is null and owner_id is not null;
create index lead_source on lead (tenant_id, source) where deleted_at is null;
create index contact_role on contact (tenant_id, role) where deleted_at is null and owner_id is not null;
create index follow_method on follow (tenant_id, method, followed_at desc, id desc) where deleted_at is null;
