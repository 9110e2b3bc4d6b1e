-- Who serves under a user of his own (DATABASE_MIGRATE_URL) says at the start which state the schema is in, and writes it into backups.
grant select on schema_migration to crm_system;
