/** Buttons the server offers for a contract, by permission and state (DOMAIN 1.6, 2.3). */
export type ContractAction =
  | 'edit'
  | 'delete'
  | 'submit'
  | 'withdraw'
  | 'approve'
  | 'reject'
  | 'change'
  | 'void'
  | 'perform'
  | 'renew'
  | 'transfer'
  | 'plan_add'
  | 'payment_add'
  | 'follow'

/** A line of a contract or opportunity (DOMAIN 1.9.1); name, unit and list price as they were when it was added. */
export interface ProductLine {
  readonly product_id: string
  readonly product_name: string
  readonly unit: string
  readonly list_price: number
  readonly price: number
  /** `price` as a percentage of `list_price`, 2 decimals. */
  readonly discount: number
  /** More than 0, 3 decimals. */
  readonly quantity: number
  /** `price × quantity`, rounded half up to cents. */
  readonly amount: number
  readonly below_min: boolean
  readonly remark: string | null
}

/** A card of the contract list (DOMAIN 1.15). */
export interface ContractCard {
  readonly id: string
  readonly contract_no: string
  readonly name: string
  readonly customer_id: string
  readonly customer_name: string
  readonly type: string
  readonly amount: number
  readonly received_amount: number
  readonly unreceived_amount: number
  /** Percent, 2 decimals. */
  readonly received_rate: number
  readonly sign_date: string
  readonly start_date: string | null
  readonly end_date: string | null
  readonly approval_status: number
  readonly perform_status: number
  /** In effect, and its end has passed. */
  readonly expired: boolean
  readonly plan_count: number
  readonly plan_paid: number
  readonly owner_id: string
  readonly owner_name: string | null
  readonly revision_no: number
  readonly below_min: boolean
  readonly actions: readonly ContractAction[]
}
