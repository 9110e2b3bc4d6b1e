-- How often a piece of work was begun since it last got on: one that ends its server each time is given up.
alter table work add column attempts int not null default 0;
