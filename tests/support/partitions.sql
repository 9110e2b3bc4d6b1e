-- The ten largest tables cut by tenant into hash partitions, for a trial (PARTITIONED=yes, PostgreSQL 17 or later; SCALE.md): each becomes a
-- partitioned table of its name, with its keys, references, triggers, policies and rights. Partitions have the same name in schemas of their
-- own: triggers of rows are told the partition's name, and write it down.
do $body$
declare
  t text; part int; r record; parts constant int := 4;
begin
  for part in 0..parts-1 loop execute format('create schema %I', 'part_' || part); end loop;
  -- References from or to the ten.
  create temp table kept_fk on commit drop as
    select k.conrelid::regclass::text as place, k.conname as name, pg_get_constraintdef(k.oid) as def
    from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace
      and (k.conrelid::regclass::text = any(array['customer','lead','contact','contract','follow','follow_place','todo','owner_record','stat_day','sync_change'])
        or k.confrelid::regclass::text = any(array['customer','lead','contact','contract','follow','follow_place','todo','owner_record','stat_day','sync_change']));
  for r in select * from kept_fk loop execute format('alter table %s drop constraint %I', r.place, r.name); end loop;
  foreach t in array array['customer','lead','contact','contract','follow','follow_place','todo','owner_record','stat_day','sync_change'] loop
    create temp table kept_trigger as select pg_get_triggerdef(oid) as def from pg_trigger where tgrelid = t::regclass and not tgisinternal;
    create temp table kept_policy as select * from pg_policies where schemaname = 'public' and tablename = t;
    create temp table kept_grant as select grantee, privilege_type from information_schema.role_table_grants where table_schema = 'public' and table_name = t and grantee <> grantor;
    create temp table kept_column_grant as select c.grantee, c.privilege_type, c.column_name from information_schema.column_privileges c where c.table_schema = 'public' and c.table_name = t and c.grantee <> c.grantor
      and not exists (select from kept_grant g where g.grantee = c.grantee and g.privilege_type = c.privilege_type);
    create temp table kept_index as select c.relname as name, i.indexrelid, pg_get_indexdef(i.indexrelid) as def, k.contype, pg_get_constraintdef(k.oid) as kdef
      from pg_index i join pg_class c on c.oid = i.indexrelid left join pg_constraint k on k.conindid = i.indexrelid and k.contype in ('p','u') and k.conrelid = i.indrelid
      where i.indrelid = t::regclass;
    create temp table kept_function as select pg_get_functiondef(p.oid) as def from pg_proc p join pg_class c on c.relname = t and c.relnamespace = 'public'::regnamespace
      where p.pronamespace = 'public'::regnamespace and (c.reltype = any(p.proargtypes::oid[]) or p.prorettype = c.reltype);
    execute format('alter table %I rename to %I', t, t || '_whole');
    execute format('create table %I (like %I including defaults including generated including identity including constraints including storage) partition by hash (tenant_id)', t, t || '_whole');
    for part in 0..parts-1 loop
      execute format('create table %I.%I partition of public.%I for values with (modulus %s, remainder %s)', 'part_' || part, t, t, parts, part);
    end loop;
    execute format('insert into %1$I (%2$s) overriding system value select %2$s from %3$I', t,
      (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute where attrelid = (t || '_whole')::regclass and attnum > 0 and not attisdropped and attgenerated = ''), t || '_whole');
    execute format('drop table %I cascade', t || '_whole');
    for r in select * from kept_function loop execute r.def; end loop;
    drop table kept_function;
    for r in select * from kept_index loop
      if r.contype is not null then execute format('alter table %I add constraint %I %s', t, r.name, r.kdef);
      else execute replace(replace(r.def, t || '_whole', t), ' ON ONLY ', ' ON '); end if;
    end loop;
    -- A plan names the index of the partition: it has the name of the whole's, too.
    for r in select n.nspname as place, c.relname as name, whole.relname as as_named
      from pg_index i join pg_inherits h on h.inhparent = i.indexrelid join pg_class c on c.oid = h.inhrelid
        join pg_namespace n on n.oid = c.relnamespace join pg_class whole on whole.oid = i.indexrelid where i.indrelid = t::regclass
      and c.relname <> whole.relname
    loop execute format('alter index %I.%I rename to %I', r.place, r.name, r.as_named); end loop;
    for r in select * from kept_policy loop
      execute format('alter table %I enable row level security', t);
      execute format('alter table %I force row level security', t);
      execute format('create policy %I on %I as %s for %s to %s %s %s', r.policyname, t, r.permissive, r.cmd, array_to_string(r.roles, ', '),
        case when r.qual is null then '' else 'using (' || r.qual || ')' end, case when r.with_check is null then '' else 'with check (' || r.with_check || ')' end);
    end loop;
    for r in select * from kept_grant loop execute format('grant %s on %I to %I', r.privilege_type, t, r.grantee); end loop;
    for r in select * from kept_column_grant loop execute format('grant %s (%I) on %I to %I', r.privilege_type, r.column_name, t, r.grantee); end loop;
    for r in select * from kept_trigger loop execute replace(r.def, 'public.' || t || '_whole', 'public.' || t); end loop;
    drop table kept_trigger, kept_policy, kept_grant, kept_column_grant, kept_index;
  end loop;
  for r in select * from kept_fk loop execute format('alter table %s add constraint %I %s', r.place, r.name, r.def); end loop;
end $body$;
