-- A field that gets another kind is converted in earlier versions, too (`convert-field.ts`): nothing else changes them, and nothing removes them.
grant update (ext) on record_version to crm_app;
