-- Lists of customers, leads, opportunities and contacts show what has an owner; what lies in pools would be walked past in their orders.
do $$
declare class text;
begin
  foreach class in array array['text', 'number', 'moment', 'ref'] loop
    execute format('alter table own_%1$s add column is_held boolean not null
      generated always as (owner_id is not null or module not in (''customer'', ''lead'', ''bussiness'', ''contact'')) stored', class);
    execute format('drop index own_%1$s_value', class);
    execute format('create index own_%1$s_value on own_%1$s (tenant_id, module, field, is_held, value, record_id)', class);
  end loop;
end $$;
