-- Backups that the servers made by themselves (BACKUP_DIR), and what came of trying them out. A row is taken before the work begins, so that of
-- several servers one does it.
create table backup_run (
  id text primary key,
  kind text not null check (kind in ('backup', 'test')),
  file text not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  ok boolean,
  message text not null default ''
);
create index backup_run_newest on backup_run (kind, started_at desc);
grant select, insert, update, delete on backup_run to crm_system;
