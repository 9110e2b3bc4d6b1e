-- Logins that demo data made have a password everybody knows: production does not start while one of them can sign in.
alter table app_user add column is_demo boolean not null default false;
update app_user set is_demo = true where id = 'u-' || account;
