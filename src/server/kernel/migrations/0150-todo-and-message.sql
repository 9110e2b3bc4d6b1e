-- To-dos 待办 (CRM 1.11), messages 消息 (CRM 1.12) with everybody's switches, announcements 公告, and what the jobs did (CRM 5).
create table todo (
  tenant_id text not null references tenant (id),
  id text not null,
  -- Null: the system's own words, made from type and target when it is shown.
  title text check (char_length(title) between 1 and 100),
  -- Approvals are to-dos too; they are read from the table approval and not stored here.
  type text not null
    check (type in ('follow', 'first_follow', 'payment', 'contract_end', 'recycle', 'birthday', 'custom')),
  target_type text check (target_type in ('customer', 'contact', 'lead', 'bussiness', 'contract', 'payment', 'plan')),
  target_id text,
  target_name text check (char_length(target_name) <= 200),
  due_at timestamptz(3) not null,
  -- A day without a time of day: due at its end, reminded at 09:00.
  all_day boolean not null default false,
  remind_at timestamptz(3)[] not null default '{}' check (cardinality(remind_at) <= 5),
  -- The earliest of remind_at that has not been sent.
  remind_next timestamptz(3),
  priority text not null default 'mid' check (priority in ('high', 'mid', 'low')),
  assignee_id text not null,
  participant_ids text[] not null default '{}' check (cardinality(participant_ids) <= 20),
  status smallint not null default 0 check (status in (0, 1, 2)),
  done_at timestamptz(3),
  done_by text,
  done_note text check (char_length(done_note) <= 500),
  repeat text not null default 'none' check (repeat in ('none', 'day', 'week', 'month')),
  -- The day of the month a monthly one keeps, also after a short month.
  repeat_day smallint check (repeat_day between 1 and 31),
  series_id text,
  -- The next of the series has been made.
  repeated boolean not null default false,
  origin text not null default 'manual' check (origin in ('manual', 'follow', 'job', 'repeat')),
  source_key text,
  remark text check (char_length(remark) <= 1000),
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  version int not null default 1,
  ext jsonb not null default '{}',
  primary key (tenant_id, id),
  foreign key (tenant_id, assignee_id) references membership (tenant_id, user_id)
);
create unique index todo_source_once on todo (tenant_id, source_key) where source_key is not null;
create index todo_of on todo (tenant_id, assignee_id, due_at, id) where deleted_at is null and status = 0;
create index todo_done on todo (tenant_id, assignee_id, done_at desc, id desc) where deleted_at is null and status = 1;
create index todo_made on todo (tenant_id, created_by, due_at, id) where deleted_at is null;
create index todo_shared on todo using gin (participant_ids);
create index todo_target on todo (tenant_id, target_type, target_id) where status = 0 and deleted_at is null;
create index todo_reminded on todo (tenant_id, remind_next) where status = 0 and remind_next is not null;
create index todo_repeating on todo (tenant_id) where status = 1 and repeat <> 'none' and not repeated and deleted_at is null;

create table message (
  tenant_id text not null references tenant (id),
  id text not null,
  receiver_id text not null,
  category text not null check (category in
    ('system', 'notice', 'approval', 'customer', 'lead', 'bussiness', 'contract', 'payment', 'follow', 'todo')),
  event text not null,
  title text not null check (char_length(title) between 1 and 60),
  content text not null default '' check (char_length(content) <= 300),
  -- { route, query }: where a tap leads.
  link jsonb,
  sender_id text,
  read_at timestamptz(3),
  -- Unread ones of a group are one message, counted in merged.
  group_key text,
  merged int not null default 1,
  -- Quiet hours hold it back until then.
  shown_at timestamptz(3) not null,
  is_told boolean not null default true,
  created_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, receiver_id) references membership (tenant_id, user_id)
);
create index message_of on message (tenant_id, receiver_id, shown_at desc, id desc) where deleted_at is null;
create index message_unread on message (tenant_id, receiver_id, category) where read_at is null and deleted_at is null;
create unique index message_group_once on message (tenant_id, receiver_id, group_key)
  where group_key is not null and read_at is null and deleted_at is null;
create index message_held on message (tenant_id, shown_at) where not is_told;
create index message_age on message (tenant_id, created_at);

-- What has been told already: an announcement with the same key is not told twice, also when its message was deleted.
create table message_source (
  tenant_id text not null references tenant (id),
  source_key text not null check (char_length(source_key) <= 300),
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, source_key)
);
create index message_source_age on message_source (tenant_id, created_at);

