-- What of a payment counts for which plan: one payment pays several instalments. Of the payment that came in only; a reversal makes
-- its shares smaller, the last one first.
create table payment_share (
  tenant_id text not null references tenant (id),
  payment_id text not null,
  plan_id text not null,
  -- The order in which the payment was spread.
  place int not null check (place > 0),
  amount numeric(14, 2) not null check (amount > 0),
  primary key (tenant_id, payment_id, plan_id),
  foreign key (tenant_id, payment_id) references payment (tenant_id, id) on delete cascade,
  foreign key (tenant_id, plan_id) references payment_plan (tenant_id, id) on delete cascade
);
create index payment_share_of_plan on payment_share (tenant_id, plan_id);

select crm_guard('payment_share');

-- Payments so far count for the plan they name, as far as that has room; the rest is spread with the contract's next payment.
set local role crm_system;
insert into payment_share (tenant_id, payment_id, plan_id, place, amount)
select tenant_id, id, plan_id, 1, least(net, plan_amount - before)
from (
  select p.tenant_id, p.id, p.plan_id, n.net, l.plan_amount,
    coalesce(sum(n.net) over (partition by p.tenant_id, p.plan_id order by p.paid_at, p.id
      rows between unbounded preceding and 1 preceding), 0) as before
  from payment p
  join payment_plan l on l.tenant_id = p.tenant_id and l.id = p.plan_id
  cross join lateral (
    select p.amount + coalesce(sum(r.amount), 0) as net from payment r
    where r.tenant_id = p.tenant_id and r.reverses_id = p.id and r.approval_status = 2 and r.deleted_at is null) n
  where p.approval_status = 2 and p.deleted_at is null and p.reverses_id is null and n.net > 0) counted
where before < plan_amount;
reset role;
