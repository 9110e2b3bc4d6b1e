-- Contact 联系人 (CRM 1.3). Ownership follows the customer, so there is no owner column.
create table contact (
  tenant_id text not null references tenant (id),
  id text not null,
  customer_id text not null,
  name text not null check (char_length(name) between 1 and 40),
  mobile text check (char_length(mobile) <= 11),
  mobile2 text check (char_length(mobile2) <= 11),
  telephone text check (char_length(telephone) <= 20),
  wechat text check (char_length(wechat) <= 40),
  email text check (char_length(email) <= 80),
  qq text check (char_length(qq) <= 20),
  gender text,
  department text check (char_length(department) <= 40),
  position text check (char_length(position) <= 40),
  role text,
  is_key boolean not null default false,
  is_primary boolean not null default false,
  attitude text,
  report_to_id text,
  birthday date,
  birthday_lunar boolean not null default false,
  hobby text check (char_length(hobby) <= 200),
  region text[] not null default '{}',
  address text check (char_length(address) <= 200),
  status text not null default 'active' check (status in ('active', 'left')),
  leave_reason text,
  next_follow_at timestamptz(3),
  last_follow_at timestamptz(3),
  last_follow_by text,
  last_follow_content text check (char_length(last_follow_content) <= 120),
  remark text check (char_length(remark) <= 1000),
  attachments jsonb not null default '[]',
  search_text text not null,
  search_tokens text[] not null,
  py text collate "C" not null,
  py_initial text collate "C" not null,
  mobile_norm text[] not null default '{}',
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  version int not null default 1,
  ext jsonb not null default '{}',
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  foreign key (tenant_id, report_to_id) references contact (tenant_id, id),
  constraint contact_reachable check (coalesce(mobile, telephone, wechat, email) is not null)
);

create unique index contact_once_per_customer on contact (tenant_id, customer_id, name, mobile) where deleted_at is null;
create unique index contact_one_primary on contact (tenant_id, customer_id) where is_primary and deleted_at is null;
create index contact_of_customer on contact (tenant_id, customer_id, created_at, id);
create index contact_pinyin on contact (tenant_id, py, id) where deleted_at is null;
create index contact_tokens on contact using gin (search_tokens);
create index contact_phones on contact using gin (mobile_norm);

select crm_guard('contact');
