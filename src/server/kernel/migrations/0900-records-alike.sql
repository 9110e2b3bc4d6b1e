-- What a new record may repeat, by every way there is, each with an index of its own. A planner that knows little of long arrays reads the
-- table instead where that is small, and compares every piece of every name: four milliseconds for a thousand customers.
create function crm_alike(of_tenant text, of_name text, of_phones text[], of_code text, of_host text, of_pieces text[], most int)
  returns table (kind text, id text, name_norm text, credit_code text, website_host text, mobile_norm text[])
  language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    (select 'customer', x.id, x.name_norm, x.credit_code, x.website_host, x.mobile_norm from customer x
      where x.tenant_id = of_tenant and x.deleted_at is null and x.name_norm = of_name limit most)
    union all (select 'customer', x.id, x.name_norm, x.credit_code, x.website_host, x.mobile_norm from customer x
      where x.tenant_id = of_tenant and x.deleted_at is null and x.mobile_norm && of_phones limit most)
    union all (select 'customer', x.id, x.name_norm, x.credit_code, x.website_host, x.mobile_norm from customer x
      where x.tenant_id = of_tenant and x.deleted_at is null and x.credit_code = of_code limit most)
    union all (select 'customer', x.id, x.name_norm, x.credit_code, x.website_host, x.mobile_norm from customer x
      where x.tenant_id = of_tenant and x.deleted_at is null and x.website_host = of_host limit most)
    union all (select 'customer', x.id, x.name_norm, x.credit_code, x.website_host, x.mobile_norm from customer x
      where x.tenant_id = of_tenant and x.deleted_at is null and x.search_tokens && of_pieces limit most)
    union all select 'contact', k.customer_id, '', null, null, k.mobile_norm from contact k
      where k.tenant_id = of_tenant and k.deleted_at is null and k.mobile_norm && of_phones
    union all select 'lead', l.id, '', null, null, l.mobile_norm from lead l
      where l.tenant_id = of_tenant and l.deleted_at is null and l.status <> 40 and l.mobile_norm && of_phones;
end $$;

-- What was written lately waits in a list that every search reads as a whole: four megabytes by default, after some two thousand writes.
alter index customer_tokens set (gin_pending_list_limit = 128);
alter index lead_tokens set (gin_pending_list_limit = 128);
alter index customer_phones set (gin_pending_list_limit = 64);
alter index contact_phones set (gin_pending_list_limit = 64);
alter index lead_phones set (gin_pending_list_limit = 64);
