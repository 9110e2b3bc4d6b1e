-- The message room has tables of its own.
drop table announcement;
