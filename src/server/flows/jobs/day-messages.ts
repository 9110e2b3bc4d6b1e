import { type RawBuilder, sql } from 'kysely'
import type { JobRun } from '../../kernel/context/job.ts'
import { lastMoved } from '../../kernel/lists/owned-list.ts'
import { type Announcement, announce } from '../../kernel/notices/announce.ts'
import type { MessageEvent } from '../../kernel/notices/events.ts'
import { dayText, instantOf, startOfDay, wallTimeOf } from '../../kernel/time/zone.ts'
import { birthdaysOf } from '../../modules/contacts/birthdays.ts'
import { effective } from '../../modules/contracts/find-contract.ts'

/** Days without a follow-up after which the owner is notified; after the last also the superior (DOMAIN 5 follow.none). */
const NONE_DAYS = [7, 15, 30] as const
const ENDING_DAYS = [30, 7, 1]
const STAGNANT_DAYS = 14
const MAX_NAMES = 5

/** The messages at 09:00 of the tenant's day (DOMAIN 5). Each has a key, so that a second run sends nothing. */
export async function sendDayMessages(run: JobRun): Promise<number> {
  let sent = await notifyOfFollows(run)
  sent += await notifyOfForgotten(run)
  sent += await notifyOfContracts(run)
  sent += await notifyOfPlans(run)
  sent += await notifyOfBirthdays(run)
  return sent
}

/** Weekly: opportunities past their expected date or without a stage move for 14 days (DOMAIN 5 bussiness.overdue). */
export async function notifyOfStagnant(run: JobRun): Promise<number> {
  const today = dayOf(run)
  const since = new Date(run.now.getTime() - STAGNANT_DAYS * 86_400_000)
  return tellOwners(
    'bussiness.overdue',
    sql`select owner_id, id, name from bussiness where tenant_id = ${run.tenantId} and status = 1 and owner_id is not null
      and deleted_at is null and (expected_date < ${today}::date or stage_since < ${since})`,
    { entity: 'bussiness', key: `bussiness.overdue/${today}` },
    run,
  )
}

/** A list of today's follow-ups, and once those missed yesterday. */
async function notifyOfFollows(run: JobRun): Promise<number> {
  const wall = wallTimeOf(run.now, run.zone)
  const at = (days: number) => instantOf(startOfDay(wall, days), run.zone)
  const due = (
    from: Date,
    to: Date,
  ) => sql`select assignee_id as owner_id, id, coalesce(title, target_name, '') as name
    from todo where tenant_id = ${run.tenantId} and type in ('follow', 'first_follow') and status = 0
      and deleted_at is null and due_at >= ${from} and due_at < ${to}`
  const today = dayOf(run)
  const link = { route: '/pages/work/todo/index', query: { tab: 'follow' } }
  const first = await tellOwners(
    'follow.due',
    due(at(0), at(1)),
    { entity: 'todo', key: `follow.due/${today}`, link },
    run,
  )
  const missed = await tellOwners(
    'follow.overdue',
    due(at(-1), at(0)),
    { entity: 'todo', key: `follow.overdue/${today}`, link },
    run,
  )
  return first + missed
}

async function notifyOfForgotten(run: JobRun): Promise<number> {
  const wall = wallTimeOf(run.now, run.zone)
  const at = (days: number) => instantOf(startOfDay(wall, days), run.zone)
  let sent = 0
  for (const days of NONE_DAYS) {
    const rows = sql`select c.owner_id, c.id, c.name from customer c where c.tenant_id = ${run.tenantId}
      and c.owner_id is not null and c.deleted_at is null
      and ${lastMoved('c')} >= ${at(-days)}
      and ${lastMoved('c')} < ${at(-days + 1)}`
    const about = { entity: 'customer', key: `follow.none/${days}/${dayOf(run)}`, params: { days } } as const
    sent += await tellOwners('follow.none', rows, about, run)
    if (days === NONE_DAYS[2])
      sent += await tellOwners(
        'follow.none',
        sql`select m.supervisor_id as owner_id, f.id, f.name from (${rows}) f
          join membership m on m.tenant_id = ${run.tenantId} and m.user_id = f.owner_id where m.supervisor_id is not null`,
        { ...about, key: `${about.key}/team` },
        run,
      )
  }
  return sent
}

