-- Records of modules that say `team` are shared like those of the product: the entity is `m.<module>`.
alter table collaborator drop constraint collaborator_entity_check;
alter table collaborator add constraint collaborator_entity_check
  check (entity in ('customer', 'lead', 'bussiness', 'contract') or entity ~ '^m\.[a-z]\w{0,39}$');
