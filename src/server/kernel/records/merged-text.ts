import { sql } from 'kysely'
import { type Json, ownValue } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../context/call-context.ts'
import { text } from '../text/text.ts'

/** Which customers were merged into which, in words. */
export const mergedText = (names: readonly string[], into: string): string =>
  text('customer.merged', {
    names: names.map((name) => text('customer.merged-name', { name })).join(''),
    into,
  })

/**
 * Merges among entries of a customer's history, in words, by the entry's id. A merged customer is the master from then on: whoever sees this
 * one sees the contacts, contracts and follow-ups of the others, and their names.
 */
export async function mergesInWords(
  entries: readonly { readonly id: string; readonly action: string; readonly detail: Json }[],
  master: string,
  { trx, caller }: CallContext,
): Promise<ReadonlyMap<string, string>> {
  const merges = entries.flatMap(({ id, action, detail }) => {
    const merged = action === 'customer:merge' ? ownValue(detail, 'merged') : null
    return Array.isArray(merged) ? [{ id, merged: merged.map(String) }] : []
  })
  if (merges.length === 0) return new Map()
  const ids = merges.flatMap(({ merged }) => merged)
  const { rows } = await sql<{ id: string; name: string }>`select id, name from customer
    where tenant_id = ${caller.tenantId} and id = any(${ids}::text[])`.execute(trx)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return new Map(
    merges.map(({ id, merged }) => [
      id,
      mergedText(
        merged.flatMap((one) => names.get(one) ?? []),
        master,
      ),
    ]),
  )
}
