/** By the clock; `cancelled` by hand (DOMAIN 1.8). */
export type ActivityStatus = 'pending' | 'running' | 'ended' | 'cancelled'
export type ActivityAction = 'edit' | 'cancel' | 'member' | 'sign_in' | 'delete' | 'add_lead' | 'share'

/** A card of the activity list (DOMAIN 1.15). */
export interface ActivityCard {
  readonly id: string
  readonly name: string
  readonly activity_no: string
  readonly type: string
  readonly start_at: string
  readonly end_at: string
  readonly place: string | null
  /** Address of the cover picture, null without one. */
  readonly cover: string | null
  readonly status: ActivityStatus
  readonly owner_id: string
  readonly owner_name: string | null
  readonly lead_count: number
  readonly member_count: number
  readonly actions: readonly ActivityAction[]
}

/** What came of an activity, of the records the caller sees. */
export interface ActivityStats {
  readonly leads: number
  readonly customers: number
  readonly bussiness: number
  /** Amount of contracts in effect, in yuan. */
  readonly signed: number | null
  /** `signed` ÷ actual cost, 2 decimals; null without a cost. */
  readonly roi: number | null
  readonly invited: number
  readonly signed_in: number
}

/** Somebody who takes part. The name is masked where the caller does not see the contact or lead. */
export interface ActivityMember {
  readonly id: string
  readonly target_type: 'contact' | 'lead'
  readonly target_id: string
  readonly name: string
  readonly company: string
  readonly status: 'invited' | 'registered' | 'signed' | 'absent'
  readonly at: string
}
