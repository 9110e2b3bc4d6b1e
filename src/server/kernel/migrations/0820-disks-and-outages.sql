-- What each server says of its own place: the disk of its data folder, and when the database was last away from it.
alter table server_seen add column disk_free bigint;
alter table server_seen add column disk_size bigint;
alter table server_seen add column away_from timestamptz(3);
alter table server_seen add column away_until timestamptz(3);
