import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { ApprovalEntity } from '../../../contract/approval.ts'
import { labelText } from '../../../model/labels.ts'
import { namesInRules, readNames } from '../../../model/named-fields.ts'
import { approvedEntities, entityName, mayGoTooFar, moduleOf } from '../../kernel/approvals/entity.ts'
import { entityOf, flowOf, saveFlow } from '../../kernel/approvals/flow.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { text } from '../../kernel/text/text.ts'
import { conditionItems } from './flow-conditions.ts'
import { flowForm, rulesOfForm, stepsOfForm } from './flow-form.ts'
import { givenId } from './input.ts'
import type { AdminResult } from './kind.ts'

/** The approval flows: for contracts, for payments, and for each module whose description defines an approval. */
export async function listFlows(_: JsonObject, ctx: CallContext) {
  const list = []
  for (const entity of approvedEntities(ctx))
    list.push({ id: entity, entity_name: entityName(entity, ctx), ...(await flowOf(entity, ctx)) })
  return { list }
}

/** One flow; `id` is its entity. */
export async function flowDetail(body: JsonObject, ctx: CallContext) {
  const entity = entityOf(givenId(body), ctx)
  const flow = await flowOf(entity, ctx)
  const conditions = await conditionItems(entity, flow.steps, ctx)
  return {
    title: text('admin.flow.title', { of: entityName(entity, ctx) }),
    record: { id: entity, ...flow },
    form: flowForm(flow, conditions),
    roles: await rolesOf(ctx),
    conditions: {
      ...conditions,
      below_min: mayGoTooFar(entity, ctx),
      below_hint: belowHint(entity, ctx),
    },
  }
}

/** What the condition 低于底价时 asks about: prices of lines, or what the rule of the module reads. */
function belowHint(entity: ApprovalEntity, ctx: CallContext): string {
  const module = moduleOf(entity, ctx)
  const beyond = module?.approval?.beyond
  if (module === undefined || beyond === undefined) return text('approval.floor-hint')
  const read = new Set(readNames(beyond, module))
  const fields = module.fields.filter((field) => namesInRules(field, module).some((name) => read.has(name)))
  return text('approval.beyond-hint', {
    of: labelText(module.label),
    fields: fields.map(({ label }) => labelText(label)).join('、'),
  })
}

/** Writes a flow; running approvals keep the steps with which they were submitted. @param body `id` and the flow */
export async function saveFlowOf(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { id, steps, cc, ...flow } = body
  const entity = entityOf(id ?? flow.entity, ctx)
  const before = await flowOf(entity, ctx)
  const rules = {
    ...(steps === undefined ? {} : { steps: stepsOfForm(steps) }),
    ...(cc === undefined ? {} : { cc: rulesOfForm(cc) }),
  }
  const written = await saveFlow({ ...flow, ...rules, entity }, ctx)
  return {
    ...written,
    detail: { before: before as unknown as Json, after: written.data as Json },
  }
}

/** The roles a step can name. */
async function rolesOf({ trx, caller }: CallContext) {
  const { rows } = await sql<{ value: string; label: string }>`select code as value, name as label from role
    where tenant_id = ${caller.tenantId} and deleted_at is null order by sort, id`.execute(trx)
  return rows
}
