-- What the operator erased at somebody's wish, and how much it was: of the erased itself nothing but the code of a tenant, or the kind.
create table erasure (
  id text primary key,
  kind text not null check (kind in ('tenant', 'person')),
  tenant text not null,
  at timestamptz(3) not null,
  rows jsonb not null
);
grant select, insert on erasure to crm_system;