create table message_setting (
  tenant_id text not null,
  user_id text not null,
  -- Events switched off that are on by default, and on that are off by default.
  switched text[] not null default '{}',
  quiet boolean not null default true,
  quiet_from text not null default '21:00' check (quiet_from ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  quiet_to text not null default '08:00' check (quiet_to ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references membership (tenant_id, user_id)
);

create table notice (
  tenant_id text not null references tenant (id),
  id text not null,
  title text not null check (char_length(title) between 1 and 60),
  content text not null default '' check (char_length(content) <= 2000),
  -- Empty: everybody. Otherwise these departments and those below them.
  dept_ids text[] not null default '{}',
  status text not null default 'draft' check (status in ('draft', 'published', 'withdrawn')),
  pinned_until timestamptz(3),
  published_at timestamptz(3),
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_by text,
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  version int not null default 1,
  ext jsonb not null default '{}',
  primary key (tenant_id, id)
);
create index notice_shown on notice (tenant_id, published_at desc) where status = 'published' and deleted_at is null;

-- The last slot of each job that ran for a tenant; its row lock keeps two servers from running one slot twice.
create table job_slot (
  tenant_id text not null references tenant (id),
  job text not null,
  slot text not null,
  made int not null default 0,
  ran_at timestamptz(3) not null,
  primary key (tenant_id, job)
);

select crm_guard('todo');
select crm_guard('message');
select crm_guard('message_source');
select crm_guard('message_setting');
select crm_guard('notice');
select crm_guard('job_slot');

-- Writing a follow-up closes the open follow-up to-dos of its target, and its next date makes the next one, in the same
-- transaction whoever writes it (CRM 1.11). Seeds and migrations (crm_system) write history and close nothing.
create function crm_follow_written() returns trigger language plpgsql as $$
declare
  at_type text := case new.target_type when 'contact' then 'customer' else new.target_type end;
  at_id text := case new.target_type when 'contact' then new.customer_id else new.target_id end;
  at_name text;
  zone text;
  wall timestamp;
  remind timestamptz;
  people text[];
begin
  if current_user = 'crm_system' or new.source in ('system', 'convert') then
    return null;
  end if;
  with closed as (
    update todo set status = 1, done_at = new.created_at, done_by = new.author_id, remind_next = null,
      updated_by = new.author_id, updated_at = new.created_at, version = version + 1
    where tenant_id = new.tenant_id and target_type = at_type and target_id = at_id and status = 0
      and deleted_at is null and type in ('follow', 'first_follow')
    returning assignee_id)
  select array_agg(distinct assignee_id) into people from closed;
  if new.next_follow_at is not null then
    select t.timezone into zone from tenant t where t.id = new.tenant_id;
    wall := new.next_follow_at at time zone zone;
    execute format('select name from %I where tenant_id = $1 and id = $2', at_type) into at_name
      using new.tenant_id, at_id;
    remind := case when wall::time = '00:00' then (wall::date + time '09:00') at time zone zone
      else new.next_follow_at - interval '15 minutes' end;
    insert into todo (tenant_id, id, title, type, target_type, target_id, target_name, due_at, all_day, remind_at,
        remind_next, assignee_id, origin, source_key, created_by, created_at, updated_by, updated_at)
      values (new.tenant_id, 'f-' || new.id, nullif(left(trim(new.next_plan), 100), ''), 'follow', at_type, at_id, at_name,
        case when wall::time = '00:00' then ((wall::date + 1)::timestamp at time zone zone) - interval '1 millisecond'
          else new.next_follow_at end,
        wall::time = '00:00', array[remind], case when remind > new.created_at then remind end, new.author_id, 'follow',
        new.author_id || '/follow/' || at_type || '/' || at_id || '/' || wall::date, new.author_id, new.created_at,
        new.author_id, new.created_at)
      on conflict (tenant_id, source_key) where source_key is not null do update
        set status = 0, done_at = null, done_by = null, deleted_at = null, title = excluded.title, due_at = excluded.due_at,
          all_day = excluded.all_day, remind_at = excluded.remind_at, remind_next = excluded.remind_next,
          updated_by = excluded.updated_by, updated_at = excluded.updated_at, version = todo.version + 1;
    people := array_append(people, new.author_id);
  end if;
  if people is not null then
    perform pg_notify('crm_live', json_build_object('tenantId', new.tenant_id, 'users', people, 'kind', 'todo')::text);
  end if;
  return null;
end $$;
create trigger follow_written after insert on follow for each row execute function crm_follow_written();
