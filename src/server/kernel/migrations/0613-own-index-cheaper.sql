-- What a write of a record with own fields costs beside one without them, without another answer of any list.

-- A text becomes a moment by its parts: the cast depends on a setting, so that PostgreSQL could not put this function into the statements that
-- call it, and parsed and planned it anew in each of them.
create or replace function crm_own_moment(word text) returns timestamp language sql immutable as $$
  select case when word ~ '^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([ T]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?)?$'
    and (substr(word, 9, 2)::int <= 28 or extract(day from make_date(substr(word, 1, 4)::int, substr(word, 6, 2)::int, 1)
      + interval '1 month' - interval '1 day') >= substr(word, 9, 2)::int)
    then make_timestamp(substr(word, 1, 4)::int, substr(word, 6, 2)::int, substr(word, 9, 2)::int,
      ('0' || substr(word, 12, 2))::int, ('0' || substr(word, 15, 2))::int, ('0' || substr(word, 18, 2))::int) end
$$;

-- Whether a list of what somebody holds shows a record of the module.
create function crm_own_held(of_module text, of_owner text) returns boolean language sql immutable as $$
  select of_owner is not null or of_module not in ('customer', 'lead', 'bussiness', 'contact')
$$;

-- Written with the row: the expression of a generated column is read and prepared anew by every statement.
do $$
declare class text;
begin
  foreach class in array array['text', 'number', 'moment', 'ref'] loop
    execute format('alter table own_%s alter column is_held drop expression', class);
    execute format('alter table own_%s alter column is_held set not null', class);
  end loop;
end $$;

create or replace function crm_own_insert(
  of_class text, of_fields text[], of_tenant text, of_module text, of_record text, of_owner text, of_dept text, made jsonb
) returns void language plpgsql as $$
declare held boolean := crm_own_held(of_module, of_owner);
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

-- True where a field of one value has a row for it.
create function crm_own_has(of_class text, of_sorted boolean, value text) returns boolean language sql immutable as $$
  select case of_class
    when 'number' then of_sorted or crm_own_number(value) is not null
    when 'moment' then of_sorted or crm_own_moment(value) is not null
    when 'text' then of_sorted or value is not null
    else value is not null end
$$;

-- Writes other values into the rows of fields that have one each.
create function crm_own_change(of_class text, of_fields text[], of_tenant text, of_module text, of_record text, made jsonb)
returns void language plpgsql as $$
begin
  if of_class = 'text' then
    update own_text set value = left(made ->> field, 500)
      where tenant_id = of_tenant and module = of_module and record_id = of_record and field = any(of_fields);
  elsif of_class = 'number' then
    update own_number set value = crm_own_number(made ->> field)
      where tenant_id = of_tenant and module = of_module and record_id = of_record and field = any(of_fields);
  elsif of_class = 'moment' then
    update own_moment set value = crm_own_moment(made ->> field)
      where tenant_id = of_tenant and module = of_module and record_id = of_record and field = any(of_fields);
  else
    update own_ref set value = left(made ->> field, 500)
      where tenant_id = of_tenant and module = of_module and record_id = of_record and field = any(of_fields);
  end if;
end $$;

create function crm_own_bring(
  of_class text, of_anew text[], of_kept text[], of_tenant text, of_module text, of_record text, of_owner text, of_dept text, made jsonb, is_new boolean
) returns void language plpgsql as $$
begin
  if of_anew is not null then
    if not is_new then
      perform crm_own_delete(of_class, of_anew, of_tenant, of_module, array[of_record]);
    end if;
    perform crm_own_insert(of_class, of_anew, of_tenant, of_module, of_record, of_owner, of_dept, made);
  end if;
  if of_kept is not null then
    perform crm_own_change(of_class, of_kept, of_tenant, of_module, of_record, made);
  end if;
end $$;

-- As in 0497, but a row that is there and stays one keeps its place. While a field is being filled it may have none yet.
create or replace function crm_own_write(of_tenant text, of_module text, of_record text, of_owner text, of_dept text, was jsonb, made jsonb, is_new boolean)
returns void language plpgsql as $$
declare part record;
begin
  perform pg_advisory_xact_lock_shared(crm_own_lock(of_tenant, of_module));
  -- Fetched and unpacked here, once; many values lie compressed or beside the row, and every look into them would do it again.
  was := was || '{}';
  made := made || '{}';
  for part in select f.class, f.once, array_agg(f.field) filter (where not f.is_kept) as anew, array_agg(f.field) filter (where f.is_kept) as kept
      from (select i.field, i.class, case when i.is_unique and not i.has_repeats then i.field end as once,
          not is_new and i.state = 'ready' and not i.several and crm_own_has(i.class, i.is_sorted, was ->> i.field)
            and crm_own_has(i.class, i.is_sorted, made ->> i.field) as is_kept
        from own_index i
        where i.tenant_id = of_tenant and i.module = of_module and i.state <> 'leaving'
          and (is_new or was -> i.field is distinct from made -> i.field)) f
      group by 1, 2 loop
    if part.once is null then
      perform crm_own_bring(part.class, part.anew, part.kept, of_tenant, of_module, of_record, of_owner, of_dept, made, is_new);
    else
      begin
        perform crm_own_bring(part.class, part.anew, part.kept, of_tenant, of_module, of_record, of_owner, of_dept, made, is_new);
      exception when unique_violation then
        raise exception 'a value that may be there once' using errcode = 'OU001',
          detail = jsonb_build_object('module', of_module, 'field', part.once, 'value', made -> part.once)::text;
      end;
    end if;
  end loop;
end $$;

create or replace function crm_own_give(of_tenant text, of_module text, of_record text, of_owner text, of_dept text) returns void language plpgsql as $$
declare held boolean := crm_own_held(of_module, of_owner);
begin
  perform pg_advisory_xact_lock_shared(crm_own_lock(of_tenant, of_module));
  update own_text set owner_id = of_owner, owner_dept_id = of_dept, is_held = held where tenant_id = of_tenant and module = of_module and record_id = of_record;
  update own_number set owner_id = of_owner, owner_dept_id = of_dept, is_held = held where tenant_id = of_tenant and module = of_module and record_id = of_record;
  update own_moment set owner_id = of_owner, owner_dept_id = of_dept, is_held = held where tenant_id = of_tenant and module = of_module and record_id = of_record;
  update own_ref set owner_id = of_owner, owner_dept_id = of_dept, is_held = held where tenant_id = of_tenant and module = of_module and record_id = of_record;
end $$;
