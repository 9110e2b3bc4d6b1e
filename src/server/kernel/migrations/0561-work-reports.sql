-- Reports of a week or a month that somebody sent to his superiors, and when each of them read it.
create table work_report (
  tenant_id text not null references tenant (id),
  id text not null,
  author_id text not null,
  kind text not null check (kind in ('week', 'month')),
  from_day date not null,
  to_day date not null,
  title text not null,
  content text not null,
  remark text not null default '',
  sent_at timestamptz(3) not null,
  primary key (tenant_id, id),
  unique (tenant_id, author_id, kind, from_day),
  foreign key (tenant_id, author_id) references membership (tenant_id, user_id) on delete cascade
);
create index work_report_sent on work_report (tenant_id, author_id, sent_at desc, id desc);

create table work_report_reader (
  tenant_id text not null references tenant (id),
  report_id text not null,
  user_id text not null,
  read_at timestamptz(3),
  primary key (tenant_id, report_id, user_id),
  foreign key (tenant_id, report_id) references work_report (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references membership (tenant_id, user_id) on delete cascade
);
create index work_report_reader_of on work_report_reader (tenant_id, user_id, report_id);

select crm_guard('work_report');
select crm_guard('work_report_reader');
