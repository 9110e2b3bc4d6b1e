-- A claim can be taken back for a moment. What the record was in its pool is kept beside the claim, so that it lies there again as it did.
alter table owner_record add column before jsonb;
alter table owner_record drop constraint owner_record_kind_check;
alter table owner_record add constraint owner_record_kind_check check
  (kind in ('create', 'import', 'claim', 'unclaim', 'assign', 'transfer', 'release', 'recycle', 'convert', 'resign'));
