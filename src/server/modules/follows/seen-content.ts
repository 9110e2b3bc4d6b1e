import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../kernel/auth/caller.ts'
import {
  combineMasks,
  isTextMasked,
  type Mask,
  maskOf,
  maskRow,
  rightsMask,
  textWithoutNumbers,
} from '../../kernel/visibility/masking.ts'

/** A follow-up as the database gives it: whether its record is in a pool, where phone numbers in texts stay masked (DOMAIN 1.2.5). */
export interface Placed {
  readonly in_pool: boolean
}

/** True if the record of a follow-up is in a pool. */
export function isFollowInPool(row: string): RawBuilder<boolean> {
  const at = (column: string) => sql.ref(`${row}.${column}`)
  return sql<boolean>`coalesce(
    (select held.owner_id is null from customer held where held.tenant_id = ${at('tenant_id')} and held.id = ${at('customer_id')}),
    (select held.owner_id is null from lead held where held.tenant_id = ${at('tenant_id')} and held.id = ${at('lead_id')}), false)`
}

/** The mask of texts about a record. */
const textMask = (caller: Caller, { in_pool }: Placed): Mask =>
  maskOf(caller, 'customer', { owner_id: in_pool ? null : caller.userId })

/** The mask of a follow-up. */
export const followMask = (caller: Caller, follow: Placed): Mask =>
  combineMasks(textMask(caller, follow), rightsMask(caller, 'follow'))

/** What was written about a record, as the caller sees it. */
export const seenContent = (content: string, follow: Placed, caller: Caller): string =>
  maskRow({ content }, textMask(caller, follow)).content

/** A text column of follow-ups, as far as a search of the caller may find something in it. */
export function searchedText(
  caller: Caller,
  row: string,
  column: 'content' | 'next_plan',
): RawBuilder<string> {
  const whole = sql<string>`${sql.ref(`${row}.${column}`)}`
  if (isTextMasked(textMask(caller, { in_pool: false }))) return textWithoutNumbers(whole)
  return sql<string>`case when ${isFollowInPool(row)} then ${textWithoutNumbers(whole)} else ${whole} end`
}
