-- A published page says what it was made from: the next publisher's base, and the product's page of that day for the merge after an upgrade.
alter table page_override
  add column text text,
  add column base integer not null default 0,
  add column vendor_document json,
  add column changes jsonb not null default '[]',
  add column archived_at timestamptz;
