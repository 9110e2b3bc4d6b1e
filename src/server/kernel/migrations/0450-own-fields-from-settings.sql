-- Fields of a tenant's own stood in tenant.settings.ext_fields: text, number, day, flag, select, multi, options as plain texts. Now they are
-- in its difference to the module. Values stay where they are and as they are; only a field that is called like one of the product's,
-- or like a column of every record, gets another name, and its values with it.
set local role crm_system;

create temporary table old_field on commit drop as
with given as (
  select t.id as tenant_id, m.key as module, f.value as field, f.ordinality as place
  from tenant t
  cross join lateral jsonb_each(case when jsonb_typeof(t.settings -> 'ext_fields') = 'object' then t.settings -> 'ext_fields' else '{}' end) m
  cross join lateral jsonb_array_elements(case when jsonb_typeof(m.value) = 'array' then m.value else '[]' end)
    with ordinality f (value, ordinality)
  where m.key in ('customer', 'contact', 'lead', 'bussiness')
), known as (
  select distinct on (tenant_id, module, field ->> 'key') tenant_id, module, place, field ->> 'key' as name, field ->> 'kind' as kind,
    coalesce(nullif(left(field ->> 'label', 60), ''), field ->> 'key') as label,
    field -> 'required' = 'true' as required,
    case when jsonb_typeof(field -> 'max') = 'number' then least(greatest((field ->> 'max')::numeric, 1), 2000)::int else 200 end as max,
    array(select o.value from jsonb_array_elements_text(
      case when jsonb_typeof(field -> 'options') = 'array' then field -> 'options' else '[]' end) with ordinality o (value, n)
      where o.value ~ '^\S(.{0,62}\S)?$' group by o.value order by min(o.n) limit 100) as options
  from given
  where jsonb_typeof(field) = 'object' and field ->> 'key' ~ '^[a-z]\w{0,39}$'
    and field ->> 'kind' in ('text', 'number', 'day', 'flag', 'select', 'multi')
  order by tenant_id, module, field ->> 'key', place
)
select tenant_id, module, place, name,
  case when name in ('id', 'tenant_id', 'module', 'version', 'ext', 'created_by', 'created_at', 'updated_by', 'updated_at', 'deleted_at',
      'owner_id', 'owner_dept_id', 'actions', 'client_token', 'confirm')
    or name = any(case module
      when 'customer' then '{name,short_name,customer_type,level,source,activity_id,industry,scale,stage,mobile,telephone,email,wechat,website,credit_code,region,address,lng,lat,parent_id,tags,next_follow_at,remark,attachments,customer_no,deal_status,deal_at,deal_count,deal_amount,received_amount,lock_status}'::text[]
      when 'contact' then '{name,mobile,mobile2,telephone,wechat,email,qq,gender,department,position,role,is_key,is_primary,attitude,birthday,birthday_lunar,hobby,region,address,remark,customer_id,report_to_id,attachments,status}'::text[]
      when 'lead' then '{name,company,contact_name,mobile,telephone,wechat,email,position,source,activity_id,level,industry,scale,region,address,demand,products,budget,expected_date,next_follow_at,remark,attachments,status,score,invalid_reason,converted_at}'::text[]
      else '{name,contact_ids,amount,expected_date,win_rate,source,type,competitor,lines,discount_rate,next_step,next_follow_at,remark,attachments,customer_id,flow_id,stage_id,bussiness_no,status,weighted,lose_reason,closed_at,stage_since}'::text[]
    end)
    then left('x_' || name, 40) else name end as new_name,
  jsonb_strip_nulls(jsonb_build_object(
    'label', label,
    'kind', case
      when kind in ('select', 'multi') and cardinality(options) = 0 then 'text'
      when kind = 'select' then 'choice'
      when kind = 'multi' then 'choices'
      when kind = 'text' and max > 500 then 'long-text'
      else kind end,
    'required', case when required then true end,
    'max', case when kind = 'text' then max end,
    'decimals', case when kind = 'number' then 6 end,
    'most', case when kind = 'multi' and cardinality(options) > 0 then cardinality(options) end,
    'options', case when kind in ('select', 'multi') and cardinality(options) > 0
      then (select jsonb_agg(jsonb_build_object('value', o, 'label', left(o, 60)) order by n) from unnest(options) with ordinality u (o, n)) end
  )) as said
from known;

insert into module_override (tenant_id, name, version, kind, description, created_by)
select f.tenant_id, f.module, coalesce(o.version, 0) + 1, 'difference',
  coalesce(case when o.deleted then null else o.description end, jsonb_build_object('name', f.module))
    || jsonb_build_object('fields', coalesce(case when o.deleted then null else o.description -> 'fields' end, '[]') || f.fields), null
from (
  select f.tenant_id, f.module, jsonb_agg(jsonb_build_object('name', f.new_name) || f.said order by f.place) as fields
  from old_field f
  where not exists (select 1 from module_override o, jsonb_array_elements(coalesce(o.description -> 'fields', '[]')) there
    where o.tenant_id = f.tenant_id and o.name = f.module and not o.deleted and there ->> 'name' = f.new_name
      and o.version = (select max(version) from module_override n where n.tenant_id = o.tenant_id and n.name = o.name))
  group by f.tenant_id, f.module
) f
left join lateral (select version, description, deleted from module_override m
  where m.tenant_id = f.tenant_id and m.name = f.module order by version desc limit 1) o on true;

update customer r set ext = (r.ext - f.name) || jsonb_build_object(f.new_name, r.ext -> f.name) from old_field f
where f.module = 'customer' and f.name <> f.new_name and r.tenant_id = f.tenant_id and r.ext -> f.name is not null;
update contact r set ext = (r.ext - f.name) || jsonb_build_object(f.new_name, r.ext -> f.name) from old_field f
where f.module = 'contact' and f.name <> f.new_name and r.tenant_id = f.tenant_id and r.ext -> f.name is not null;
update lead r set ext = (r.ext - f.name) || jsonb_build_object(f.new_name, r.ext -> f.name) from old_field f
where f.module = 'lead' and f.name <> f.new_name and r.tenant_id = f.tenant_id and r.ext -> f.name is not null;
update bussiness r set ext = (r.ext - f.name) || jsonb_build_object(f.new_name, r.ext -> f.name) from old_field f
where f.module = 'bussiness' and f.name <> f.new_name and r.tenant_id = f.tenant_id and r.ext -> f.name is not null;

update tenant set settings = settings - 'ext_fields' where settings ? 'ext_fields';
reset role;
