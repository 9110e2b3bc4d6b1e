-- Fields of a tenant's own that filter, sort, are unique or refer are mirrored into one narrow table per class of values, so that no index
-- has to be made per tenant. Values in `ext` stay the truth: the tables are indexes only, written by triggers in the writing transaction,
-- which nobody who writes a record can forget. Only records out of the recycle bin have rows.

-- Which fields are mirrored. `filling`: a job works through the records there were before (those written since are there already);
-- `is_asked`: until then filters are answered from `ext`, as before. `leaving`: its rows are being taken away.
create table own_index (
  tenant_id text not null references tenant (id),
  module text not null check (char_length(module) <= 40),
  field text not null check (char_length(field) <= 40),
  class text not null check (class in ('text', 'number', 'moment', 'ref')),
  several boolean not null,
  is_sorted boolean not null,
  is_unique boolean not null,
  -- Found while filling: then only writers are held to it, not what is there.
  has_repeats boolean not null default false,
  state text not null check (state in ('filling', 'ready', 'leaving')),
  is_asked boolean not null default false,
  -- The last record that was worked through, and how many were.
  last_id text not null default '',
  done int not null default 0,
  primary key (tenant_id, module, field)
);
select crm_guard('own_index');

do $$
declare kind record;
begin
  for kind in select * from (values ('text', 'text'), ('number', 'double precision'), ('moment', 'timestamp'), ('ref', 'text')) k(class, type) loop
    execute format('create table own_%1$s (
      tenant_id text not null,
      module text not null,
      field text not null,
      value %2$s, -- null: the record has none; kept where the field sorts
      record_id text not null,
      place smallint not null, -- of several values
      owner_id text,
      owner_dept_id text,
      is_sorted boolean not null,
      is_unique boolean not null,
      primary key (tenant_id, module, record_id, field, place) include (value))', kind.class, kind.type);
    execute format('create index own_%1$s_value on own_%1$s (tenant_id, module, field, value, record_id)', kind.class);
    execute format('create unique index own_%1$s_once on own_%1$s (tenant_id, module, field, value) where is_unique and value is not null', kind.class);
    perform crm_guard('own_' || kind.class);
    -- What refers has no order of its own.
    continue when kind.class = 'ref';
    execute format('create index own_%1$s_owner on own_%1$s (tenant_id, module, field, owner_id, value, record_id) where is_sorted', kind.class);
    execute format('create index own_%1$s_dept on own_%1$s (tenant_id, module, field, owner_dept_id, value, record_id) where is_sorted', kind.class);
  end loop;
end $$;

-- The values of a field, one row each; none for an empty one.
create function crm_own_values(value jsonb, several boolean) returns table (place smallint, word text) language sql immutable as $$
  select (e.n - 1)::smallint, e.value from jsonb_array_elements_text(
    case when jsonb_typeof(value) = 'array' and several then value
      when value is null or jsonb_typeof(value) = 'null' then '[]'
      else jsonb_build_array(value) end) with ordinality e (value, n)
$$;

-- Readings that never fail: what cannot be read is in no index.
create function crm_own_number(word text) returns double precision language sql immutable as $$
  select case when word ~ '^-?\d{1,15}(\.\d{1,15})?$' then word::double precision end
$$;
create function crm_own_moment(word text) returns timestamp language sql immutable as $$
  select case when word ~ '^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([ T]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?)?$'
    and (substr(word, 9, 2)::int <= 28 or extract(day from make_date(substr(word, 1, 4)::int, substr(word, 6, 2)::int, 1)
      + interval '1 month' - interval '1 day') >= substr(word, 9, 2)::int)
    then replace(word, 'T', ' ')::timestamp end
$$;

-- Writes the rows of fields of one class, of a record that has none of them.
create function crm_own_insert(
  of_class text, of_fields text[], of_tenant text, of_module text, of_record text, of_owner text, of_dept text, made jsonb
) returns void language plpgsql as $$
begin
  if of_class = 'text' then
    insert into own_text
      select of_tenant, of_module, i.field, left(v.word, 500), of_record, coalesce(v.place, 0), of_owner, of_dept, i.is_sorted, i.is_unique and not i.has_repeats
      from own_index i left join lateral crm_own_values(made -> i.field, i.several) v on true
      where i.tenant_id = of_tenant and i.module = of_module and i.field = any(of_fields) and (i.is_sorted or v.word is not null);
  elsif of_class = 'number' then
    insert into own_number
      select of_tenant, of_module, i.field, n.value, of_record, coalesce(v.place, 0), of_owner, of_dept, i.is_sorted, i.is_unique and not i.has_repeats
      from own_index i left join lateral crm_own_values(made -> i.field, i.several) v on true
      cross join lateral (select crm_own_number(v.word) as value) n
      where i.tenant_id = of_tenant and i.module = of_module and i.field = any(of_fields) and (i.is_sorted or n.value is not null);
  elsif of_class = 'moment' then
    insert into own_moment
      select of_tenant, of_module, i.field, n.value, of_record, coalesce(v.place, 0), of_owner, of_dept, i.is_sorted, i.is_unique and not i.has_repeats
      from own_index i left join lateral crm_own_values(made -> i.field, i.several) v on true
      cross join lateral (select crm_own_moment(v.word) as value) n
      where i.tenant_id = of_tenant and i.module = of_module and i.field = any(of_fields) and (i.is_sorted or n.value is not null);
  else
    insert into own_ref
      select of_tenant, of_module, i.field, left(v.word, 500), of_record, v.place, of_owner, of_dept, i.is_sorted, i.is_unique and not i.has_repeats
      from own_index i cross join lateral crm_own_values(made -> i.field, i.several) v
      where i.tenant_id = of_tenant and i.module = of_module and i.field = any(of_fields) and v.word is not null;
  end if;
