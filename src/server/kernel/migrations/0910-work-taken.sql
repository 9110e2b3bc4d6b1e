-- Which taking of a piece of work counts: a server that was only slow, and lost it to another, may not go on.
alter table work add column taken_by text;
