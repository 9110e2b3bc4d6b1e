import type { ColumnType, Generated } from 'kysely'
import type { Json } from '../../../runtime/core/json.ts'
import type { CommonColumns } from '../db/tables.ts'
import type { SearchColumns } from '../search/search-columns.ts'

/** A column that may be left out of an insert and is then null. */
type Optional<T> = Generated<T | null>
/** Money reads as a number and is written as one. */
type Money = ColumnType<number, number, number>

/** How a record came to its owner (DOMAIN 1.0). */
export type ObtainWay = 'created' | 'claimed' | 'assigned' | 'transferred' | 'converted' | 'imported'

/** The owned mixin (DOMAIN 1.0). */
export interface OwnedColumns {
  owner_id: Optional<string>
  owner_dept_id: Optional<string>
  owner_since: Optional<Date>
  obtain_way: Generated<ObtainWay>
  prev_owner_id: Optional<string>
  pool_id: Optional<string>
  pool_entered_at: Optional<Date>
  pool_reason: Optional<string>
  pool_times: Generated<number>
  expire_at: Optional<Date>
  follow_status: Generated<'none' | 'followed'>
  last_follow_at: Optional<Date>
  last_follow_by: Optional<string>
  last_follow_content: Optional<string>
  next_follow_at: Optional<Date>
}

export interface PoolTable extends CommonColumns {
  entity: 'customer' | 'lead' | 'bussiness'
  name: string
  is_default: Generated<boolean>
  enabled: Generated<boolean>
  member_all: Generated<boolean>
  member_user_ids: Generated<string[]>
  member_dept_ids: Generated<string[]>
  admin_user_ids: Generated<string[]>
  settings: Generated<Json>
}

export interface CustomerTable extends CommonColumns, OwnedColumns, SearchColumns {
  name: string
  customer_no: string
  short_name: Optional<string>
  customer_type: Optional<string>
  level: Generated<string>
  source: Optional<string>
  activity_id: Optional<string>
  industry: Optional<string>
  industry_path: Generated<string[]>
  scale: Optional<string>
  stage: Optional<string>
  mobile: Optional<string>
  telephone: Optional<string>
  email: Optional<string>
  wechat: Optional<string>
  website: Optional<string>
  credit_code: Optional<string>
  region: Generated<string[]>
  address: Optional<string>
  lng: Optional<number>
  lat: Optional<number>
  coordinate_system: Generated<string>
  parent_id: Optional<string>
  tags: Generated<string[]>
  remark: Optional<string>
  attachments: Generated<Json>
  primary_contact_id: Optional<string>
  deal_status: Generated<number>
  deal_at: Optional<Date>
  deal_count: Generated<number>
  deal_amount: Generated<number>
  received_amount: Generated<number>
  lock_status: Generated<boolean>
  lock_until: Optional<Date>
  website_host: Optional<string>
  dup_allowed: Generated<boolean>
}

export interface ContactTable extends CommonColumns, Omit<SearchColumns, 'name_norm'> {
  customer_id: string
  name: string
  mobile: Optional<string>
  mobile2: Optional<string>
  telephone: Optional<string>
  wechat: Optional<string>
  email: Optional<string>
  qq: Optional<string>
  gender: Optional<string>
  department: Optional<string>
  position: Optional<string>
  role: Optional<string>
  is_key: Generated<boolean>
  is_primary: Generated<boolean>
  attitude: Optional<string>
  report_to_id: Optional<string>
  birthday: Optional<string>
  birthday_lunar: Generated<boolean>
  hobby: Optional<string>
  region: Generated<string[]>
  address: Optional<string>
  status: Generated<'active' | 'left'>
  leave_reason: Optional<string>
  next_follow_at: Optional<Date>
  last_follow_at: Optional<Date>
  last_follow_by: Optional<string>
  last_follow_content: Optional<string>
  remark: Optional<string>
  attachments: Generated<Json>
}

/** Kinds of a change of owner (DOMAIN 1.0). */
export type OwnerChange =
  | 'create'
  | 'import'
  | 'claim'
  | 'assign'
  | 'transfer'
  | 'release'
  | 'recycle'
  | 'convert'
  | 'resign'

