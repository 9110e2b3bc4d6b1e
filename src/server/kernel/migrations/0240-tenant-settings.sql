-- A tenant's own settings, written by its administrators; edition, number of people and expiry stay the operator's.
alter table tenant add column version integer not null default 1;
grant update (name, short_name, timezone, settings, updated_at, version) on tenant to crm_app;
