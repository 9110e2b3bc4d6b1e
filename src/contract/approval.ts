import type { ProductLine } from './contract.ts'

/** What is approved: contracts, payments (DOMAIN 1.6, 1.7), and records of modules whose descriptions say so, as `m.quotation`. */
export type ApprovalEntity = 'contract' | 'payment' | `m.${string}`
export type ApprovalStatus = 'running' | 'approved' | 'rejected' | 'withdrawn'

/**
 * What people do to an approval. `pass` is the system's, where no step applies; `delegate` too, where the person a step
 * begins with is away and another decides for them.
 */
export type ApprovalAct =
  | 'submit'
  | 'approve'
  | 'reject'
  | 'transfer'
  | 'addSign'
  | 'addSignBefore'
  | 'withdraw'
  | 'pass'
  | 'delegate'
  | 'reassign'
  | 'urge'
  | 'ask'
  | 'reply'

/** Whom a step or a copy is addressed to; `value` is a role code or a user id. */
export interface ApproverRule {
  readonly kind: 'superior' | 'dept_leader' | 'role' | 'user'
  readonly value?: string
}

/** How a number of what is approved is compared: from a number on or up to it (both included), or below it. */
export type StepLimit = 'from' | 'to' | 'below'

/** A field of what is approved that holds a value, or a number that a limit includes. Own fields of the product's modules are `ext.<name>`. */
export type StepCondition =
  | { readonly field: string; readonly is: string }
  | { readonly field: string; readonly from: number }
  | { readonly field: string; readonly to: number }
  | { readonly field: string; readonly below: number }

/** A step of a tenant's flow. Without a condition it always applies, with several any of them is enough. */
export interface FlowStep extends ApproverRule {
  /** 会签: all of them; 或签: any one of them. */
  readonly mode: 'all' | 'any'
  /** Applies from this amount on, in yuan, included. */
  readonly min_amount?: number
  /** Applies to what goes too far: a line is sold below its price floor, or the rule of the module says so. */
  readonly below_min?: boolean
  /** Applies where any of these holds. */
  readonly when?: readonly StepCondition[]
}

/** GET /mini/approval/flow; POST /mini/approval/flow/save takes the same with `entity`. */
export interface ApprovalFlow {
  readonly entity: ApprovalEntity
  /** Off: what is submitted counts at once, except below the price floor. */
  readonly enabled: boolean
  /** The submitter may decide on their own submission. */
  readonly allow_self: boolean
  readonly steps: readonly FlowStep[]
  /** Who reads along. */
  readonly cc: readonly ApproverRule[]
}

/**
 * GET /mini/approval/delegate (`userId`: somebody else's, for administrators of flows): who decides for somebody who is
 * away; null where nobody does. POST /mini/approval/delegate/save takes the ids and times, and `withRunning` for what
 * waits for them already; /mini/approval/delegate/end ends it.
 */
export interface ApprovalDelegate {
  readonly userId: string
  readonly toUserId: string
  readonly toUserName: string
  /** Included. */
  readonly from: string
  /** Not included. */
  readonly until: string
}

/** A row of GET /mini/approval/delegate/list: what concerns the caller, and for administrators of flows all. */
export interface ApprovalDelegateRow extends ApprovalDelegate {
  readonly userName: string
  /** It holds now; otherwise it is still to come. */
  readonly begun: boolean
  readonly mayEnd: boolean
}

/** A row of POST /mini/approval/list (tabs todo, done, mine, cc; running and stuck for administrators of flows). */
export interface ApprovalCard {
  readonly id: string
  readonly entity: ApprovalEntity
  /** What it is, in words, and the pages that show and print it. */
  readonly entity_name: string
  readonly record_url: string
  readonly print_url: string
  readonly record_id: string
  readonly record_no: string | null
  readonly title: string
  readonly customer_name: string | null
  /** Yuan; null where the reader's role holds it back. */
  readonly amount: number | null
  /** The same in words, or that its reader may not see it. */
  readonly amount_text: string
  readonly submitter_id: string
  readonly submitter_name: string | null
  readonly status: ApprovalStatus
  readonly status_name: string
  readonly submitted_at: string
  readonly ended_at: string | null
  /** Who is asked now; null when nobody is, or it is over. */
  readonly waiting_names: string | null
  /** It is to take the place of a contract in effect, or of a version before it. */
  readonly is_change: boolean
  /** Of those: the fields that differ, in words. */
  readonly changes: readonly ApprovalChange[]
  /** What an approver asked the submitter who has not answered since; null where nobody waits for an answer. */
  readonly question: { readonly by: string | null; readonly text: string | null } | null
  readonly actions: readonly ApprovalAction[]
}
export type ApprovalAction =
  | 'approve'
  | 'reject'
  | 'transfer'
  | 'addSign'
  | 'ask'
  | 'reply'
  | 'withdraw'
  | 'urge'
  | 'reassign'

/** A field of what is approved, in words. */
export interface ApprovalFact {
  readonly label: string
  readonly text: string
}

/** A field that is not as in what it takes the place of, in words. */
export interface ApprovalChange {
  readonly label: string
  readonly was: string
  readonly is: string
  /** All of it in one line. */
  readonly text: string
}

/** GET /mini/approval/detail. */
export interface ApprovalDetail {
  readonly record: ApprovalCard
  /** What is decided about, field by field: those that hold something and that the caller may see. */
  readonly facts: readonly ApprovalFact[]
  /** Of a revision: the fields that are not as in the contract in effect. */
  readonly changes: readonly ApprovalChange[]
  /** What a contract sells. */
  readonly lines: readonly ProductLine[]
  readonly files: readonly { readonly name: string; readonly url: string }[]
  readonly steps: readonly {
    readonly name: string
    readonly mode: 'all' | 'any'
    readonly state: 'done' | 'current' | 'ahead' | 'stopped'
    readonly added: boolean
    readonly people: readonly { readonly id: string; readonly name: string; readonly approved: boolean }[]
  }[]
  /** Who is still to decide, in this step and in those to come: whom another can be asked for. */
  readonly asked: readonly { readonly id: string; readonly name: string }[]
  /** The right that deciding takes. */
  readonly may: `${ApprovalEntity}:approve`
  readonly acts: readonly {
    readonly id: string
    readonly action: ApprovalAct
    readonly title: string
    readonly user_id: string
    readonly user_name: string | null
    readonly to_user_name: string | null
    readonly opinion: string | null
    readonly at: string
  }[]
  readonly actions: readonly ApprovalAction[]
}
