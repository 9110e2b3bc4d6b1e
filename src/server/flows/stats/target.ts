import { type RawBuilder, sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { StatTarget } from '../../../contract/stats.ts'
import { MAX_MONEY } from '../../../model/kinds/number.ts'
import { requires } from '../../kernel/auth/caller.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { hasDigits } from '../../kernel/fields/money.ts'
import { isBy, namePeople, type StatQuestion } from '../../kernel/lists/stat-rows.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { wallTimeOf } from '../../kernel/time/zone.ts'
import { findPerson } from './person.ts'
import { countPerSpan } from './trend.ts'

/** Whose target: a person's or a department's. */
interface TargetObject {
  readonly type: 'user' | 'dept'
  readonly id: string
  readonly name: string
}

/** Years in the past and future for which a target may be set. */
const YEARS_AROUND = 5

/**
 * GET /mini/stats/target: twelve months with target and result. Default: this year, the caller. With `copy` the targets are those of the previous
 * year, as initial values; nothing is saved.
 */
export async function readTarget(query: JsonObject, ctx: CallContext): Promise<StatTarget> {
  const { trx, caller } = ctx
  const year = readYear(query.year, ctx)
  const object = await readObject(query, ctx, 'see')
  const months = Array.from({ length: 12 }, (_, i) => ({
    start: Date.UTC(year, i, 1),
    end: Date.UTC(year, i + 1, 1),
  }))
  const scope =
    object.type === 'dept'
      ? ({ kind: 'dept', id: object.id } as const)
      : object.id === caller.userId
        ? ({ kind: 'mine' } as const)
        : ({ kind: 'user', id: object.id } as const)
  const [first = { start: 0, end: 0 }] = months
  const question = await namePeople({ ctx, scope, span: first })
  const signed = await countPerSpan('new_contract_total', months, question)
  const paid = await countPerSpan('new_amount_total', months, question)
  const from = query.copy === 'last_year' ? year - 1 : year
  const { rows } = await sql<{
    month: string
    contract: number
    payment: number
  }>`select to_char(month, 'MM') as month,
      contract_amount as contract, payment_amount as payment from sales_target
    where tenant_id = ${caller.tenantId} and object_type = ${object.type} and object_id = ${object.id}
      and month >= ${`${from}-01-01`}::date and month < ${`${from + 1}-01-01`}::date`.execute(trx)
  const stored = new Map(rows.map((row) => [row.month, row]))
  return {
    year,
    objectType: object.type,
    objectId: object.id,
    objectName: object.name,
    canSave: caller.permissions.has('stats:target'),
    found: rows.length > 0,
    months: months.map((_, i) => {
      const month = String(i + 1).padStart(2, '0')
      const found = stored.get(month)
      return {
        month: `${year}-${month}`,
        contract_amount: found?.contract ?? 0,
        contract_goal: found?.contract || null,
        payment_amount: found?.payment ?? 0,
        contract_done: signed[i] ?? null,
        payment_done: paid[i] ?? null,
      }
    }),
  }
}

/**
 * POST /mini/stats/target: saves the given months, for a person or department in the caller's scope.
 *
 * @param body  `year`, `objectType`, `objectId`, `months: [{ month: "yyyy-MM", contract_amount, payment_amount }]`
 */
export async function saveTarget(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller } = ctx
  requires(caller, 'stats:target')
  const year = readYear(body.year, ctx)
  const object = await readObject(body, ctx, 'save')
  const months = Array.isArray(body.months)
    ? body.months.map((month) => readMonth(month, year))
    : invalid('months')
  if (months.length === 0 || months.length > 12) invalid('months')
  for (const { month, contract, payment } of months)
    await sql`insert into sales_target (tenant_id, object_type, object_id, month, contract_amount, payment_amount)
      values (${caller.tenantId}, ${object.type}, ${object.id}, ${`${month}-01`}, ${contract}, ${payment})
      on conflict (tenant_id, object_type, object_id, month)
        do update set contract_amount = excluded.contract_amount, payment_amount = excluded.payment_amount`.execute(
      trx,
    )
  const data = await readTarget({ year, objectType: object.type, objectId: object.id }, ctx)
  return {
    data: data as unknown as Json,
    recordId: object.id,
    detail: { year, objectType: object.type, months: body.months ?? [] },
  }
}

/** Reads a year, at most five from this one; this year if none is given. */
export function readYear(value: Json | undefined, { now, zone }: CallContext): number {
  const currentYear = new Date(wallTimeOf(now, zone)).getUTCFullYear()
  if (value === undefined || value === null || value === '') return currentYear
  const year = typeof value === 'string' ? Number(value) : value
  if (typeof year !== 'number' || !Number.isInteger(year) || Math.abs(year - currentYear) > YEARS_AROUND)
    return invalid('year')
  return year
}

function readMonth(value: Json, year: number): { month: string; contract: number; payment: number } {
  if (!isObject(value)) return invalid('months')
  const { month, contract_amount = 0, payment_amount = 0 } = value
  if (typeof month !== 'string' || !new RegExp(`^${year}-(0[1-9]|1[0-2])$`).test(month))
    return invalid('months.month')
  return { month, contract: readMoney(contract_amount), payment: readMoney(payment_amount) }
}

function readMoney(value: Json): number {
  if (typeof value !== 'number' || value < 0 || value > MAX_MONEY || !hasDigits(value, 2))
    return invalid('months.amount')
  return value
}

/** The requested person or department: the caller, or one in their scope with the permission; 404 otherwise. */
async function readObject(
  given: JsonObject,
  ctx: CallContext,
  purpose: 'see' | 'save',
): Promise<TargetObject> {
  const { trx, caller } = ctx
  const type = given.objectType === 'dept' ? 'dept' : 'user'
  const id =
    typeof given.objectId === 'string' && given.objectId !== ''
      ? given.objectId
      : type === 'user'
        ? caller.userId
        : ''
  const isOwn = type === 'user' && id === caller.userId
  if (!isOwn && !caller.permissions.has('stats:money')) requires(caller, 'stats:team')
  if (type === 'user') return { type, ...(await findPerson(id, 'contract', ctx, purpose === 'see')) }
  const everyone: StatQuestion = { ctx, scope: { kind: 'team' }, span: { start: 0, end: 0 } }
  const { rows } = await sql<{ id: string; name: string }>`select d.id, d.name from department d
    where d.tenant_id = ${caller.tenantId} and d.id = ${id} and d.deleted_at is null
      and ${isWhole(everyone, sql`d.path`)}`.execute(trx)
  const [row] = rows
  return row === undefined ? refuse(404, 'NOT_FOUND', text('call.not-found')) : { type, ...row }
}

/** True if the question's people are all who belong to a department: only then is its target theirs to see and set. @param path  of the department */
export function isWhole(people: StatQuestion, path: RawBuilder<unknown>): RawBuilder<boolean> {
  const { tenantId } = people.ctx.caller
  return sql<boolean>`not exists (select 1 from membership m
    join department b on b.tenant_id = m.tenant_id and b.id = m.dept_id and starts_with(b.path, ${path})
    where m.tenant_id = ${tenantId} and m.status <> 'left' and not ${isBy(people, 'contract', sql`m.user_id`)})`
}

function invalid(detail: string): never {
  refuse(400, 'VALIDATION', text('stats.target-invalid'), { detail })
}
