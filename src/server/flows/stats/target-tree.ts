import { type RawBuilder, sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { StatisticKey } from '../../../contract/home.ts'
import type { TargetLine } from '../../../contract/stats.ts'
import { requires } from '../../kernel/auth/caller.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { isBy, knownStat, namePeople, type StatQuestion, statByPerson } from '../../kernel/lists/stat-rows.ts'
import { text } from '../../kernel/text/text.ts'
import { isWhole, readYear } from './target.ts'
import { rateOf } from './team.ts'

/**
 * GET /mini/stats/target/tree: departments of the caller's scope with their people, each with target and result of the year. A department's own
 * target is independent of the sum of its people's; both are shown. Sums count the people of the scope: `partial` if a department has others as well.
 */
export async function targetTree(query: JsonObject, ctx: CallContext) {
  const { trx, caller } = ctx
  if (!caller.permissions.has('stats:money')) requires(caller, 'stats:team')
  const year = readYear(query.year, ctx)
  const span = { start: Date.UTC(year, 0, 1), end: Date.UTC(year + 1, 0, 1) }
  const team = await namePeople({ ctx, scope: { kind: 'team' }, span })
  const anyone: StatQuestion = { ...team, scope: { kind: 'anyone' } }
  const known = (key: StatisticKey, value: RawBuilder<unknown>, records: RawBuilder<unknown>) =>
    knownStat(key, { value, records }, ctx)
  const { rows } = await sql<TargetLine>`
    with mine as (select m.user_id, m.name, m.avatar, m.py, d.id as dept_id, d.path from membership m
        left join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
        where m.tenant_id = ${caller.tenantId} and m.status <> 'left' and m.deleted_at is null and ${isBy(team, 'contract', sql`m.user_id`)}),
      goal as (select object_type, object_id, sum(contract_amount) as contract, sum(payment_amount) as payment from sales_target
        where tenant_id = ${caller.tenantId} and month >= ${`${year}-01-01`}::date and month < ${`${year + 1}-01-01`}::date group by 1, 2),
      signed as (${statByPerson('new_contract_total', anyone)}), paid as (${statByPerson('new_amount_total', anyone)}),
      person as (select mine.*, coalesce(g.contract, 0) as contract_amount, coalesce(g.payment, 0) as payment_amount,
          coalesce(s.n, 0) as signed, coalesce(s.records, 0) as contracts, coalesce(p.n, 0) as paid, coalesce(p.records, 0) as payments
        from mine left join goal g on g.object_type = 'user' and g.object_id = mine.user_id
        left join signed s on s.user_id = mine.user_id left join paid p on p.user_id = mine.user_id)
    select * from (
      select 'dept' as type, d.id, d.name, '' as avatar, d.path as place, '' as py, coalesce(max(g.contract), 0) as contract_amount,
        coalesce(max(g.payment), 0) as payment_amount, ${known('new_contract_total', sql`sum(x.signed)`, sql`sum(x.contracts)`)} as contract_done,
        ${known('new_amount_total', sql`sum(x.paid)`, sql`sum(x.payments)`)} as payment_done,
        sum(x.contract_amount) as people_amount, sum(x.payment_amount) as people_payment,
        ${isWhole(team, sql`d.path`)} as may_open
      from department d join person x on starts_with(x.path, d.path) left join goal g on g.object_type = 'dept' and g.object_id = d.id
      where d.tenant_id = ${caller.tenantId} and d.deleted_at is null group by d.id, d.name, d.path
      union all
      select 'user', x.user_id, x.name, x.avatar, coalesce(x.path, '~'), x.py, x.contract_amount, x.payment_amount,
        ${known('new_contract_total', sql`x.signed`, sql`x.contracts`)}, ${known('new_amount_total', sql`x.paid`, sql`x.payments`)}, 0, 0, true
      from person x) lines order by place, type, py, id limit 500`.execute(trx)
  return {
    year,
    canSave: caller.permissions.has('stats:target'),
    partial: rows.some(({ may_open }) => !may_open),
    list: rows.map((row) => {
      // Part of a department's people is not measured by the target of all of them.
      const measured = (own: number, ofPeople: number) => (row.may_open || own === 0 ? own || ofPeople : 0)
      const depth = Math.max(0, row.place.split('/').filter(Boolean).length - 1)
      return {
        ...row,
        note: row.may_open ? '' : text('stats.partial'),
        contract_goal: row.contract_amount || null,
        payment_goal: row.payment_amount || null,
        people_goal: row.people_amount || null,
        people_payment_goal: row.people_payment || null,
        contract_rate: rateOf(row.contract_done, measured(row.contract_amount, row.people_amount)),
        payment_rate: rateOf(row.payment_done, measured(row.payment_amount, row.people_payment)),
        depth,
        indent: '　'.repeat(row.type === 'user' ? depth + 1 : depth),
      }
    }),
  }
}
