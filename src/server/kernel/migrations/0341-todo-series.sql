-- When a to-do of a series would be due had nobody put it off: the series goes on from there.
alter table todo add column series_due timestamptz(3);
