import type { CustomerCard } from '../../../contract/customer.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { remainingDays } from '../../kernel/pools/expiry.ts'
import { wireInPlace } from '../../kernel/records/wire.ts'
import {
  CONTACT_FIELDS,
  combineMasks,
  type MaskableRow,
  maskOf,
  maskRow,
} from '../../kernel/visibility/masking.ts'
import { maskName } from '../../kernel/words/mask.ts'
import { type ActionState, customerActions } from './actions.ts'

/** A row of the customer list, as queried. */
export interface CardRow extends ActionState, MaskableRow {
  readonly id: string
  readonly name: string
  readonly owner_id: string | null
  readonly contact_name: string | null
  readonly mobile: string | null
  readonly next_follow_at: Date | null
  readonly expire_at: Date | null
  /** False for a row that is only listed because a figure of the statistics counts it. */
  readonly visible: boolean
}

/** Columns that only decide what is shown of the others. */
const UNSHOWN: ReadonlySet<string> = new Set(['in_scope', 'can_write', 'pool_masks', 'visible', 'expire_at'])

/** The card of a row. What the caller may not see is masked and has no actions. */
export function customerCard(row: CardRow, { caller, now, zone }: CallContext): CustomerCard {
  const { visible } = row
  // The number on the card is the primary contact's or the customer's own, so the narrower right applies.
  const mask = visible
    ? combineMasks(maskOf(caller, 'customer', row), maskOf(caller, 'contact', row))
    : NOTHING_CLEAR
  const open = maskRow(row, mask)
  const named = visible
    ? open
    : { ...open, name: maskName(row.name), contact_name: null, last_follow_content: null }
  const more = {
    overdue: row.next_follow_at !== null && row.next_follow_at < now,
    left_days: remainingDays(row.expire_at, now),
    actions: visible ? customerActions(caller, row) : [],
  }
  return Object.assign(wireInPlace(named, zone, UNSHOWN), more) as unknown as CustomerCard
}

const NOTHING_CLEAR = { masked: new Set<string>(CONTACT_FIELDS), hidden: new Set<string>() }
