import type { Generated } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { ApprovalAct, ApprovalEntity, ApprovalStatus } from '../../../contract/approval.ts'

export interface ApprovalTables {
  approval_flow: {
    tenant_id: string
    entity: ApprovalEntity
    enabled: Generated<boolean>
    allow_self: Generated<boolean>
    steps: Generated<Json>
    cc: Generated<Json>
    version: Generated<number>
  }
  approval: {
    tenant_id: string
    id: string
    entity: ApprovalEntity
    record_id: string
    title: string
    amount: number
    submitter_id: string
    status: Generated<ApprovalStatus>
    steps: Generated<Json>
    step_no: Generated<number>
    barred_ids: Generated<string[]>
    waiting_ids: Generated<string[]>
    approver_ids: Generated<string[]>
    cc_ids: Generated<string[]>
    submitted_at: Generated<Date>
    ended_at: Generated<Date | null>
    version: Generated<number>
  }
  approval_delegate: {
    tenant_id: string
    user_id: string
    to_user_id: string
    from_at: Date
    until_at: Date
    updated_by: Generated<string | null>
    updated_at: Generated<Date>
  }
  approval_act: {
    tenant_id: string
    id: string
    approval_id: string
    step_no: number
    user_id: string
    action: ApprovalAct
    to_user_id: Generated<string | null>
    opinion: Generated<string | null>
    at: Generated<Date>
    seq: Generated<number>
  }
}

declare module '../db/tables.ts' {
  interface Tables extends ApprovalTables {}
}
