-- Records of own modules that lie in a pool are nobody's: lists of what somebody holds pass their values by, and lists of pools read theirs alone.

-- Whether records of a module of a tenant's own lie in pools while nobody has them, as its last version says.
create function crm_own_pooled(of_tenant text, of_module text) returns boolean language sql stable as $$
  select coalesce((select o.kind = 'own' and not o.deleted and o.description -> 'behaviours' ? 'pool' from module_override o
    where o.tenant_id = of_tenant and o.name = of_module order by o.version desc limit 1), false)
$$;

-- Whether a list of what somebody holds shows a record of the module. What has an owner is answered without a look at the module.
create function crm_own_held(of_tenant text, of_module text, of_owner text) returns boolean language plpgsql stable as $$
begin
  if of_owner is not null then return true; end if;
  if of_module in ('customer', 'lead', 'bussiness', 'contact') then return false; end if;
  return not crm_own_pooled(of_tenant, of_module);
end $$;

create or replace function crm_own_insert(
  of_class text, of_fields text[], of_tenant text, of_module text, of_record text, of_owner text, of_dept text, made jsonb
) returns void language plpgsql as $$
declare held boolean := crm_own_held(of_tenant, of_module, of_owner);
begin
  if of_class = 'text' then
    insert into own_text (tenant_id, module, field, value, record_id, place, owner_id, owner_dept_id, is_sorted, is_unique, is_held)
      select of_tenant, of_module, i.field, left(v.word, 500), of_record, coalesce(v.place, 0), of_owner, of_dept, i.is_sorted, i.is_unique and not i.has_repeats, held
      from own_index i left join lateral crm_own_values(made -> i.field, i.several) v on true
      where i.tenant_id = of_tenant and i.module = of_module and i.field = any(of_fields) and (i.is_sorted or v.word is not null);
  elsif of_class = 'number' then
    insert into own_number (tenant_id, module, field, value, record_id, place, owner_id, owner_dept_id, is_sorted, is_unique, is_held)
      select of_tenant, of_module, i.field, n.value, of_record, coalesce(v.place, 0), of_owner, of_dept, i.is_sorted, i.is_unique and not i.has_repeats, held
      from own_index i left join lateral crm_own_values(made -> i.field, i.several) v on true
      cross join lateral (select crm_own_number(v.word) as value) n
      where i.tenant_id = of_tenant and i.module = of_module and i.field = any(of_fields) and (i.is_sorted or n.value is not null);
  elsif of_class = 'moment' then
    insert into own_moment (tenant_id, module, field, value, record_id, place, owner_id, owner_dept_id, is_sorted, is_unique, is_held)
      select of_tenant, of_module, i.field, n.value, of_record, coalesce(v.place, 0), of_owner, of_dept, i.is_sorted, i.is_unique and not i.has_repeats, held
      from own_index i left join lateral crm_own_values(made -> i.field, i.several) v on true
      cross join lateral (select crm_own_moment(v.word) as value) n
      where i.tenant_id = of_tenant and i.module = of_module and i.field = any(of_fields) and (i.is_sorted or n.value is not null);
  else
    insert into own_ref (tenant_id, module, field, value, record_id, place, owner_id, owner_dept_id, is_sorted, is_unique, is_held)
      select of_tenant, of_module, i.field, left(v.word, 500), of_record, v.place, of_owner, of_dept, i.is_sorted, i.is_unique and not i.has_repeats, held
      from own_index i cross join lateral crm_own_values(made -> i.field, i.several) v
      where i.tenant_id = of_tenant and i.module = of_module and i.field = any(of_fields) and v.word is not null;
  end if;
end $$;

create or replace function crm_own_give(of_tenant text, of_module text, of_record text, of_owner text, of_dept text) returns void language plpgsql as $$
declare held boolean;
begin
  perform pg_advisory_xact_lock_shared(crm_own_lock(of_tenant, of_module));
  held := crm_own_held(of_tenant, of_module, of_owner);
  update own_text set owner_id = of_owner, owner_dept_id = of_dept, is_held = held where tenant_id = of_tenant and module = of_module and record_id = of_record;
  update own_number set owner_id = of_owner, owner_dept_id = of_dept, is_held = held where tenant_id = of_tenant and module = of_module and record_id = of_record;
  update own_moment set owner_id = of_owner, owner_dept_id = of_dept, is_held = held where tenant_id = of_tenant and module = of_module and record_id = of_record;
  update own_ref set owner_id = of_owner, owner_dept_id = of_dept, is_held = held where tenant_id = of_tenant and module = of_module and record_id = of_record;
end $$;

-- A module that begins to put what nobody has into pools, or no longer does, moves the values of such records to the other side. Whoever
-- writes records of it meanwhile waits, and then reads the new version.
create function crm_own_switched() returns trigger language plpgsql as $$
declare
  was boolean;
  made boolean := coalesce(new.kind = 'own' and not new.deleted and new.description -> 'behaviours' ? 'pool', false);
begin
  select o.kind = 'own' and not o.deleted and o.description -> 'behaviours' ? 'pool' into was from module_override o
    where o.tenant_id = new.tenant_id and o.name = new.name and o.version < new.version order by o.version desc limit 1;
  if coalesce(was, false) = made then return null; end if;
  perform pg_advisory_xact_lock(crm_own_lock(new.tenant_id, new.name));
  update own_text set is_held = not made where tenant_id = new.tenant_id and module = new.name and owner_id is null and is_held = made;
  update own_number set is_held = not made where tenant_id = new.tenant_id and module = new.name and owner_id is null and is_held = made;
  update own_moment set is_held = not made where tenant_id = new.tenant_id and module = new.name and owner_id is null and is_held = made;
  update own_ref set is_held = not made where tenant_id = new.tenant_id and module = new.name and owner_id is null and is_held = made;
  return null;
end $$;
create trigger own_switched after insert on module_override for each row execute function crm_own_switched();

-- What lies in pools by now.
set local role crm_system;
do $$
declare
  class text;
  pooled record;
begin
  for pooled in select distinct o.tenant_id, o.name from module_override o where o.kind = 'own' and crm_own_pooled(o.tenant_id, o.name) loop
    foreach class in array array['text', 'number', 'moment', 'ref'] loop
      execute format('update own_%s set is_held = false where tenant_id = $1 and module = $2 and owner_id is null and is_held', class)
        using pooled.tenant_id, pooled.name;
    end loop;
  end loop;
end $$;
reset role;
