-- Pages, modules, fields, dictionaries and menus that are published together or not at all.
create table change_set (
  tenant_id text not null references tenant (id),
  id text not null,
  title text not null,
  note text not null default '',
  status text not null default 'open' check (status in ('open', 'asked', 'scheduled', 'partial', 'published', 'back')),
  -- The name of the server by which its writer reached it: pages may ask it.
  host text not null default '',
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  publish_at timestamptz,
  audience jsonb,
  asked_by text,
  -- Why the server did not do what it was to do by itself.
  failure text not null default '',
  published_by text,
  published_at timestamptz,
  primary key (tenant_id, id)
);
create index change_set_due on change_set (publish_at) where status = 'scheduled';
select crm_guard('change_set');

create table change_set_item (
  tenant_id text not null,
  set_id text not null,
  kind text not null check (kind in ('dict', 'module', 'field', 'page', 'menu')),
  name text not null,
  title text not null,
  content json not null,
  -- What it was made from: a number, or what stood there.
  base json not null,
  -- What it changes, a sentence each.
  words jsonb not null default '[]',
  added_by text not null,
  added_at timestamptz not null,
  -- What stood there before it was published, and what has stood there since.
  undo json,
  became json,
  primary key (tenant_id, set_id, kind, name),
  foreign key (tenant_id, set_id) references change_set (tenant_id, id) on delete cascade
);
select crm_guard('change_set_item');
