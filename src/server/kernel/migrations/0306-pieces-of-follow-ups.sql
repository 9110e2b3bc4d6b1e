-- What a follow-up says is found by its pairs of characters: Chinese has no words to index. The pairs tell nothing but the text's own,
-- and no text makes it fail: it is leakproof, which lets an index answer it under row-level security (as `arraycontains`, 0231).
create function crm_pieces(content text) returns text[] language sql immutable parallel safe strict as
  $$ select array_agg(distinct substr(content, i, 2)) from generate_series(1, greatest(length(content) - 1, 1)) i $$;
do $$
begin
  alter function crm_pieces(text) leakproof;
exception when insufficient_privilege then
  raise notice 'searches in follow-ups will read whole tables: crm_pieces is not marked leakproof';
end $$;
create index follow_pieces on follow using gin (crm_pieces(content)) where deleted_at is null;
