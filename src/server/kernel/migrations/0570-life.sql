-- Which life of the data this is. Restoring a backup begins another: what clients were told before (cursors of /mini/sync/changes, which
-- count transactions of one server) holds no more.
create function crm_life() returns text language sql stable as $$ select '' $$;
