-- The files of `schemas/` as they last were without faults (`kernel/pages/last-good.ts`): a broken edit does not take a page away when the
-- server starts anew. They are the installation's, of no tenant.
create table last_good (
  name text primary key,
  digest text not null,
  content bytea not null,
  saved_at timestamptz not null default now()
);
grant select, insert, update, delete on last_good to crm_system;
