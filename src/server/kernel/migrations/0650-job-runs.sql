-- When each job that walks over all tenants by itself last ran well (those of single tenants have their row in job_slot).
create table job_run (
  job text primary key,
  ran_at timestamptz(3) not null,
  made integer not null
);
grant select, insert, update, delete on job_run to crm_system;
