import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { ApprovalEntity, ApprovalFlow, ApproverRule, FlowStep } from '../../../contract/approval.ts'
import { MAX_MONEY } from '../../../model/kinds/number.ts'
import type { CallContext } from '../context/call-context.ts'
import { hasDigits } from '../fields/money.ts'
import type { WriteResult } from '../records/write-once.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { type ConditionField, conditionFields, readConditions } from './conditions.ts'
import {
  approvedEntities,
  type CodedEntity,
  describedIn,
  entityName,
  mayGoTooFar,
  moduleOf,
} from './entity.ts'

/** Amount in yuan from which the director decides too (DOMAIN 1.6). */
export const LARGE = 100_000
const MAX_STEPS = 10

/** The default flow until the tenant defines its own (DOMAIN 1.6, 1.7). */
const DEFAULTS: Readonly<Record<CodedEntity, Omit<ApprovalFlow, 'entity'>>> = {
  contract: {
    enabled: true,
    allow_self: false,
    steps: [
      { kind: 'superior', mode: 'any' },
      { kind: 'role', value: 'sales_director', mode: 'any', min_amount: LARGE, below_min: true },
    ],
    cc: [],
  },
  payment: {
    enabled: true,
    allow_self: false,
    steps: [{ kind: 'role', value: 'finance', mode: 'any' }],
    cc: [],
  },
}

/**
 * The flow of the tenant, or the default. A step that waits for what goes too far, where nothing can, has no such
 * condition: it would never be asked, and what it is about would pass unseen.
 */
export async function flowOf(
  entity: ApprovalEntity,
  ctx: Pick<CallContext, 'trx' | 'caller' | 'model'>,
): Promise<ApprovalFlow> {
  const { trx, caller } = ctx
  const { rows } = await sql<
    Omit<ApprovalFlow, 'entity'>
  >`select enabled, allow_self, steps, cc from approval_flow
    where tenant_id = ${caller.tenantId} and entity = ${entity}`.execute(trx)
  const flow = rows[0] ?? defaultFlow(entity, ctx)
  if (mayGoTooFar(entity, ctx)) return { entity, ...flow }
  return { entity, ...flow, steps: flow.steps.map(({ below_min: _, ...step }) => step) }
}

/** Entities whose flow the tenant has set itself. */
export async function flowsSet(ctx: CallContext): Promise<readonly ApprovalEntity[]> {
  const { rows } = await sql<{ entity: string }>`select entity from approval_flow
    where tenant_id = ${ctx.caller.tenantId}`.execute(ctx.trx)
  return approvedEntities(ctx).filter((entity) => rows.some((row) => row.entity === entity))
}

/** The approval of a module's records, if one of its steps is for those that hold that value in a field; undefined for none. */
export async function approvalAsking(
  module: string,
  field: string,
  value: string,
  ctx: Pick<CallContext, 'trx' | 'caller' | 'model'>,
): Promise<ApprovalEntity | undefined> {
  const entity = approvedEntities(ctx).find((one) => (describedIn(one) ?? one) === module)
  if (entity === undefined) return undefined
  const named = [field, `ext.${field}`]
  const { steps } = await flowOf(entity, ctx)
  const isAsked = steps.some(({ when = [] }) =>
    when.some((one) => 'is' in one && named.includes(one.field) && one.is === value),
  )
  return isAsked ? entity : undefined
}

/** Contracts and payments have the product's names, others those of their modules. */
function defaultFlow(entity: ApprovalEntity, ctx: Pick<CallContext, 'model'>): Omit<ApprovalFlow, 'entity'> {
  if (entity === 'contract' || entity === 'payment') return DEFAULTS[entity]
  return {
    enabled: true,
    allow_self: false,
    steps: moduleOf(entity, ctx)?.approval?.steps ?? [{ kind: 'superior', mode: 'any' }],
    cc: [],
  }
}

/** Stores the tenant's flow; running approvals keep the steps with which they were submitted. */
export async function saveFlow(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const flow = readFlow(body, ctx)
  await sql`insert into approval_flow (tenant_id, entity, enabled, allow_self, steps, cc, created_by, updated_by, updated_at)
    values (${caller.tenantId}, ${flow.entity}, ${flow.enabled}, ${flow.allow_self}, ${JSON.stringify(flow.steps)}::jsonb,
      ${JSON.stringify(flow.cc)}::jsonb, ${caller.userId}, ${caller.userId}, ${now})
    on conflict (tenant_id, entity) do update set enabled = excluded.enabled, allow_self = excluded.allow_self,
      steps = excluded.steps, cc = excluded.cc, updated_by = excluded.updated_by, updated_at = excluded.updated_at,
      version = approval_flow.version + 1`.execute(trx)
  const data = flow as unknown as JsonObject
  return { data, recordId: flow.entity, detail: data }
}

/** Reads which entity a call is about. */
export function entityOf(value: Json | undefined, ctx: Pick<CallContext, 'model'>): ApprovalEntity {
  return approvedEntities(ctx).find((entity) => entity === value) ?? invalid('entity')
}

function readFlow(body: JsonObject, ctx: CallContext): ApprovalFlow {
  const { steps = [], cc = [] } = body
  if (!Array.isArray(steps) || steps.length > MAX_STEPS) invalid('steps')
  if (!Array.isArray(cc) || cc.length > MAX_STEPS) invalid('cc')
  const entity = entityOf(body.entity, ctx)
  const fields = conditionFields(entity, ctx)
  return {
    entity,
    enabled: body.enabled !== false,
    allow_self: body.allow_self === true,
    steps: steps.map((given, index) => {
      const step = readStep(given, fields)
      if (step.below_min === true && !mayGoTooFar(entity, ctx)) refuseFloor(entity, index + 1, ctx)
      return step
    }),
    cc: cc.map((it) => readRule(it, 'cc')),
  }
}

function readStep(value: Json, fields: readonly ConditionField[]): FlowStep {
  const rule = readRule(value, 'steps')
  const { mode = 'any', min_amount = null, below_min = false, when = [] } = value as JsonObject
  if (mode !== 'all' && mode !== 'any') invalid('steps.mode')
  if (typeof below_min !== 'boolean') invalid('steps.below_min')
  if (min_amount !== null && !isMoney(min_amount)) invalid('steps.min_amount')
  const conditions = readConditions(when, fields) ?? invalid('steps.when')
  return {
    ...rule,
    mode,
    ...(typeof min_amount === 'number' ? { min_amount } : {}),
    ...(below_min ? { below_min } : {}),
    ...(conditions.length > 0 ? { when: conditions } : {}),
  }
}

function refuseFloor(entity: ApprovalEntity, step: number, ctx: CallContext): never {
  refuse(400, 'VALIDATION', text('approval.flow-floor', { of: entityName(entity, ctx), step }), {
    detail: 'steps.below_min',
  })
}

function isMoney(value: Json): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_MONEY && hasDigits(value, 2)
}

function readRule(value: Json, at: string): ApproverRule {
  if (!isObject(value)) invalid(at)
  const { kind, value: of = null } = value
  const isNamed = kind === 'role' || kind === 'user'
  if (!isNamed && kind !== 'superior' && kind !== 'dept_leader') invalid(`${at}.kind`)
  if (!isNamed) return { kind }
  if (typeof of !== 'string' || !/^[\w-]{1,64}$/.test(of)) invalid(`${at}.value`)
  return { kind, value: of }
}

function invalid(detail: string): never {
  refuse(400, 'VALIDATION', text('approval.flow-invalid'), { detail })
}
