import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { ContractAction } from '../../../contract/contract.ts'
import { latestApproval } from '../../kernel/approvals/find-approval.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { wireExt } from '../../kernel/fields/ext-fields.ts'
import { rateOf } from '../../kernel/fields/money.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { maskRow, rightsMask } from '../../kernel/visibility/masking.ts'
import { inCapitals } from '../../kernel/words/capitals.ts'
import { type FoundContract, findContract, isEffective, isOpen, STATUS } from './find-contract.ts'

const INTERNAL = new Set(['tenant_id', 'deleted_at', 'stat_amount', 'in_scope', 'can_write'])

/** A contract as the API returns it: the fields of DOMAIN 1.6 and the computed ones, as far as the caller's roles show them. */
export function contractRecord(found: FoundContract, ctx: CallContext): JsonObject {
  const shown = Object.fromEntries(Object.entries(found).filter(([name]) => !INTERNAL.has(name)))
  const contractRow = {
    ...wireRow(shown, ctx.zone),
    received_rate: rateOf(found.received_amount, found.amount),
    expired: isExpired(found, ctx),
  }
  return {
    ...maskRow(contractRow, rightsMask(ctx.caller, 'contract')),
    ...wireExt('contract', found.ext, ctx),
  }
}

/** In effect and past its end date (已到期). */
export function isExpired(
  row: Pick<FoundContract, 'approval_status' | 'replaced_by' | 'end_date'>,
  { now, zone }: CallContext,
): boolean {
  return isEffective(row) && row.end_date !== null && row.end_date < dayText(wallTimeOf(now, zone))
}

/** The data that decides the actions of a contract. */
export interface ActionState {
  readonly owner_id: string
  readonly created_by: string | null
  readonly approval_status: number
  readonly replaced_by: string | null
  readonly submitted_by: string | null
  readonly in_scope: boolean
  readonly can_write: boolean
  /** The caller is asked to decide now. */
  readonly is_asked: boolean
}

/** The actions of a contract, by permission and state (DOMAIN 1.6, 2.3). The phone shows exactly these. */
export function contractActions(caller: Caller, row: ActionState): ContractAction[] {
  const may = (permission: string) => caller.permissions.has(permission)
  const { in_scope, can_write, approval_status } = row
  const open = isOpen(row)
  const counts = isEffective(row)
  const isPending = row.is_asked && may('contract:approve')
  const isAuthor = row.owner_id === caller.userId || row.created_by === caller.userId
  const isRunning = approval_status === STATUS.running
  const works = in_scope || can_write
  const rules: readonly (readonly [ContractAction, boolean])[] = [
    ['edit', open && can_write],
    ['submit', open && isAuthor && may('contract:submit')],
    ['delete', open && in_scope && may('contract:del')],
    ['withdraw', isRunning && row.submitted_by === caller.userId && may('contract:submit')],
    ['approve', isPending],
    ['reject', isPending],
    ['payment_add', counts && works && may('payment:add')],
    ['plan_add', (counts || open) && works && may('payment:add')],
    ['perform', counts && can_write],
    ['change', counts && can_write && may('contract:change')],
    ['renew', counts && works && may('contract:add')],
    ['transfer', in_scope && may('contract:transfer')],
    ['void', counts && in_scope && may('contract:void')],
    ['follow', works && may('follow:add')],
  ]
  return rules.filter(([, isOffered]) => isOffered).map(([action]) => action)
}

/** GET /mini/contract/detail. */
export async function contractDetail(id: string, ctx: CallContext): Promise<JsonObject> {
  const found = await findContract(id, ctx)
  const [approval, labels, related] = await Promise.all([
    latestApproval('contract', id, ctx),
    contractLabels(found, ctx),
    contractRelated(id, ctx),
  ])
  const isPending = approval?.status === 'running' && approval.waiting_ids.includes(ctx.caller.userId)
  const mask = rightsMask(ctx.caller, 'contract')
  const words = maskRow(labels, mask)
  return {
    record: {
      ...contractRecord(found, ctx),
      ...words,
      ...maskRow({ amount_capitals: inCapitals(found.amount) }, mask),
    },
    labels: words,
    related,
    actions: contractActions(ctx.caller, {
      ...found,
      submitted_by: typeof found.submitted_by === 'string' ? found.submitted_by : null,
      is_asked: isPending,
    }),
    mask: [...mask.masked],
    approval_id: approval?.id ?? null,
  }
}

async function contractLabels({ id }: FoundContract, { trx, caller }: CallContext): Promise<JsonObject> {
  const person = (column: string) =>
    sql`(select m.name from membership m where m.tenant_id = k.tenant_id and m.user_id = ${sql.ref(`k.${column}`)})`
  const { rows } = await sql<Record<string, string | null>>`
    select c.name as customer_name, b.name as bussiness_name, ${person('owner_id')} as owner_name,
      ${person('our_signer_id')} as our_signer_name, ${person('created_by')} as created_by_name,
      ${person('approver_id')} as approver_name, x.name as customer_signer_name,
      (select d.name from department d where d.tenant_id = k.tenant_id and d.id = k.owner_dept_id) as owner_dept_name,
      (select o.contract_no from contract o where o.tenant_id = k.tenant_id and o.id = k.revision_of) as revision_of_no,
      (select o.contract_no from contract o where o.tenant_id = k.tenant_id and o.id = k.replaced_by) as replaced_by_no
    from contract k join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    left join bussiness b on b.tenant_id = k.tenant_id and b.id = k.bussiness_id
    left join contact x on x.tenant_id = k.tenant_id and x.id = k.customer_signer_id
    where k.tenant_id = ${caller.tenantId} and k.id = ${id}`.execute(trx)
  return rows[0] ?? {}
}

async function contractRelated(id: string, { trx, caller }: CallContext): Promise<JsonObject> {
  const count = (table: 'payment_plan' | 'payment' | 'follow') =>
    sql`(select count(*) from ${sql.table(table)} x where x.tenant_id = ${caller.tenantId} and x.contract_id = ${id} and x.deleted_at is null)`
  const { rows } = await sql<Record<string, number>>`select ${count('payment_plan')} as plan,
    ${count('payment')} as payment, ${count('follow')} as follow,
    (select count(*) from contract x where x.tenant_id = ${caller.tenantId} and x.revision_of = ${id}
      and x.deleted_at is null) as revision`.execute(trx)
  return rows[0] ?? {}
}
