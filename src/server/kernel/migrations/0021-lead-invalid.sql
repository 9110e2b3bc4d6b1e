-- When a lead was marked invalid: its owner may take that back for 30 days (CRM 1.4).
alter table lead add column invalid_at timestamptz(3);
set local role crm_system;
update lead set invalid_at = updated_at where status = 50;
reset role;
