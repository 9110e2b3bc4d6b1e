-- Follow-up record 跟进记录 (CRM 1.10) and its comments. The four resolved ids make each timeline one indexed read.
create table follow (
  tenant_id text not null references tenant (id),
  id text not null,
  target_type text not null check (target_type in ('customer', 'lead', 'bussiness', 'contract', 'contact')),
  target_id text not null,
  customer_id text,
  lead_id text,
  bussiness_id text,
  contract_id text,
  contact_ids text[] not null default '{}',
  method text not null,
  content text not null check (char_length(content) between 2 and 2000),
  result text,
  followed_at timestamptz(3) not null,
  next_follow_at timestamptz(3),
  next_plan text check (char_length(next_plan) <= 200),
  stage_change jsonb,
  images jsonb not null default '[]' check (jsonb_array_length(images) <= 9),
  files jsonb not null default '[]' check (jsonb_array_length(files) <= 9),
  audio jsonb not null default '[]' check (jsonb_array_length(audio) <= 1),
  location jsonb,
  call jsonb,
  mention_ids text[] not null default '{}',
  source text not null default 'manual' check (source in ('manual', 'call', 'visit', 'convert', 'system')),
  comment_count int not null default 0,
  author_id text not null,
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  version int not null default 1,
  ext jsonb not null default '{}',
  primary key (tenant_id, id),
  foreign key (tenant_id, author_id) references membership (tenant_id, user_id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  foreign key (tenant_id, lead_id) references lead (tenant_id, id),
  foreign key (tenant_id, bussiness_id) references bussiness (tenant_id, id),
  foreign key (tenant_id, contract_id) references contract (tenant_id, id)
);
create index follow_customer on follow (tenant_id, customer_id, followed_at desc, id desc) where deleted_at is null;
create index follow_lead on follow (tenant_id, lead_id, followed_at desc, id desc) where lead_id is not null;
create index follow_bussiness on follow (tenant_id, bussiness_id, followed_at desc, id desc) where bussiness_id is not null;
create index follow_contract on follow (tenant_id, contract_id, followed_at desc, id desc) where contract_id is not null;
create index follow_author on follow (tenant_id, author_id, followed_at desc, id desc) where deleted_at is null;
create index follow_time on follow (tenant_id, followed_at desc, id desc) where deleted_at is null;

create table follow_comment (
  tenant_id text not null references tenant (id),
  id text not null,
  follow_id text not null,
  reply_to_id text,
  content text not null check (char_length(content) between 1 and 500),
  mention_ids text[] not null default '{}',
  author_id text not null,
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  version int not null default 1,
  ext jsonb not null default '{}',
  primary key (tenant_id, id),
  foreign key (tenant_id, follow_id) references follow (tenant_id, id),
  foreign key (tenant_id, reply_to_id) references follow_comment (tenant_id, id)
);
create index follow_comment_of on follow_comment (tenant_id, follow_id, created_at, id) where deleted_at is null;

select crm_guard('follow');
select crm_guard('follow_comment');