end $$;

create function crm_own_delete(of_class text, of_fields text[], of_tenant text, of_module text, of_records text[])
returns void language plpgsql as $$
begin
  if of_class = 'text' then
    delete from own_text where tenant_id = of_tenant and module = of_module and record_id = any(of_records) and field = any(of_fields);
  elsif of_class = 'number' then
    delete from own_number where tenant_id = of_tenant and module = of_module and record_id = any(of_records) and field = any(of_fields);
  elsif of_class = 'moment' then
    delete from own_moment where tenant_id = of_tenant and module = of_module and record_id = any(of_records) and field = any(of_fields);
  else
    delete from own_ref where tenant_id = of_tenant and module = of_module and record_id = any(of_records) and field = any(of_fields);
  end if;
end $$;

-- Who writes records of a module holds this lock with all others who do; who begins to mirror a field of it holds it alone, so that no
-- writer of before that moment is missed.
create function crm_own_lock(of_tenant text, of_module text) returns bigint language sql immutable as $$
  select hashtextextended('own-index/' || of_tenant || '/' || of_module, 0)
$$;

-- Brings the rows of a record in step with its values; those of fields that did not change stay. A value that may be there once and is
-- there already is error OU001, which names its field.
create function crm_own_write(of_tenant text, of_module text, of_record text, of_owner text, of_dept text, was jsonb, made jsonb, is_new boolean)
returns void language plpgsql as $$
declare part record;
begin
  perform pg_advisory_xact_lock_shared(crm_own_lock(of_tenant, of_module));
  for part in select i.class, case when i.is_unique and not i.has_repeats then i.field end as once, array_agg(i.field) as fields from own_index i
      where i.tenant_id = of_tenant and i.module = of_module and i.state <> 'leaving'
        and (is_new or was -> i.field is distinct from made -> i.field) group by 1, 2 loop
    if not is_new then
      perform crm_own_delete(part.class, part.fields, of_tenant, of_module, array[of_record]);
    end if;
    if part.once is null then
      perform crm_own_insert(part.class, part.fields, of_tenant, of_module, of_record, of_owner, of_dept, made);
    else
      begin
        perform crm_own_insert(part.class, part.fields, of_tenant, of_module, of_record, of_owner, of_dept, made);
      exception when unique_violation then
        raise exception 'a value that may be there once' using errcode = 'OU001',
          detail = jsonb_build_object('module', of_module, 'field', part.once, 'value', made -> part.once)::text;
      end;
    end if;
  end loop;
end $$;

