-- Messages that reach a device while the app is closed (Web Push).
-- What the servers sign with (VAPID), made at the first start; the private half is sealed under SECRETS_KEY. Devices subscribe to the public half.
create table push_key (
  only_one boolean primary key default true check (only_one),
  public_key text not null,
  sealed text not null,
  created_at timestamptz(3) not null
);
grant select, insert, update, delete on push_key to crm_system;

-- A device that wants to be told. Its endpoint is an address at the push service of its browser.
create table push_subscription (
  tenant_id text not null references tenant (id),
  id text not null,
  user_id text not null,
  device_id text not null,
  endpoint text not null check (length(endpoint) <= 1000),
  p256dh text not null,
  auth text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  unique (tenant_id, user_id, device_id),
  foreign key (tenant_id, user_id) references membership (tenant_id, user_id) on delete cascade
);
create index push_subscription_endpoint on push_subscription using hash (endpoint);
create index push_subscription_device on push_subscription (user_id, device_id);

-- What is still to be sent: one row per message and device. A server takes a row until a moment, sends without a transaction, and removes it.
create table push_task (
  tenant_id text not null references tenant (id),
  subscription_id text not null,
  message_id text not null,
  due_at timestamptz(3) not null default now(),
  taken_until timestamptz(3),
  attempts integer not null default 0,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, subscription_id, message_id),
  foreign key (tenant_id, subscription_id) references push_subscription (tenant_id, id) on delete cascade,
  foreign key (tenant_id, message_id) references message (tenant_id, id) on delete cascade
);
create index push_task_due on push_task (due_at);
create index push_task_message on push_task (tenant_id, message_id);

select crm_guard('push_subscription');
select crm_guard('push_task');

-- Groups of messages of which a person wants no push; the list in the app has them all the same.
alter table message_setting add column push_off text[] not null default '{}';
