-- Customers around a place (POST /mini/customer/nearby): those of a person, of a department and of the whole tenant, by latitude and then
-- longitude, so that a box is looked up and neither the rest of its strip nor anybody else's rows are fetched.
create index customer_owner_place on customer (tenant_id, owner_id, lat, lng) where deleted_at is null and lat is not null;
create index customer_dept_place on customer (tenant_id, owner_dept_id, lat, lng) where deleted_at is null and lat is not null;
create index customer_owned_place on customer (tenant_id, lat, lng)
  where deleted_at is null and owner_id is not null and lat is not null;
