-- Contract 合同, payment plan 回款计划, payment 回款 (CRM 1.6, 1.7). A contract has an owner and never a pool.
create table contract (
  tenant_id text not null references tenant (id),
  id text not null,
  contract_no text not null check (char_length(contract_no) <= 40),
  name text not null check (char_length(name) between 1 and 100),
  customer_id text not null,
  bussiness_id text,
  type text not null,
  amount numeric(14, 2) not null check (amount > 0),
  sign_date date not null,
  start_date date,
  end_date date,
  our_signer_id text,
  customer_signer_id text,
  payment_terms text,
  lines jsonb not null default '[]',
  discount_rate numeric(5, 2) not null default 100 check (discount_rate between 0 and 100),
  owner_id text not null,
  owner_dept_id text,
  approval_status smallint not null default 0 check (approval_status between 0 and 5),
  -- Who may decide now, and who may see the contract because he decides or has decided (CRM 2.4).
  approver_id text,
  approver_ids text[] not null default '{}',
  perform_status smallint not null default 0 check (perform_status between 0 and 3),
  received_amount numeric(14, 2) not null default 0,
  revision_of text,
  revision_no int not null default 0,
  -- What this contract adds to the statistics: its amount, or for a revision the difference (CRM 3).
  stat_amount numeric(14, 2) not null,
  void_reason text,
  remark text check (char_length(remark) <= 1000),
  attachments jsonb not null default '[]',
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  version int not null default 1,
  ext jsonb not null default '{}',
  primary key (tenant_id, id),
  foreign key (tenant_id, owner_id) references membership (tenant_id, user_id),
  unique (tenant_id, contract_no),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  foreign key (tenant_id, bussiness_id) references bussiness (tenant_id, id),
  foreign key (tenant_id, revision_of) references contract (tenant_id, id),
  constraint contract_ends_after_start check (end_date >= start_date)
);

create index contract_of_customer on contract (tenant_id, customer_id);
create index contract_of_bussiness on contract (tenant_id, bussiness_id) where bussiness_id is not null;
create index contract_signed on contract (tenant_id, sign_date) where approval_status = 2 and deleted_at is null;
create index contract_owner on contract (tenant_id, owner_id, sign_date desc, id desc) where deleted_at is null;
create index contract_waiting on contract (tenant_id, approver_id) where approval_status = 1;

create table payment_plan (
  tenant_id text not null references tenant (id),
  id text not null,
  contract_id text not null,
  period_no int not null check (period_no > 0),
  plan_amount numeric(14, 2) not null check (plan_amount > 0),
  received_amount numeric(14, 2) not null default 0,
  plan_date date not null,
  method text,
  remind_days int not null default 3,
  status text not null default 'unpaid' check (status in ('unpaid', 'partial', 'paid', 'void')),
  remark text check (char_length(remark) <= 1000),
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  version int not null default 1,
  ext jsonb not null default '{}',
  primary key (tenant_id, id),
  unique (tenant_id, contract_id, period_no),
  foreign key (tenant_id, contract_id) references contract (tenant_id, id)
);
create index payment_plan_due on payment_plan (tenant_id, plan_date) where status in ('unpaid', 'partial');

create table payment (
  tenant_id text not null references tenant (id),
  id text not null,
  payment_no text not null check (char_length(payment_no) <= 40),
  contract_id text not null,
  plan_id text,
  -- The payment this one takes back (冲销); such a payment is negative.
  reverses_id text,
  amount numeric(14, 2) not null check (amount <> 0),
  paid_at date not null,
  method text not null,
  payer text check (char_length(payer) <= 100),
  bank_account text check (char_length(bank_account) <= 60),
  voucher jsonb not null default '[]',
  owner_id text not null,
  owner_dept_id text,
  approval_status smallint not null default 0 check (approval_status between 0 and 5),
  approver_id text,
  approver_ids text[] not null default '{}',
  remark text check (char_length(remark) <= 1000),
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  version int not null default 1,
  ext jsonb not null default '{}',
  primary key (tenant_id, id),
  unique (tenant_id, payment_no),
  foreign key (tenant_id, contract_id) references contract (tenant_id, id),
  foreign key (tenant_id, plan_id) references payment_plan (tenant_id, id),
  foreign key (tenant_id, reverses_id) references payment (tenant_id, id),
  constraint payment_reversal_is_negative check ((reverses_id is not null) = (amount < 0))
);
create index payment_of_contract on payment (tenant_id, contract_id);
create index payment_paid on payment (tenant_id, paid_at) where approval_status = 2 and deleted_at is null;
create index payment_waiting on payment (tenant_id, approver_id) where approval_status = 1;

select crm_guard('contract');
select crm_guard('payment_plan');
select crm_guard('payment');
