-- What the operator of the installation looks at; nothing of it is a tenant's to read.
-- Servers that serve this database now: each says so once a minute.
create table server_seen (
  id text primary key,
  host text not null,
  version text not null,
  started_at timestamptz(3) not null,
  seen_at timestamptz(3) not null
);
-- The last failure of each job, per tenant ('' where it walks over all), and how many there were.
create table job_fault (
  job text not null,
  tenant_id text not null,
  at timestamptz(3) not null,
  message text not null,
  count integer not null default 1,
  primary key (job, tenant_id)
);
-- Checks of form pages that ran over their budget and were ended, per day.
create table hook_fault (
  tenant_id text not null,
  page text not null,
  hook text not null,
  day date not null,
  count integer not null default 1,
  primary key (tenant_id, page, hook, day)
);
grant select, insert, update, delete on server_seen, job_fault, hook_fault to crm_system;
