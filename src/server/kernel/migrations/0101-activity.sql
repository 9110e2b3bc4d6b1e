-- Market activity 市场活动 (CRM 1.8) and whoever takes part in it. Its status follows the clock, so it is not stored.
create table activity (
  tenant_id text not null references tenant (id),
  id text not null,
  name text not null check (char_length(name) between 1 and 100),
  activity_no text not null check (char_length(activity_no) <= 30),
  type text not null,
  start_at timestamptz(3) not null,
  end_at timestamptz(3) not null,
  place text check (char_length(place) <= 200),
  online_url text check (char_length(online_url) <= 200),
  lng double precision check (lng between -180 and 180),
  lat double precision check (lat between -90 and 90),
  cover jsonb not null default '[]',
  content text check (char_length(content) <= 20000),
  attachments jsonb not null default '[]',
  budget numeric(14, 2) check (budget >= 0),
  actual_cost numeric(14, 2) check (actual_cost >= 0),
  expected_count int check (expected_count >= 0),
  owner_id text not null,
  member_ids text[] not null default '{}',
  cancelled_at timestamptz(3),
  cancel_reason text check (char_length(cancel_reason) <= 200),
  name_norm text not null,
  search_text text not null,
  search_tokens text[] not null,
  py text collate "C" not null,
  py_initial text collate "C" not null,
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  version int not null default 1,
  ext jsonb not null default '{}',
  primary key (tenant_id, id),
  unique (tenant_id, activity_no),
  foreign key (tenant_id, owner_id) references membership (tenant_id, user_id),
  constraint activity_ends_after_start check (end_at >= start_at)
);
create index activity_started on activity (tenant_id, start_at desc, id desc) where deleted_at is null;
create index activity_tokens on activity using gin (search_tokens);

create table activity_member (
  tenant_id text not null references tenant (id),
  id text not null,
  activity_id text not null,
  target_type text not null check (target_type in ('contact', 'lead')),
  target_id text not null,
  status text not null default 'invited' check (status in ('invited', 'registered', 'signed', 'absent')),
  at timestamptz(3) not null default now(),
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  version int not null default 1,
  primary key (tenant_id, id),
  unique (tenant_id, activity_id, target_type, target_id),
  foreign key (tenant_id, activity_id) references activity (tenant_id, id)
);

create index lead_of_activity on lead (tenant_id, activity_id) where activity_id is not null;
create index customer_of_activity on customer (tenant_id, activity_id) where activity_id is not null;

select crm_guard('activity');
select crm_guard('activity_member');
