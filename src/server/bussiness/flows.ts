import { sql } from 'kysely'
import { isObject, type Json } from '../../../runtime/core/json.ts'
import type { BussinessFlow, BussinessStage } from '../../contract/bussiness.ts'
import type { Asking } from '../records/asking.ts'
import { text } from '../text.ts'

interface Stored {
  readonly id: string
  readonly name: string
  readonly is_default: boolean
  readonly allow_back: boolean
  readonly stages: Json
}

/** The product's own flow, for a tenant that has made none (CRM 4, bussiness_stage). */
const OWN_FLOW: Stored = {
  id: 'default',
  name: '',
  is_default: true,
  allow_back: true,
  stages: [
    { id: 'first_contact', winRate: 10, required: [] },
    { id: 'requirement', winRate: 30, required: [] },
    { id: 'proposal', winRate: 50, required: ['contact_ids'] },
    { id: 'negotiation', winRate: 70, required: ['amount'] },
    { id: 'signing', winRate: 90, required: [] },
  ],
}

/** The sales flows of a tenant with their open stages in order; names and colours are the tenant's dictionary. */
export async function flowsOf({ trx, caller }: Asking): Promise<readonly BussinessFlow[]> {
  const { rows } = await sql<Stored>`select id, name, is_default, allow_back, stages from bussiness_flow
    where tenant_id = ${caller.tenantId} and enabled and deleted_at is null
    order by is_default desc, created_at, id`.execute(trx)
  const { rows: words } = await sql<{ value: string; label: string; color: string }>`
    select value, label, color from dict_item where tenant_id = ${caller.tenantId}
      and type_key = 'bussiness_stage'`.execute(trx)
  const word = new Map(words.map((it) => [it.value, it]))
  const stages = rows.length > 0 ? rows : [{ ...OWN_FLOW, name: text('bussiness.flow.default') }]
  return stages.map((flow) => ({
    id: flow.id,
    name: flow.name,
    isDefault: flow.is_default,
    allowBack: flow.allow_back,
    stages: readStages(flow.stages).map((stage) => ({
      ...stage,
      name: word.get(stage.id)?.label ?? stage.id,
      color: word.get(stage.id)?.color ?? '',
    })),
  }))
}

/** The flow of an opportunity; the default one when its own is gone. */
export async function flowOf(id: unknown, asking: Asking): Promise<BussinessFlow> {
  const flows = await flowsOf(asking)
  const found = flows.find((flow) => flow.id === id) ?? flows[0]
  if (found === undefined) throw new Error('a tenant without any flow')
  return found
}

function readStages(stored: Json): readonly Omit<BussinessStage, 'name' | 'color'>[] {
  const stages = Array.isArray(stored) ? stored.filter(isObject) : []
  return stages
    .filter((stage) => typeof stage.id === 'string')
    .map((stage) => ({
      id: String(stage.id),
      winRate: typeof stage.winRate === 'number' ? stage.winRate : 0,
      required: Array.isArray(stage.required) ? stage.required.map(String) : [],
    }))
}