async function notifyOfContracts(run: JobRun): Promise<number> {
  const { trx, tenantId } = run
  const { rows } = await sql<{ id: string; name: string; owner_id: string; end_date: string; days: number }>`
    select k.id, k.name, k.owner_id, k.end_date, k.end_date - ${dayOf(run)}::date as days from contract k
    where k.tenant_id = ${tenantId} and ${effective('k')} and k.perform_status in (0, 1)
      and k.end_date - ${dayOf(run)}::date = any(${ENDING_DAYS}::int[])`.execute(trx)
  for (const { id, name, owner_id, end_date, days } of rows)
    await notify(run, {
      event: 'contract.ending',
      receivers: [owner_id],
      entity: 'contract',
      ids: [id],
      params: { name, date: end_date, days },
      sourceKey: `contract.ending/${id}/${end_date}/${days}`,
    })
  return rows.length
}

/** Before the day, on the day, then weekly; to the owner and finance. */
async function notifyOfPlans(run: JobRun): Promise<number> {
  const { trx, tenantId } = run
  const today = dayOf(run)
  const { rows } = await sql<PlanRow>`
    select p.id, p.period_no, p.plan_amount - p.received_amount as amount, p.plan_date, k.id as contract_id, k.name,
      k.owner_id, p.plan_date < ${today}::date as is_late
    from payment_plan p join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
    where p.tenant_id = ${tenantId} and p.status in ('unpaid', 'partial') and p.deleted_at is null
      and ${effective('k')}
      and (p.plan_date - ${today}::date in (0, p.remind_days)
        or (p.plan_date < ${today}::date and (${today}::date - p.plan_date) % 7 = 1))`.execute(trx)
  const finance = rows.length === 0 ? [] : await inRole('finance', run)
  for (const row of rows)
    await notify(run, {
      event: row.is_late ? 'plan.overdue' : 'plan.due',
      receivers: [row.owner_id, ...finance],
      entity: 'plan',
      ids: [row.contract_id],
      params: { name: row.name, no: row.period_no, amount: row.amount, date: row.plan_date },
      sourceKey: `plan/${row.id}/${row.plan_date}/${today}`,
    })
  return rows.length
}

interface PlanRow {
  readonly id: string
  readonly period_no: number
  readonly amount: number
  readonly plan_date: string
  readonly contract_id: string
  readonly name: string
  readonly owner_id: string
  readonly is_late: boolean
}

async function notifyOfBirthdays(run: JobRun): Promise<number> {
  const people = await birthdaysOf(run, [0, 3])
  for (const { id, name, customer, owner_id, day, ahead } of people)
    await notify(run, {
      event: 'contact.birthday',
      receivers: [owner_id],
      entity: 'contact',
      ids: [id],
      params: { name, customer, date: day },
      sourceKey: `birthday/${id}/${day}/${ahead}`,
    })
  return people.length
}

type About = Pick<Announcement, 'entity' | 'params' | 'link'> & { readonly key: string }

/** One message per owner for rows `owner_id, id, name`, with the number and the first few names. */
async function tellOwners(
  event: MessageEvent,
  rows: RawBuilder<unknown>,
  about: About,
  run: JobRun,
): Promise<number> {
  const { rows: owners } = await sql<{ owner_id: string; n: number; ids: string[]; names: string[] }>`
    select owner_id, count(*) as n, (array_agg(id order by name, id))[1:2] as ids,
      (array_agg(name order by name, id))[1:${sql.lit(MAX_NAMES)}] as names
    from (${rows}) f group by owner_id order by owner_id`.execute(run.trx)
  const { key, params, ...rest } = about
  for (const { owner_id, n, ids, names } of owners)
    await notify(run, {
      ...rest,
      event,
      receivers: [owner_id],
      ids,
      params: { ...params, count: n, names: names.join('、') },
      sourceKey: key,
    })
  return owners.length
}

function notify(run: JobRun, sent: Omit<Announcement, 'tenantId' | 'actorId' | 'now'>): Promise<void> {
  return announce(run.trx, { ...sent, tenantId: run.tenantId, actorId: null, now: run.now })
}

async function inRole(code: string, { trx, tenantId }: JobRun): Promise<readonly string[]> {
  const { rows } = await sql<{ user_id: string }>`select a.user_id from role_assignment a
    join role r on r.tenant_id = a.tenant_id and r.id = a.role_id
    where a.tenant_id = ${tenantId} and r.code = ${code} and r.deleted_at is null order by a.user_id`.execute(
    trx,
  )
  return rows.map((row) => row.user_id)
}

function dayOf({ now, zone }: JobRun): string {
  return dayText(wallTimeOf(now, zone))
}
