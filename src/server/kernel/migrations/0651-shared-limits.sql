-- Calls that are counted over all servers: attempts to sign in and captchas, by address or account. `key` is a digest of whom it counts.
create table shared_limit (
  key text primary key,
  began_at timestamptz(3) not null,
  count integer not null
);
create index shared_limit_old on shared_limit (began_at);
grant select, insert, update, delete on shared_limit to crm_system;
