-- A file that is deleted waits for its bytes to be taken away: `gone_at` says that they are.
-- `looked_at`: when it was last looked for among what names files; `unnamed_at`: when nobody was found to name it.
alter table file
  add column gone_at timestamptz(3),
  add column looked_at timestamptz(3),
  add column unnamed_at timestamptz(3);
create index file_going on file (tenant_id, deleted_at) where deleted_at is not null and gone_at is null;
create index file_unnamed on file (tenant_id, unnamed_at) where unnamed_at is not null and deleted_at is null;
