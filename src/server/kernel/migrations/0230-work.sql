-- Work that takes longer than a call may: import, export, large transfers (CRM 0.3, 8.7). A server takes a row that waits, or one whose
-- server has fallen silent; what is done is counted in the transaction that did it, so nothing is done twice.
create table work (
  tenant_id text not null references tenant (id),
  id text not null,
  user_id text not null,
  session_id text not null,
  kind text not null check (kind in ('export', 'import', 'check', 'transfer')),
  entity text not null check (char_length(entity) <= 20),
  title text not null check (char_length(title) <= 200),
  input jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  total int not null default 0,
  done int not null default 0,
  ok int not null default 0,
  failed int not null default 0,
  failures jsonb not null default '[]',
  message text not null default '',
  file_id text,
  file_name text not null default '',
  beat_at timestamptz(3),
  finished_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references membership (tenant_id, user_id)
);
select crm_guard('work');
create index work_of_person on work (tenant_id, user_id, created_at desc, id);
create index work_open on work (tenant_id, created_at) where status in ('waiting', 'running');
create index work_expiry on work (tenant_id, expires_at) where file_id is not null;
