-- Work on records of own modules is named by the path of their calls, as m/ticket: names have up to 40 characters.
alter table work drop constraint work_entity_check;
alter table work add constraint work_entity_check check (char_length(entity) <= 50);
