-- Bytes of uploads and results, where several servers share one database: in pieces, so that no read holds a whole file.
-- A file's bytes are written before its record, so there is no reference to it.
create table file_chunk (
  tenant_id text not null references tenant (id),
  file_id text not null,
  part integer not null,
  content bytea not null,
  primary key (tenant_id, file_id, part)
);
-- Pictures and archives are packed already.
alter table file_chunk alter column content set storage external;
select crm_guard('file_chunk', 'select, insert, delete');