create function crm_own_forget(of_tenant text, of_module text, of_record text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(crm_own_lock(of_tenant, of_module));
  delete from own_text where tenant_id = of_tenant and module = of_module and record_id = of_record;
  delete from own_number where tenant_id = of_tenant and module = of_module and record_id = of_record;
  delete from own_moment where tenant_id = of_tenant and module = of_module and record_id = of_record;
  delete from own_ref where tenant_id = of_tenant and module = of_module and record_id = of_record;
end $$;

create function crm_own_give(of_tenant text, of_module text, of_record text, of_owner text, of_dept text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(crm_own_lock(of_tenant, of_module));
  update own_text set owner_id = of_owner, owner_dept_id = of_dept where tenant_id = of_tenant and module = of_module and record_id = of_record;
  update own_number set owner_id = of_owner, owner_dept_id = of_dept where tenant_id = of_tenant and module = of_module and record_id = of_record;
  update own_moment set owner_id = of_owner, owner_dept_id = of_dept where tenant_id = of_tenant and module = of_module and record_id = of_record;
  update own_ref set owner_id = of_owner, owner_dept_id = of_dept where tenant_id = of_tenant and module = of_module and record_id = of_record;
end $$;

-- Works through one more part of a module's records, in the order of their ids, for a field that is being filled; nobody writes records of
-- the module meanwhile. Values that may be there once and are there twice already (restored from the recycle bin, in times before this
-- index) are mirrored as any others.
create function crm_own_fill(of_tenant text, of_module text, of_field text, source text, most int) returns int language plpgsql as $$
declare
  target own_index;
  ids text[];
  own text := case when source = 'record' then ' and r.module = $2' else '' end;
  owner text := case when source = 'product' then 'null::text' else 'r.owner_id' end;
  dept text := case when source in ('product', 'activity') then 'null::text' else 'r.owner_dept_id' end;
begin
  perform pg_advisory_xact_lock(crm_own_lock(of_tenant, of_module));
  select * into target from own_index where tenant_id = of_tenant and module = of_module and field = of_field and state = 'filling';
  if not found then return 0; end if;
  execute format('select array(select r.id from %I r where r.tenant_id = $1%s and r.id > $3 order by r.id limit $4)', source, own)
    into ids using of_tenant, of_module, target.last_id, most;
  perform crm_own_delete(target.class, array[of_field], of_tenant, of_module, ids);
  loop
    begin
      execute format('select crm_own_insert($5, array[$6], $1, $2, r.id, %s, %s, r.ext) from %I r
        where r.tenant_id = $1%s and r.id = any($3) and r.deleted_at is null', owner, dept, source, own)
        using of_tenant, of_module, ids, most, target.class, of_field;
      exit;
    exception when unique_violation then
      update own_index set has_repeats = true where tenant_id = of_tenant and module = of_module and field = of_field;
      execute format('update %I set is_unique = false where tenant_id = $1 and module = $2 and field = $3', 'own_' || target.class)
        using of_tenant, of_module, of_field;
    end;
  end loop;
  update own_index set last_id = coalesce(ids[cardinality(ids)], last_id), done = done + cardinality(ids),
      state = case when cardinality(ids) < most then 'ready' else state end
    where tenant_id = of_tenant and module = of_module and field = of_field;
  return cardinality(ids);
end $$;

-- Every table that keeps values of a tenant's own fields has the triggers; the expressions are its module's name and the record's holders.
do $$
declare source record;
begin
  for source in select * from (values
      ('customer', '''customer''', '%1$s.owner_id', '%1$s.owner_dept_id'), ('contact', '''contact''', '%1$s.owner_id', '%1$s.owner_dept_id'),
      ('lead', '''lead''', '%1$s.owner_id', '%1$s.owner_dept_id'), ('bussiness', '''bussiness''', '%1$s.owner_id', '%1$s.owner_dept_id'),
      ('contract', '''contract''', '%1$s.owner_id', '%1$s.owner_dept_id'), ('payment', '''payment''', '%1$s.owner_id', '%1$s.owner_dept_id'),
      ('product', '''product''', 'null::text', 'null::text'), ('activity', '''activity''', '%1$s.owner_id', 'null::text'),
      ('record', '%1$s.module', '%1$s.owner_id', '%1$s.owner_dept_id')) s(name, module, owner, dept) loop
    execute format($body$
      create function %1$I() returns trigger language plpgsql as $fn$
      begin
        if tg_op = 'DELETE' then
          perform crm_own_forget(old.tenant_id, %2$s, old.id);
        elsif new.deleted_at is not null then
          perform crm_own_forget(new.tenant_id, %3$s, new.id);
        elsif tg_op = 'INSERT' then
          perform crm_own_write(new.tenant_id, %3$s, new.id, %4$s, %5$s, null, new.ext, true);
        elsif old.deleted_at is not null then
          perform crm_own_write(new.tenant_id, %3$s, new.id, %4$s, %5$s, null, new.ext, true);
        else
          if %6$s is distinct from %4$s or %7$s is distinct from %5$s then
            perform crm_own_give(new.tenant_id, %3$s, new.id, %4$s, %5$s);
          end if;
          if old.ext is distinct from new.ext then
            perform crm_own_write(new.tenant_id, %3$s, new.id, %4$s, %5$s, old.ext, new.ext, false);
          end if;
        end if;
        return null;
      end $fn$ $body$,
      'crm_own_of_' || source.name, format(source.module, 'old'), format(source.module, 'new'), format(source.owner, 'new'),
      format(source.dept, 'new'), format(source.owner, 'old'), format(source.dept, 'old'));
    execute format('create trigger own_made after insert on %I for each row when (new.deleted_at is null) execute function %I()',
      source.name, 'crm_own_of_' || source.name);
    execute format('create trigger own_changed after update on %I for each row when (old.ext is distinct from new.ext
        or (old.deleted_at is null) <> (new.deleted_at is null) or %s is distinct from %s or %s is distinct from %s) execute function %I()',
      source.name, format(source.owner, 'old'), format(source.owner, 'new'), format(source.dept, 'old'), format(source.dept, 'new'),
      'crm_own_of_' || source.name);
    execute format('create trigger own_gone after delete on %I for each row execute function %I()', source.name, 'crm_own_of_' || source.name);
  end loop;
end $$;
