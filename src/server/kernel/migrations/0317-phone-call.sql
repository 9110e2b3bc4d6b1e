-- Calls that were begun from the phone client: who rang whom when, and the follow-up in which the call was written down.
create table phone_call (
  tenant_id text not null references tenant (id),
  id text not null,
  user_id text not null,
  target_type text not null check (target_type in ('customer', 'lead', 'bussiness', 'contract', 'contact')),
  target_id text not null,
  contact_id text,
  phone text not null check (char_length(phone) between 3 and 30),
  started_at timestamptz(3) not null,
  follow_id text,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references membership (tenant_id, user_id) on delete cascade,
  foreign key (tenant_id, follow_id) references follow (tenant_id, id)
);
create index phone_call_user on phone_call (tenant_id, user_id, started_at desc);
create index phone_call_time on phone_call (tenant_id, started_at);

select crm_guard('phone_call');
