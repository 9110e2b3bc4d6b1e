-- Follow-ups on records of a tenant's own modules: the target type is the path of the module's calls, as m/ticket.
alter table follow drop constraint follow_target_type_check;
alter table follow add constraint follow_target_type_check
  check (target_type in ('customer', 'lead', 'bussiness', 'contract', 'contact') or target_type ~ '^m/[a-z]\w{0,39}$');
alter table follow add column record_module text;
alter table follow add column record_id text;
alter table follow add foreign key (tenant_id, record_module, record_id) references record (tenant_id, module, id);
create index follow_record on follow (tenant_id, record_module, record_id, followed_at desc, id desc) where record_id is not null;
