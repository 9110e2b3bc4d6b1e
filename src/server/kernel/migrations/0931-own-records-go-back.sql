-- Records of own modules go back to their pool by themselves: the job finds those whose time has come.
create index record_expire on record (tenant_id, module, expire_at) where owner_id is not null and expire_at is not null;
