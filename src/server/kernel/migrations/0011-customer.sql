-- Customer 客户 (CRM 1.0, 1.1).
create table customer (
  tenant_id text not null references tenant (id),
  id text not null,
  name text not null check (char_length(name) between 2 and 100),
  customer_no text not null check (char_length(customer_no) <= 30),
  short_name text check (char_length(short_name) <= 40),
  customer_type text,
  level text not null default 'C',
  source text,
  activity_id text,
  industry text,
  industry_path text[] not null default '{}',
  scale text,
  stage text,
  mobile text check (char_length(mobile) <= 11),
  telephone text check (char_length(telephone) <= 20),
  email text check (char_length(email) <= 80),
  wechat text check (char_length(wechat) <= 40),
  website text check (char_length(website) <= 200),
  credit_code text check (char_length(credit_code) = 18),
  region text[] not null default '{}',
  address text check (char_length(address) <= 200),
  lng double precision check (lng between -180 and 180),
  lat double precision check (lat between -90 and 90),
  coordinate_system text not null default 'WGS-84',
  parent_id text,
  tags text[] not null default '{}' check (cardinality(tags) <= 10),
  remark text check (char_length(remark) <= 1000),
  attachments jsonb not null default '[]',
  primary_contact_id text,

  deal_status smallint not null default 0 check (deal_status in (0, 1)),
  deal_at timestamptz(3),
  deal_count int not null default 0,
  deal_amount numeric(14, 2) not null default 0,
  received_amount numeric(14, 2) not null default 0,

  -- owned mixin (CRM 1.0)
  owner_id text,
  owner_dept_id text,
  owner_since timestamptz(3),
  obtain_way text not null default 'created'
    check (obtain_way in ('created', 'claimed', 'assigned', 'transferred', 'converted', 'imported')),
  prev_owner_id text,
  pool_id text,
  pool_entered_at timestamptz(3),
  pool_reason text,
  pool_times int not null default 0,
  lock_status boolean not null default false,
  lock_until timestamptz(3),
  expire_at timestamptz(3),
  follow_status text not null default 'none' check (follow_status in ('none', 'followed')),
  last_follow_at timestamptz(3),
  last_follow_by text,
  last_follow_content text check (char_length(last_follow_content) <= 120),
  next_follow_at timestamptz(3),

  -- search and duplicates, written by the server (CRM 0.11, 1.1.3)
  name_norm text not null,
  search_text text not null,
  search_tokens text[] not null,
  py text collate "C" not null,
  py_initial text collate "C" not null,
  mobile_norm text[] not null default '{}',
  website_host text,
  dup_allowed boolean not null default false,

  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  version int not null default 1,
  ext jsonb not null default '{}',

  primary key (tenant_id, id),
  foreign key (tenant_id, owner_id) references membership (tenant_id, user_id),
  unique (tenant_id, customer_no),
  foreign key (tenant_id, pool_id) references pool (tenant_id, id),
  foreign key (tenant_id, parent_id) references customer (tenant_id, id),
  constraint customer_owner_xor_pool check ((owner_id is null) = (pool_id is not null))
);

create unique index customer_name_norm_once on customer (tenant_id, name_norm)
  where deleted_at is null and not dup_allowed;
create unique index customer_credit_code_once on customer (tenant_id, credit_code)
  where deleted_at is null and credit_code is not null;

-- Keyset paging: one index per default sort and way of narrowing (CRM 6.4). "Nulls last" is written as an
-- infinite value, so that one row comparison finds the next page.
create index customer_owner_last_follow on customer
  (tenant_id, owner_id, coalesce(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index customer_owner_created on customer (tenant_id, owner_id, created_at desc, id desc) where deleted_at is null;
create index customer_owner_next_follow on customer
  (tenant_id, owner_id, coalesce(next_follow_at, 'infinity'::timestamptz), id) where deleted_at is null;
create index customer_dept_last_follow on customer
  (tenant_id, owner_dept_id, coalesce(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index customer_dept_created on customer
  (tenant_id, owner_dept_id, created_at desc, id desc) where deleted_at is null;
create index customer_last_follow on customer
  (tenant_id, coalesce(last_follow_at, '-infinity'::timestamptz) desc, id desc) where deleted_at is null;
create index customer_created on customer (tenant_id, created_at desc, id desc) where deleted_at is null;
create index customer_next_follow on customer
  (tenant_id, coalesce(next_follow_at, 'infinity'::timestamptz), id) where deleted_at is null;
create index customer_pool on customer (tenant_id, pool_id, pool_entered_at desc, id desc) where owner_id is null;
create index customer_expire on customer (tenant_id, expire_at) where owner_id is not null and expire_at is not null;
create index customer_parent on customer (tenant_id, parent_id) where parent_id is not null;
create index customer_pinyin on customer (tenant_id, py, id) where deleted_at is null;
create index customer_tokens on customer using gin (search_tokens);
create index customer_phones on customer using gin (mobile_norm);

select crm_guard('customer');
