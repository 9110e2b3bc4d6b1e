import { type RawBuilder, sql } from 'kysely'
import { isClear } from '../auth/field-rights.ts'
import type { CallContext } from '../context/call-context.ts'

/** The field that a sum adds up, as rights name it. */
export type SummedField = readonly [entity: string, field: string]

/**
 * A sum as its reader may know it (DOMAIN 2.3): null if it is that of a single record, and they do not see the field.
 *
 * @param records  how many there are, a number; with none a sum is either 0 or the difference that a change made to a record
 */
export function knownSum(
  [entity, field]: SummedField,
  { sum, records }: { readonly sum: RawBuilder<unknown>; readonly records: RawBuilder<unknown> },
  { caller }: Pick<CallContext, 'caller'>,
): RawBuilder<number | null> {
  if (isClear(caller, entity, field)) return sql<number>`${sum}`
  return sql<number | null>`case when ${records} > 1 or (${records} = 0 and ${sum} = 0) then ${sum} end`
}
