-- Names each state of a draft, so that a person's second window does not write over what the first has kept.
alter table page_draft add column stamp text not null default '';
