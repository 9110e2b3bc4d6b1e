import { sql } from 'kysely'
import { isObject, type Json, ownValue } from '../../../../runtime/core/json.ts'
import type { BussinessFlow, BussinessStage } from '../../../contract/bussiness.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** A stage as stored in `bussiness_flow.stages`; names and colours come from the tenant's dictionary. */
export interface StoredStage {
  readonly id: string
  readonly winRate: number
  readonly required: readonly string[]
  readonly retired?: boolean
}

interface Stored {
  readonly id: string
  readonly name: string
  readonly is_default: boolean
  readonly allow_back: boolean
  readonly stages: Json
  readonly ext: Json
}

/** The flow that administrators edit; until then it is the product's default. */
export const OWN_FLOW_ID = 'default'

const OWN_FLOW: Stored = {
  id: OWN_FLOW_ID,
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
  ext: {},
}

/** The closing stages, which every flow has. */
const ENDS = [
  ['won', 100],
  ['lost', 0],
  ['invalid', 0],
] as const

/** The sales flows of a tenant with their stages in order, including retired ones; names and colours come from the tenant's dictionary. */
export async function flowsOf({ trx, caller }: CallContext): Promise<readonly BussinessFlow[]> {
  const { rows } = await sql<Stored>`select id, name, is_default, allow_back, stages, ext from bussiness_flow
    where tenant_id = ${caller.tenantId} and enabled and deleted_at is null
    order by is_default desc, created_at, id`.execute(trx)
  const { rows: words } = await sql<{ value: string; label: string; color: string }>`
    select value, label, color from dict_item where tenant_id = ${caller.tenantId}
      and type_key = 'bussiness_stage'`.execute(trx)
  const word = new Map(words.map((it) => [it.value, it]))
  const named = ({ id, winRate, required, retired = false }: StoredStage): BussinessStage => ({
    ...{ id, winRate, required, retired },
    name: word.get(id)?.label ?? id,
    color: word.get(id)?.color ?? '',
  })
  const flows = rows.length > 0 ? rows : [{ ...OWN_FLOW, name: text('bussiness.flow.default') }]
  return flows.map((flow) => ({
    id: flow.id,
    name: flow.name,
    isDefault: flow.is_default,
    allowBack: flow.allow_back,
    stages: readStages(flow.stages).map(named),
    ends: ENDS.map(([id, winRate]) => named({ id, winRate, required: requiredAt(flow.ext, id) })),
  }))
}

/** The stages to choose from: without retired ones, except the current stage. */
export function offered(flow: BussinessFlow, current?: unknown): BussinessFlow {
  return { ...flow, stages: flow.stages.filter((stage) => !stage.retired || stage.id === current) }
}

/** The flow of an opportunity, or the default flow if that one is gone. */
export async function flowOf(id: unknown, ctx: CallContext): Promise<BussinessFlow> {
  const flows = await flowsOf(ctx)
  const found = flows.find((flow) => flow.id === id) ?? flows[0]
  if (found === undefined) throw new Error('a tenant without any flow')
  return found
}

/** The flow of a new opportunity: the chosen one, the default flow where none was chosen. 400 for one that the tenant does not have. */
export async function chosenFlow(id: unknown, ctx: CallContext): Promise<BussinessFlow> {
  const flow = await flowOf(id, ctx)
  const isOpen = id === undefined || id === null || id === ''
  if (!isOpen && flow.id !== id)
    refuse(400, 'VALIDATION', text('bussiness.flow-unknown'), {
      fields: { flow_id: text('bussiness.flow-unknown') },
    })
  return flow
}

function requiredAt(ext: Json, end: string): readonly string[] {
  const required = ownValue(ownValue(ext, 'ends'), end)
  return Array.isArray(required) ? required.map(String) : []
}

function readStages(stored: Json): readonly StoredStage[] {
  const stages = Array.isArray(stored) ? stored.filter(isObject) : []
  return stages
    .filter((stage) => typeof stage.id === 'string')
    .map((stage) => ({
      id: String(stage.id),
      winRate: typeof stage.winRate === 'number' ? stage.winRate : 0,
      required: Array.isArray(stage.required) ? stage.required.map(String) : [],
      retired: stage.retired === true,
    }))
}