export interface OwnershipTables {
  owner_record: {
    tenant_id: string
    id: string
    entity: 'customer' | 'lead' | 'bussiness'
    record_id: string
    from_user: Optional<string>
    to_user: Optional<string>
    from_pool: Optional<string>
    to_pool: Optional<string>
    kind: OwnerChange
    reason: Optional<string>
    operator_id: Optional<string>
    at: Generated<Date>
  }
  collaborator: {
    tenant_id: string
    entity: 'customer' | 'lead' | 'bussiness' | 'contract'
    record_id: string
    user_id: string
    level: Generated<'read' | 'write'>
    expire_at: Optional<Date>
    created_by: Optional<string>
    created_at: Generated<Date>
  }
  star: { tenant_id: string; user_id: string; entity: string; record_id: string; created_at: Generated<Date> }
  recent_view: {
    tenant_id: string
    user_id: string
    entity: string
    record_id: string
    viewed_at: Generated<Date>
  }
  document_counter: { tenant_id: string; kind: string; day: string; last_number: number }
}

export interface LeadTable extends CommonColumns, OwnedColumns, SearchColumns {
  name: string
  company: Optional<string>
  contact_name: Optional<string>
  mobile: Optional<string>
  telephone: Optional<string>
  wechat: Optional<string>
  email: Optional<string>
  position: Optional<string>
  source: Optional<string>
  level: Optional<string>
  industry: Optional<string>
  scale: Optional<string>
  region: Generated<string[]>
  demand: Optional<string>
  budget: Optional<number>
  expected_date: Optional<string>
  status: Generated<number>
  invalid_reason: Optional<string>
  converted_at: Optional<Date>
  converted_by: Optional<string>
  customer_id: Optional<string>
  score: Generated<number>
  remark: Optional<string>
}

export interface BussinessTable extends CommonColumns, OwnedColumns, Omit<SearchColumns, 'mobile_norm'> {
  name: string
  bussiness_no: string
  customer_id: string
  contact_ids: Generated<string[]>
  amount: Money
  expected_date: string
  stage_id: string
  win_rate: Generated<number>
  source: Optional<string>
  type: Optional<string>
  status: Generated<number>
  lose_reason: Optional<string>
  closed_at: Optional<Date>
  stage_since: Generated<Date>
  remark: Optional<string>
}

export interface ContractTable extends CommonColumns {
  contract_no: string
  name: string
  customer_id: string
  bussiness_id: Optional<string>
  type: string
  amount: Money
  sign_date: string
  start_date: Optional<string>
  end_date: Optional<string>
  payment_terms: Optional<string>
  owner_id: string
  owner_dept_id: Optional<string>
  approval_status: Generated<number>
  approver_id: Optional<string>
  approver_ids: Generated<string[]>
  perform_status: Generated<number>
  received_amount: Generated<number>
  revision_of: Optional<string>
  revision_no: Generated<number>
  stat_amount: Money
  void_reason: Optional<string>
  remark: Optional<string>
}

export interface PaymentTables {
  payment_plan: CommonColumns & {
    contract_id: string
    period_no: number
    plan_amount: Money
    received_amount: Generated<number>
    plan_date: string
    method: Optional<string>
    status: Generated<'unpaid' | 'partial' | 'paid' | 'void'>
  }
  payment: CommonColumns & {
    payment_no: string
    contract_id: string
    plan_id: Optional<string>
    reverses_id: Optional<string>
    amount: Money
    paid_at: string
    method: string
    payer: Optional<string>
    owner_id: string
    owner_dept_id: Optional<string>
    approval_status: Generated<number>
    approver_id: Optional<string>
    approver_ids: Generated<string[]>
  }
  payment_share: { tenant_id: string; payment_id: string; plan_id: string; place: number; amount: Money }
  sales_target: {
    tenant_id: string
    object_type: 'user' | 'dept'
    object_id: string
    month: string
    contract_amount: Generated<number>
    payment_amount: Generated<number>
  }
}

declare module '../db/tables.ts' {
  interface Tables extends OwnershipTables, PaymentTables {
    pool: PoolTable
    customer: CustomerTable
    contact: ContactTable
    lead: LeadTable
    bussiness: BussinessTable
    contract: ContractTable
  }
}
