-- What each contact of an opportunity is to it: who decides, who is against. `[{contact_id, role, attitude, remark}]`, of people in `contact_ids`.
alter table bussiness add column contact_roles jsonb not null default '[]';
