-- A field or a module can be taken away by a change set.
alter table change_set_item drop constraint change_set_item_kind_check;
alter table change_set_item add constraint change_set_item_kind_check
  check (kind in ('dict', 'module', 'field', 'page', 'menu', 'field-delete', 'module-delete'));
