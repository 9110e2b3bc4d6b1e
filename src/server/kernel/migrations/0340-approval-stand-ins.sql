-- Who decides for somebody who is away, and the acts that keep a submission from hanging.
create table approval_delegate (
  tenant_id text not null references tenant (id),
  user_id text not null,
  to_user_id text not null,
  from_at timestamptz(3) not null,
  -- Not included.
  until_at timestamptz(3) not null,
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references membership (tenant_id, user_id) on delete cascade,
  foreign key (tenant_id, to_user_id) references membership (tenant_id, user_id) on delete cascade,
  check (user_id <> to_user_id and until_at > from_at)
);

select crm_guard('approval_delegate');

alter table approval_act drop constraint approval_act_action_check;
alter table approval_act add constraint approval_act_action_check check (action in
  ('submit', 'approve', 'reject', 'transfer', 'addSign', 'withdraw', 'pass', 'delegate', 'reassign', 'urge'));
