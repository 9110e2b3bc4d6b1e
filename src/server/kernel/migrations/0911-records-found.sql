-- Records of own modules are found by pinyin and number as those of the product are: without these a keyword reads the whole table.
create index record_pinyin on record (tenant_id, module, py, id) where deleted_at is null;
create index record_number on record (tenant_id, module, record_no collate "C") where deleted_at is null;
