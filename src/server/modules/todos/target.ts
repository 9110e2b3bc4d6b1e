import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { TodoTarget } from '../../../contract/todo.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { atMaster } from '../../kernel/records/redirect.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'
import { maskName } from '../../kernel/words/mask.ts'

/** The record of a to-do, as its card shows it. */
export interface TargetOf {
  readonly target_type: TodoTarget
  readonly target_id: string
  readonly target_name: string
  /** The contract of a plan or payment. */
  readonly contract_id: string | null
}

const OWNED = ['customer', 'lead', 'bussiness', 'contract'] as const

/** The record a to-do names; null without one, 404 if the caller does not see it. */
export async function targetOf(body: JsonObject, ctx: CallContext): Promise<TargetOf | null> {
  const isOfCustomer = body.target_type === 'customer'
  const { target_type, target_id } = isOfCustomer ? await atMaster(body, ctx, 'target_id') : body
  if (isEmpty(target_type) && isEmpty(target_id)) return null
  if (typeof target_type !== 'string' || typeof target_id !== 'string') return notFound()
  const found = await find(target_type, target_id, ctx)
  return found ?? notFound()
}

async function find(type: string, id: string, ctx: CallContext): Promise<TargetOf | null> {
  const { trx, caller } = ctx
  const owned = OWNED.find((it) => it === type)
  if (owned !== undefined) {
    const { rows } = await sql<{
      name: string
      is_owned: boolean
    }>`select r.name, r.owner_id is not null as is_owned
      from ${sql.table(owned)} r where ${isVisible(caller, owned, 'r')} and r.id = ${id}`.execute(trx)
    const [row] = rows
    if (row === undefined) return null
    const name = row.is_owned ? row.name : maskName(row.name)
    return { target_type: owned, target_id: id, target_name: name, contract_id: null }
  }
  if (type === 'contact') {
    const { rows } = await sql<{ name: string }>`select k.name from contact k
      join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
      where ${isVisible(caller, 'customer', 'c')} and c.owner_id is not null and k.deleted_at is null
        and k.tenant_id = ${caller.tenantId} and k.id = ${id}`.execute(trx)
    return rows[0] === undefined
      ? null
      : { target_type: 'contact', target_id: id, target_name: rows[0].name, contract_id: null }
  }
  if (type !== 'plan' && type !== 'payment') return null
  const table = type === 'plan' ? 'payment_plan' : 'payment'
  const { rows } = await sql<{ name: string; contract_id: string }>`select k.name, k.id as contract_id
    from ${sql.table(table)} p join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
    where p.tenant_id = ${caller.tenantId} and p.id = ${id} and p.deleted_at is null
      and ${isVisible(caller, 'contract', 'k')}`.execute(trx)
  const [row] = rows
  return row === undefined
    ? null
    : { target_type: type, target_id: id, target_name: row.name, contract_id: row.contract_id }
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === ''
}

function notFound(): never {
  return refuse(404, 'NOT_FOUND', text('call.not-found'))
}
