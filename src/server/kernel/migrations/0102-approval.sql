-- Approvals of contracts and payments (CRM 1.6): the tenant's flow, a submission on its way, and every act on it.
create table approval_flow (
  tenant_id text not null references tenant (id),
  entity text not null check (entity in ('contract', 'payment')),
  enabled boolean not null default true,
  -- The submitter may stand among the approvers of his own submission.
  allow_self boolean not null default false,
  -- [{ kind, value, mode, min_amount?, below_min? }]
  steps jsonb not null default '[]',
  -- [{ kind, value }]
  cc jsonb not null default '[]',
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  version int not null default 1,
  primary key (tenant_id, entity)
);

create table approval (
  tenant_id text not null references tenant (id),
  id text not null,
  entity text not null check (entity in ('contract', 'payment')),
  record_id text not null,
  title text not null,
  amount numeric(14, 2) not null,
  submitter_id text not null,
  status text not null default 'running' check (status in ('running', 'approved', 'rejected', 'withdrawn')),
  -- [{ name, mode, people, approved, added? }]: the flow as it was resolved when it was submitted.
  steps jsonb not null default '[]',
  step_no int not null default 0,
  -- Who may not decide on it: submitter and owner, unless the flow lets them.
  barred_ids text[] not null default '{}',
  -- Who may decide now; who may or might; who only reads.
  waiting_ids text[] not null default '{}',
  approver_ids text[] not null default '{}',
  cc_ids text[] not null default '{}',
  submitted_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  version int not null default 1,
  primary key (tenant_id, id),
  foreign key (tenant_id, submitter_id) references membership (tenant_id, user_id)
);
create unique index approval_runs_once on approval (tenant_id, entity, record_id) where status = 'running';
create index approval_of_record on approval (tenant_id, entity, record_id, submitted_at desc);
create index approval_submitted on approval (tenant_id, submitter_id, submitted_at desc, id desc);
create index approval_waiting on approval using gin (waiting_ids) where status = 'running';
create index approval_cc on approval using gin (cc_ids);

create table approval_act (
  tenant_id text not null references tenant (id),
  id text not null,
  approval_id text not null,
  step_no int not null,
  user_id text not null,
  action text not null
    check (action in ('submit', 'approve', 'reject', 'transfer', 'addSign', 'withdraw', 'pass')),
  to_user_id text,
  opinion text check (char_length(opinion) <= 500),
  at timestamptz(3) not null default now(),
  -- The order of acts in one millisecond.
  seq bigint generated always as identity,
  primary key (tenant_id, id),
  foreign key (tenant_id, approval_id) references approval (tenant_id, id)
);
create index approval_act_of on approval_act (tenant_id, approval_id, seq);
create index approval_act_by on approval_act (tenant_id, user_id, approval_id);

select crm_guard('approval_flow');
select crm_guard('approval');
select crm_guard('approval_act', 'select, insert');

-- Contracts: revisions, the price floor, who submitted, what is still to be collected.
alter table contract
  add column replaced_by text,
  add column below_min boolean not null default false,
  add column amount_overridden boolean not null default false,
  add column performed_by_hand boolean not null default false,
  add column submitted_by text,
  add column submitted_at timestamptz(3),
  add column approved_at timestamptz(3),
  add column unreceived_amount numeric(14, 2) generated always as (amount - received_amount) stored,
  add foreign key (tenant_id, replaced_by) references contract (tenant_id, id);
create unique index contract_revised_once on contract (tenant_id, revision_of)
  where revision_of is not null and deleted_at is null and approval_status <> 5;
create index contract_all_signed on contract (tenant_id, sign_date desc, id desc) where deleted_at is null;

alter table payment
  add column submitted_by text,
  add column submitted_at timestamptz(3),
  add column approved_at timestamptz(3),
  -- How far above the contract amount its author knowingly went.
  add column over_confirmed numeric(14, 2) not null default 0;
create index payment_all_paid on payment (tenant_id, paid_at desc, id desc) where deleted_at is null;
create index payment_of_plan on payment (tenant_id, plan_id) where plan_id is not null;
create index payment_reversed on payment (tenant_id, reverses_id) where reverses_id is not null;

-- A deleted plan gives its number free.
alter table payment_plan drop constraint payment_plan_tenant_id_contract_id_period_no_key;
create unique index payment_plan_period_once on payment_plan (tenant_id, contract_id, period_no)
  where deleted_at is null;
create index payment_plan_dated on payment_plan (tenant_id, plan_date, id) where deleted_at is null;

-- What happened to contracts and payments of a customer, for its timeline (CRM 1.10): append-only.
create table deal_event (
  tenant_id text not null references tenant (id),
  id text not null,
  customer_id text not null,
  contract_id text not null,
  payment_id text,
  kind text not null,
  amount numeric(14, 2) not null,
  reason text,
  user_id text,
  at timestamptz(3) not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  foreign key (tenant_id, contract_id) references contract (tenant_id, id)
);
create index deal_event_of_customer on deal_event (tenant_id, customer_id, at desc, id desc);
create index deal_event_of_contract on deal_event (tenant_id, contract_id, at desc, id desc);

select crm_guard('deal_event', 'select, insert');

-- What waited for somebody before there were approvals.
set local role crm_system;
insert into approval (tenant_id, id, entity, record_id, title, amount, submitter_id, steps, waiting_ids, approver_ids,
    submitted_at, created_by)
  select tenant_id, 'c-' || id, 'contract', id, name, amount, owner_id,
    jsonb_build_array(jsonb_build_object('name', '', 'mode', 'any', 'people', jsonb_build_array(approver_id), 'approved', '[]'::jsonb)),
    array[approver_id], approver_ids, updated_at, owner_id
  from contract where approval_status = 1 and approver_id is not null and deleted_at is null;
insert into approval (tenant_id, id, entity, record_id, title, amount, submitter_id, steps, waiting_ids, approver_ids,
    submitted_at, created_by)
  select tenant_id, 'p-' || id, 'payment', id, payment_no, amount, owner_id,
    jsonb_build_array(jsonb_build_object('name', '', 'mode', 'any', 'people', jsonb_build_array(approver_id), 'approved', '[]'::jsonb)),
    array[approver_id], approver_ids, updated_at, owner_id
  from payment where approval_status = 1 and approver_id is not null and deleted_at is null;
update contract set submitted_by = owner_id, submitted_at = updated_at where approval_status in (1, 2, 3, 4);
update payment set submitted_by = owner_id, submitted_at = updated_at where approval_status in (1, 2, 3, 4);
reset role;
