import type { JsonObject } from '../../../runtime/core/json.ts'
import { entityOf, flowOf, saveFlow } from '../approvals/flow.ts'
import type { Asking } from '../records/asking.ts'
import { givenId } from './input.ts'
import type { AdminWritten } from './kind.ts'

/** The approval flows: one for contracts, one for payments. */
export async function listFlows(_: JsonObject, asking: Asking) {
  const flows = [await flowOf('contract', asking), await flowOf('payment', asking)]
  return { list: flows.map((flow) => ({ id: flow.entity, ...flow })) }
}

/** One flow; `id` is its entity. */
export async function flowDetail(body: JsonObject, asking: Asking) {
  const entity = entityOf(givenId(body))
  return { record: { id: entity, ...(await flowOf(entity, asking)) } }
}

/** Writes a flow; what is on its way keeps the steps it was submitted with. @param body `id` and the flow */
export async function saveFlowOf(body: JsonObject, asking: Asking): Promise<AdminWritten> {
  const { id, ...flow } = body
  const entity = entityOf(id ?? flow.entity)
  return saveFlow({ ...flow, entity }, asking)
}
