import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { AdminStage } from '../../../contract/admin.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { json } from '../../kernel/db/json.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { announceDictionaries } from '../../kernel/pages/announce-dictionaries.ts'
import { labelOfField } from '../../kernel/records/described.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { flowOf, OWN_FLOW_ID, type StoredStage } from '../../modules/bussiness/flows.ts'
import { STAGE_FIELDS } from '../../modules/bussiness/stage-fields.ts'
import { isUsed } from './dict-usage.ts'
import { givenId, invalid, readInteger, shortText } from './input.ts'
import type { AdminResult } from './kind.ts'

const DICT = 'bussiness_stage'
const MAX_STAGES = 20
const COLOR = /^(?:#[0-9a-fA-F]{3,8}|[a-z]{0,20})$/

/** The stages of the tenant's sales flow in order, including retired ones, followed by the final stages; `first` and `last` among those that can be moved. */
export async function listStages(_: JsonObject, ctx: CallContext) {
  const stages = await readStages(ctx)
  const open = stages.filter((stage) => !stage.is_end)
  const list = stages.map((stage) => ({ ...stage, first: stage === open[0], last: stage === open.at(-1) }))
  return { list, allow_back: (await flowOf(OWN_FLOW_ID, ctx)).allowBack }
}

/** One stage, and the fields it may require; without `id` the initial values of a new one. */
export async function stageDetail(body: JsonObject, ctx: CallContext) {
  const id = givenId(body)
  const fields = STAGE_FIELDS.map((value) => ({ value, label: labelOfField('bussiness', value, ctx) }))
  if (id === '') return { record: null, form: { name: '', color: '', win_rate: 0, required: [] }, fields }
  const record = await readStage(id, ctx)
  const { name, color, win_rate, required, retired } = record
  return { record, form: { name, color, win_rate, required: [...required], retired }, fields }
}

/**
 * Changes a stage, or adds one at the end. Opportunities with the stage's default win rate get the new one.
 *
 * @param body  `id` ('' for a new one), `name`, `color`, `win_rate`, `required` (fields required before leaving it; for a final stage, before
 * reaching it), `retired: false` reactivates a retired one
 */
export async function saveStage(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  await lockStages(ctx)
  const id = givenId(body)
  const stages = await readStages(ctx)
  const before = id === '' ? null : await readStage(id, ctx)
  if (before === null && stages.length >= MAX_STAGES)
    refuse(409, 'STATE_CONFLICT', text('admin.stage.most', { most: MAX_STAGES }))
  const stage: AdminStage = {
    id: before?.id ?? `s${newId(ctx.now.getTime()).slice(-12)}`,
    name: shortText(body.name ?? before?.name, 'name', 20, 1),
    color: colorOf(body.color ?? before?.color),
    win_rate: before?.is_end ? before.win_rate : rateOf(body.win_rate ?? before?.win_rate),
    required: requiredOf(body.required ?? [...(before?.required ?? [])]),
    retired: body.retired === undefined ? (before?.retired ?? false) : body.retired === true,
    is_end: before?.is_end ?? false,
    records: before?.records ?? 0,
  }
  if (stages.some((it) => it.id !== stage.id && it.name === stage.name))
    refuseFaults({ name: text('admin.stage.same') })
  if (stage.is_end && stage.retired) refuse(409, 'STATE_CONFLICT', text('admin.stage.end'))
  const after =
    before === null ? withNew(stages, stage) : stages.map((it) => (it.id === stage.id ? stage : it))
  await store(after, ctx)
  if (before !== null && before.win_rate !== stage.win_rate) await followRate(before, stage.win_rate, ctx)
  return written(stage.id, before, ctx)
}

/** Removes a stage: one that an opportunity is or was in is retired, so that its name stays readable. @param body `id` */
export async function removeStage(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller } = ctx
  await lockStages(ctx)
  const found = await readStage(givenId(body), ctx)
  if (found.is_end) refuse(409, 'STATE_CONFLICT', text('admin.stage.end'))
  const stages = await readStages(ctx)
  const isRetired = await isInUse(found.id, ctx)
  const after = isRetired
    ? stages.map((stage) => (stage.id === found.id ? { ...stage, retired: true } : stage))
    : stages.filter((stage) => stage.id !== found.id)
  await store(after, ctx)
  if (!isRetired)
    await sql`delete from dict_item where tenant_id = ${caller.tenantId} and type_key = ${DICT}
      and value = ${found.id}`.execute(trx)
  return {
    data: {
      id: found.id,
      retired: isRetired,
      message: text(isRetired ? 'admin.stage.retired' : 'admin.stage.removed'),
    },
    recordId: found.id,
    detail: { before: found as unknown as Json, retired: isRetired },
  }
}

/** Swaps a stage with its neighbour; final stages stay at the end. @param body `id`, `by` -1 or 1 */
export async function moveStage(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  await lockStages(ctx)
  const { by } = body
  if (by !== 1 && by !== -1) return invalid('by')
  const moved = await readStage(givenId(body), ctx)
  if (moved.is_end) refuse(409, 'STATE_CONFLICT', text('admin.stage.end'))
  const stages = await readStages(ctx)
  const open = stages.filter((stage) => !stage.is_end)
  const at = open.findIndex((it) => it.id === moved.id)
  const order = open.filter((it) => it.id !== moved.id)
  order.splice(Math.max(0, at + by), 0, moved)
  await store([...order, ...stages.filter((stage) => stage.is_end)], ctx)
  return written(moved.id, moved, ctx)
}

