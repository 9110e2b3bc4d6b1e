-- Who writes records holds, with all others who do, what the tenant says of its modules; who makes a field one of another kind holds it alone.
-- So no value of the old kind is written once all were converted: neither by a call that began before, nor by a server that has not heard yet.
create function crm_model_lock(of_tenant text) returns bigint language sql immutable as $$
  select hashtextextended('model-written/' || of_tenant, 0)
$$;

-- True while the versions that a server knows of the tenant's modules are the last ones. Asked after the lock is held: each statement of a
-- function sees what was committed when it began.
create function crm_model_hold(of_tenant text, names text[], versions int[]) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(crm_model_lock(of_tenant));
  return not exists (select 1 from unnest(names, versions) known (name, version)
    where exists (select 1 from module_override o
      where o.tenant_id = of_tenant and o.name = known.name and o.version > known.version));
end $$;
