-- Labels of fields that a saved view asked by until their kind became another one, in which that says nothing.
alter table saved_view add column lost jsonb not null default '[]';