/** Whether opportunities may move back to earlier stages. @param body `allow_back` */
export async function saveStageRules(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller, now } = ctx
  if (typeof body.allow_back !== 'boolean') return invalid('allow_back')
  await lockStages(ctx)
  await store(await readStages(ctx), ctx)
  await sql`update bussiness_flow set allow_back = ${body.allow_back}, updated_by = ${caller.userId}, updated_at = ${now}
    where tenant_id = ${caller.tenantId} and id = ${OWN_FLOW_ID}`.execute(trx)
  return {
    data: { allow_back: body.allow_back },
    recordId: OWN_FLOW_ID,
    detail: { allow_back: body.allow_back },
  }
}

async function written(id: string, before: AdminStage | null, ctx: CallContext): Promise<AdminResult> {
  const after = (await readStage(id, ctx)) as unknown as Json
  return {
    data: { id, record: after },
    recordId: id,
    detail: { before: before as unknown as Json, after },
  }
}

function withNew(stages: readonly AdminStage[], stage: AdminStage): readonly AdminStage[] {
  return [...stages.filter((it) => !it.is_end), stage, ...stages.filter((it) => it.is_end)]
}

async function readStages(ctx: CallContext): Promise<readonly AdminStage[]> {
  const { trx, caller } = ctx
  const flow = await flowOf(OWN_FLOW_ID, ctx)
  const { rows } = await sql<{ stage_id: string; n: number }>`select stage_id, count(*) as n from bussiness
    where tenant_id = ${caller.tenantId} and deleted_at is null group by stage_id`.execute(trx)
  const counts = new Map(rows.map((row) => [row.stage_id, row.n]))
  const shown = (stage: (typeof flow.stages)[number], is_end: boolean): AdminStage => ({
    id: stage.id,
    name: stage.name,
    color: stage.color,
    win_rate: stage.winRate,
    required: stage.required,
    retired: stage.retired,
    is_end,
    records: counts.get(stage.id) ?? 0,
  })
  return [...flow.stages.map((stage) => shown(stage, false)), ...flow.ends.map((it) => shown(it, true))]
}

async function readStage(id: string, ctx: CallContext): Promise<AdminStage> {
  const found = (await readStages(ctx)).find((it) => it.id === id)
  return found ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}

/** Writes the flow and its dictionary; at least one stage must not be retired. */
async function store(stages: readonly AdminStage[], { trx, caller, now }: CallContext): Promise<void> {
  const open = stages.filter((stage) => !stage.is_end)
  if (open.every((it) => it.retired)) refuse(409, 'STATE_CONFLICT', text('admin.stage.last'))
  const toStored = ({ id, win_rate, required, retired }: AdminStage): StoredStage => ({
    id,
    winRate: win_rate,
    required: [...required],
    ...(retired ? { retired } : {}),
  })
  const ends = Object.fromEntries(
    stages.filter((stage) => stage.is_end).map((stage) => [stage.id, [...stage.required]]),
  )
  await sql`insert into bussiness_flow (tenant_id, id, name, is_default, stages, ext, created_by, created_at, updated_by, updated_at)
    values (${caller.tenantId}, ${OWN_FLOW_ID}, ${text('bussiness.flow.default')}, true, ${json(open.map(toStored) as unknown as Json)},
      ${json({ ends })}, ${caller.userId}, ${now}, ${caller.userId}, ${now})
    on conflict (tenant_id, id) do update set stages = excluded.stages, ext = bussiness_flow.ext || excluded.ext,
      updated_by = excluded.updated_by, updated_at = excluded.updated_at, version = bussiness_flow.version + 1`.execute(
    trx,
  )
  for (const [sort, { id, name, color, retired }] of stages.entries())
    await sql`insert into dict_item (tenant_id, type_key, value, label, color, sort, disabled)
      values (${caller.tenantId}, ${DICT}, ${id}, ${name}, ${color}, ${sort}, ${retired})
      on conflict (tenant_id, type_key, value) do update set label = excluded.label, color = excluded.color,
        sort = excluded.sort, disabled = excluded.disabled`.execute(trx)
  await announceDictionaries(trx, caller.tenantId)
}

/** Open opportunities without a manually set win rate. */
async function followRate(
  { id, win_rate }: AdminStage,
  rate: number,
  { trx, caller }: CallContext,
): Promise<void> {
  await sql`update bussiness set win_rate = ${rate} where tenant_id = ${caller.tenantId} and stage_id = ${id}
    and status = 1 and win_rate = ${win_rate}`.execute(trx)
}

/** True if an opportunity, even a deleted one, is in the stage, was closed from it or once passed it. */
async function isInUse(id: string, ctx: CallContext): Promise<boolean> {
  if (await isUsed(DICT, id, ctx)) return true
  const { rows } = await sql`select 1 from bussiness where tenant_id = ${ctx.caller.tenantId}
    and (last_stage_id = ${id} or stage_history @> ${json([{ to: id }])}::jsonb) limit 1`.execute(ctx.trx)
  return rows.length > 0
}

async function lockStages({ trx, caller }: CallContext): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`stage/${caller.tenantId}`}, 0))`.execute(trx)
}

function colorOf(value: Json | undefined): string {
  const color = shortText(value, 'color', 20)
  return COLOR.test(color) ? color : invalid('color')
}

function rateOf(value: Json | undefined): number {
  const rate = readInteger(value, 'win_rate', 100)
  return rate >= 0 ? rate : invalid('win_rate')
}

function requiredOf(value: Json): readonly string[] {
  if (!Array.isArray(value)) return invalid('required')
  const fields = STAGE_FIELDS.filter((field) => value.includes(field))
  return fields.length === new Set(value).size ? fields : invalid('required')
}
