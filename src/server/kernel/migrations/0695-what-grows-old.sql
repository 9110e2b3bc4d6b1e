-- Old rows are looked for by tenant and age (flows/jobs/old-rows.ts): each of these without reading those that stay.
create index audit_log_looking on audit_log (tenant_id, at) where entity in ('session', 'call', 'search', 'file', 'audit');
create index file_gone on file (tenant_id, deleted_at) where deleted_at is not null;
create index idempotency_of_tenant on idempotency (tenant_id, created_at);
