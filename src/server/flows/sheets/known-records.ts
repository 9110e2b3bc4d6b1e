import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'
import { normaliseName } from '../../kernel/words/normalise-name.ts'
import { isPaymentVisible } from '../../modules/payments/payment.ts'

/** The current state of the record that a row refers to. */
export interface KnownRecord {
  readonly id: string
  readonly version: number
}

/** Finds the record of a row among those that the caller sees; empty: the row is a new record. */
export type FindKnown = (row: JsonObject, ctx: CallContext) => Promise<readonly KnownRecord[]>

const TOLD_APART = 2
const textOf = (row: JsonObject, name: string): string => String(row[name] ?? '').trim()

/** The customer with that credit code, else with that name, compared as for duplicates (DOMAIN 1.1.3). */
export const knownCustomer: FindKnown = async (row, { trx, caller }) => {
  const code = textOf(row, 'credit_code').toUpperCase()
  const { rows } = await sql<KnownRecord>`select c.id, c.version from customer c
    where c.tenant_id = ${caller.tenantId} and c.deleted_at is null and ${isVisible(caller, 'customer', 'c')}
      and (c.name_norm = ${normaliseName(textOf(row, 'name'))} or (${code} <> '' and c.credit_code = ${code}))
    order by c.credit_code = ${code} desc nulls last, c.id limit ${TOLD_APART}`.execute(trx)
  return rows
}

/** The contact with the same name under the same customer; if several, the one with the same number. */
export const knownContact: FindKnown = async (row, { trx, caller }) => {
  const mobile = textOf(row, 'mobile')
  const { rows } = await sql<KnownRecord & { mobile: string | null }>`select k.id, k.version, k.mobile
    from contact k join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    where k.tenant_id = ${caller.tenantId} and k.deleted_at is null and ${isVisible(caller, 'customer', 'c')}
      and c.name = ${textOf(row, 'customer_name')} and k.name = ${textOf(row, 'name')}
    order by k.mobile = ${mobile} desc nulls last, k.id limit ${TOLD_APART}`.execute(trx)
  const [first] = rows
  return first !== undefined && mobile !== '' && first.mobile === mobile ? [first] : rows
}

/** The lead with that name, if not converted. */
export const knownLead: FindKnown = async (row, { trx, caller }) => {
  const { rows } = await sql<KnownRecord>`select l.id, l.version from lead l
    where l.tenant_id = ${caller.tenantId} and l.deleted_at is null and l.status <> 40
      and ${isVisible(caller, 'lead', 'l')} and l.name = ${textOf(row, 'name')}
    order by l.id limit ${TOLD_APART}`.execute(trx)
  return rows
}

/** The open opportunity with the same name under the same customer. */
export const knownBussiness: FindKnown = async (row, { trx, caller }) => {
  const { rows } = await sql<KnownRecord>`select b.id, b.version from bussiness b
    join customer c on c.tenant_id = b.tenant_id and c.id = b.customer_id
    where b.tenant_id = ${caller.tenantId} and b.deleted_at is null and b.status = 1
      and ${isVisible(caller, 'bussiness', 'b')} and c.name = ${textOf(row, 'customer_name')}
      and b.name = ${textOf(row, 'name')}
    order by b.id limit ${TOLD_APART}`.execute(trx)
  return rows
}

/** The product with that number; if the row has none, the one with that name in its category. */
export const knownProduct: FindKnown = async (row, { trx, caller }) => {
  const number = textOf(row, 'product_no')
  const { rows } = await sql<KnownRecord>`select p.id, p.version from product p
    where p.tenant_id = ${caller.tenantId} and p.deleted_at is null
      and ${
        number === ''
          ? sql`(p.name = ${textOf(row, 'name')} and p.category_id = ${textOf(row, 'category_id')})`
          : sql`p.product_no = ${number}`
      }
    order by p.id limit ${TOLD_APART}`.execute(trx)
  return rows
}

/** The activity with that name, if not cancelled. */
export const knownActivity: FindKnown = async (row, { trx, caller }) => {
  const { rows } = await sql<KnownRecord>`select a.id, a.version from activity a
    where a.tenant_id = ${caller.tenantId} and a.deleted_at is null and a.cancelled_at is null
      and a.name = ${textOf(row, 'name')}
    order by a.id limit ${TOLD_APART}`.execute(trx)
  return rows
}

/** The contract with that number; if the row has none, the editable one with the same name under the same customer. */
export const knownContract: FindKnown = async (row, { trx, caller }) => {
  const number = textOf(row, 'contract_no')
  const { rows } = await sql<KnownRecord>`select k.id, k.version from contract k
    join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    where k.tenant_id = ${caller.tenantId} and k.deleted_at is null and k.replaced_by is null
      and ${isVisible(caller, 'contract', 'k')}
      and ${
        number === ''
          ? sql`(k.name = ${textOf(row, 'name')} and c.name = ${textOf(row, 'customer_name')} and k.approval_status in (0, 3, 4))`
          : sql`k.contract_no = ${number}`
      }
    order by k.id limit ${TOLD_APART}`.execute(trx)
  return rows
}

/** The payment with that number. */
export const knownPayment: FindKnown = async (row, { trx, caller }) => {
  const number = textOf(row, 'payment_no')
  if (number === '') return []
  const { rows } = await sql<KnownRecord>`select p.id, p.version from payment p
    join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
    where ${isPaymentVisible(caller, 'p', 'k')} and p.payment_no = ${number}
    order by p.id limit ${TOLD_APART}`.execute(trx)
  return rows
}
