import { type RawBuilder, sql } from 'kysely'
import type { JobRun } from '../../kernel/context/job.ts'
import { dayText, instantOf, startOfDay, wallTimeOf } from '../../kernel/time/zone.ts'
import { birthdaysOf } from '../../modules/contacts/birthdays.ts'
import { effective } from '../../modules/contracts/find-contract.ts'
import { planTodos } from './plan-todos.ts'

const DAY_MS = 86_400_000
/** Days before a contract's end at which a to-do is created (DOMAIN 5 contract.ending). */
const CONTRACT_DAYS = 30
/** Age of open payment plans that a first run still includes. */
const PLAN_BACK_DAYS = 365

/** Entities with a next follow-up, and the condition under which it still applies. */
const FOLLOWED = [
  ['customer', sql`true`],
  ['lead', sql`r.status not in (40, 50)`],
  ['bussiness', sql`r.status = 1`],
] as const satisfies readonly (readonly [string, RawBuilder<unknown>])[]

/** Creates the to-dos of the tenant's day from the current records (DOMAIN 5: 08:30); outdated ones are removed first. */
export async function planDay(run: JobRun): Promise<number> {
  const { now, zone } = run
  const wall = wallTimeOf(now, zone)
  const [from, to] = [0, 1].map((days) => instantOf(startOfDay(wall, days), zone))
  await retract(run)
  let created = await planFollows(from ?? now, to ?? now, run)
  created += await planRecycling(run)
  created += await planPayments(run)
  created += await planContracts(run)
  return created + (await planBirthdays(run))
}

/** To-dos for the follow-ups due in an interval. */
export async function planFollows(from: Date, to: Date, run: JobRun): Promise<number> {
  const { tenantId, zone } = run
  let created = 0
  for (const [target, isWanted] of FOLLOWED) {
    // Spelled like the index of the table.
    const next = sql`least(r.next_follow_at, 'infinity'::timestamptz)`
    created += await planTodos(
      {
        type: 'follow',
        target,
        rows: sql`select r.owner_id as assignee_id, r.id as target_id, r.name as target_name,
            case when w.wall::time = '00:00' then null else r.next_follow_at end as at, w.wall::date as day,
            null::text as parent_id
          from ${sql.table(target)} r, lateral (select r.next_follow_at at time zone ${zone} as wall) w
          where r.tenant_id = ${tenantId} and ${next} >= ${from} and ${next} < ${to} and r.deleted_at is null
            and r.owner_id is not null and ${isWanted}`,
      },
      run,
    )
  }
  return created
}

async function planRecycling(run: JobRun): Promise<number> {
  const { tenantId, now, zone } = run
  let created = 0
  for (const [target] of FOLLOWED) {
    created += await planTodos(
      {
        type: 'recycle',
        target,
        priority: 'high',
        rows: sql`select r.owner_id as assignee_id, r.id as target_id, r.name as target_name, r.expire_at as at,
            (r.expire_at at time zone ${zone})::date as day, null::text as parent_id
          from ${sql.table(target)} r where r.tenant_id = ${tenantId} and r.owner_id is not null and r.deleted_at is null
            and r.expire_at > ${now} and r.expire_at <= ${now}::timestamptz + make_interval(days => coalesce((select
              (p.settings ->> 'remind_days')::int from pool p where p.tenant_id = ${tenantId} and p.entity = ${target}
              and p.enabled and p.deleted_at is null order by p.is_default desc, p.created_at limit 1),
              ${target === 'lead' ? 1 : 3}))`,
      },
      run,
    )
  }
  return created
}

function planPayments(run: JobRun): Promise<number> {
  const today = startOfDay(wallTimeOf(run.now, run.zone))
  return planTodos(
    {
      type: 'payment',
      target: 'plan',
      rows: sql`select k.owner_id as assignee_id, p.id as target_id, k.name as target_name, null::timestamptz as at,
          p.plan_date as day, k.id as parent_id
        from payment_plan p join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
        where p.tenant_id = ${run.tenantId} and p.status in ('unpaid', 'partial') and p.deleted_at is null
          and ${effective('k')} and p.plan_date - p.remind_days <= ${dayText(today)}::date
          and p.plan_date >= ${dayText(today - PLAN_BACK_DAYS * DAY_MS)}::date`,
    },
    run,
  )
}

function planContracts(run: JobRun): Promise<number> {
  const today = startOfDay(wallTimeOf(run.now, run.zone))
  return planTodos(
    {
      type: 'contract_end',
      target: 'contract',
      rows: sql`select k.owner_id as assignee_id, k.id as target_id, k.name as target_name, null::timestamptz as at,
          k.end_date as day, null::text as parent_id
        from contract k where k.tenant_id = ${run.tenantId} and ${effective('k')}
          and k.perform_status in (0, 1)
          and k.end_date between ${dayText(today)}::date and ${dayText(today + CONTRACT_DAYS * DAY_MS)}::date`,
    },
    run,
  )
}

async function planBirthdays(run: JobRun): Promise<number> {
  const people = (await birthdaysOf(run, [0])).map(
    ({ id, owner_id, name, day }) => sql`(${owner_id}::text, ${id}::text, ${name}::text, ${day}::date)`,
  )
  if (people.length === 0) return 0
  return planTodos(
    {
      type: 'birthday',
      target: 'contact',
      rows: sql`select v.assignee_id, v.target_id, v.target_name, null::timestamptz as at, v.day, null::text as parent_id
        from (values ${sql.join(people)}) as v(assignee_id, target_id, target_name, day)`,
    },
    run,
  )
}

/** Cancels open to-dos of the jobs whose reason no longer exists: another owner, another date, paid, deleted. */
async function retract({ trx, tenantId, now, zone }: JobRun): Promise<void> {
  const day = sql`(t.due_at at time zone ${zone})::date`
  const holds = FOLLOWED.flatMap(([target, isWanted]) => [
    sql`(t.type = 'follow' and t.target_type = ${target} and exists (select 1 from ${sql.table(target)} r
      where r.tenant_id = t.tenant_id and r.id = t.target_id and r.owner_id = t.assignee_id and r.deleted_at is null
        and (r.next_follow_at at time zone ${zone})::date = ${day} and ${isWanted}))`,
    sql`(t.type in ('recycle', 'first_follow') and t.target_type = ${target} and exists (select 1 from ${sql.table(target)} r
      where r.tenant_id = t.tenant_id and r.id = t.target_id and r.owner_id = t.assignee_id and r.deleted_at is null
        and (t.type = 'first_follow' or (r.expire_at at time zone ${zone})::date = ${day})))`,
  ])
  await sql`update todo t set status = 2, remind_next = null, updated_at = ${now}, version = version + 1
    where t.tenant_id = ${tenantId} and t.origin = 'job' and t.status = 0 and t.deleted_at is null
      and t.type <> 'birthday' and not (${sql.join(holds, sql` or `)}
        or (t.type = 'payment' and exists (select 1 from payment_plan p
          join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id and k.owner_id = t.assignee_id
            and k.approval_status = 2 and k.deleted_at is null
          where p.tenant_id = t.tenant_id and p.id = t.target_id and p.status in ('unpaid', 'partial')
            and p.deleted_at is null))
        or (t.type = 'contract_end' and exists (select 1 from contract k where k.tenant_id = t.tenant_id
          and k.id = t.target_id and k.owner_id = t.assignee_id and ${effective('k')}
          and k.end_date = ${day})))`.execute(trx)
}
