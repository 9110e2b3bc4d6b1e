-- What a report says beside its text: its numbers and follow-ups, to be drawn as such. Reports sent before have their text alone.
alter table work_report add column facts jsonb;
