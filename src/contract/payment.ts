/** Buttons the server offers for a payment, by permission and state (DOMAIN 1.7). */
export type PaymentAction = 'edit' | 'delete' | 'submit' | 'withdraw' | 'approve' | 'reject' | 'reverse'

/** A card of the payment list (DOMAIN 1.15). */
export interface PaymentCard {
  readonly id: string
  readonly payment_no: string
  readonly contract_id: string
  readonly contract_no: string
  readonly contract_name: string
  readonly customer_id: string
  readonly customer_name: string
  readonly plan_id: string | null
  readonly period_no: number | null
  /** Yuan; negative for a reversal (冲销). */
  readonly amount: number
  readonly reverses_id: string | null
  readonly paid_at: string
  readonly method: string
  readonly approval_status: number
  readonly owner_id: string
  readonly owner_name: string | null
  readonly actions: readonly PaymentAction[]
}

type PlanStatus = 'unpaid' | 'partial' | 'paid' | 'void' | 'overdue'
export type PlanAction = 'edit' | 'delete' | 'payment_add'

/** A card of the list of payment plans (DOMAIN 1.15). */
export interface PlanCard {
  readonly id: string
  readonly contract_id: string
  readonly contract_no: string
  readonly contract_name: string
  readonly customer_id: string
  readonly customer_name: string
  readonly period_no: number
  readonly plan_amount: number
  readonly received_amount: number
  readonly unreceived_amount: number
  readonly plan_date: string
  readonly method: string | null
  /** `overdue` is derived: open, and its day has passed. */
  readonly status: PlanStatus
  readonly version: number
  readonly owner_id: string
  readonly owner_name: string | null
  readonly actions: readonly PlanAction[]
}
