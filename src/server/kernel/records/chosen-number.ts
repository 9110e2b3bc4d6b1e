import { sql } from 'kysely'
import type { CallContext } from '../context/call-context.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { nextNumber } from './number.ts'

/**
 * Documents whose number people may choose themselves. It is unique in the tenant, the recycle bin included; that of a deleted product
 * may be used again.
 */
const NUMBERED = {
  contract: { column: 'contract_no', taken: 'contract.duplicate-no', counts: sql`true` },
  payment: { column: 'payment_no', taken: 'payment.duplicate-no', counts: sql`true` },
  product: { column: 'product_no', taken: 'product.duplicate-no', counts: sql`deleted_at is null` },
} as const
type Numbered = keyof typeof NUMBERED

/** The chosen number, or without one the next free number of the day. */
export async function numberFor(kind: Numbered, chosen: unknown, ctx: CallContext): Promise<string> {
  if (typeof chosen === 'string') return chosen
  for (;;) {
    const number = await nextNumber(ctx.trx, ctx.caller.tenantId, kind, ctx)
    if (!(await isTaken(kind, number, ctx))) return number
  }
}

/** Refuses a number that another document has. */
export async function refuseTaken(kind: Numbered, number: string, ctx: CallContext): Promise<void> {
  if (await isTaken(kind, number, ctx)) refuseTakenNumber(kind)
}

/** The refusal where a unique index has rejected the number. */
export function refuseTakenNumber(kind: Numbered): never {
  const { column, taken } = NUMBERED[kind]
  const message = text(taken)
  refuse(409, 'DUPLICATE', message, { fields: { [column]: message } })
}

async function isTaken(kind: Numbered, number: string, { trx, caller }: CallContext): Promise<boolean> {
  const { column, counts } = NUMBERED[kind]
  const { rows } = await sql`select 1 from ${sql.table(kind)}
    where tenant_id = ${caller.tenantId} and ${sql.ref(column)} = ${number} and ${counts}`.execute(trx)
  return rows.length > 0
}
