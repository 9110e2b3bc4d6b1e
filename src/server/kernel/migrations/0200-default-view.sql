-- A saved view keeps the fields of the screen it was made on, and one of a person's own views opens with the list.
alter table saved_view
  add column state jsonb not null default '{}',
  add column is_default boolean not null default false;
create unique index saved_view_default on saved_view (tenant_id, entity, user_id) where is_default;
