import { sql } from 'kysely'
import { createBudget, spending } from '../../../../runtime/core/budget.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Behaviour } from '../../../model/description.ts'
import { rightsEntity } from '../../../model/field-rights.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { latestApproval } from '../../kernel/approvals/find-approval.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import { fieldRight } from '../../kernel/auth/field-rights.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import { offered, poolActions } from '../../kernel/calls/pool-actions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { inverseCounts } from '../../kernel/fields/inverse-counts.ts'
import { formulaValues, unseenFormulas } from '../../kernel/fields/own-formulas.ts'
import { rollupValues, type ShownAs } from '../../kernel/fields/own-rollups.ts'
import { namesOf, rowsInWords } from '../../kernel/fields/words.ts'
import { wireValues } from '../../kernel/model/stored.ts'
import { remainingDays } from '../../kernel/pools/expiry.ts'
import { becameSomething, conversionsOf } from '../../kernel/records/conversions.ts'
import { notYours } from '../../kernel/records/find-record.ts'
import { isStarred } from '../../kernel/records/marks.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { type Mask, maskValues } from '../../kernel/visibility/masking.ts'
import { isInOwnPool, isOwnVisible, isPooled, masksOfOwn } from '../../kernel/visibility/own-module.ts'
import { isLive } from '../../kernel/visibility/predicate.ts'
import { inCapitals } from '../../kernel/words/capitals.ts'
import { APPROVAL, isOpen, isSettled } from './approval-state.ts'
import { permissionColumns, ROW } from './list-spec.ts'

/** A record of an own module as stored in the database. */
export interface StoredRecord {
  readonly id: string
  readonly title: string
  readonly record_no: string | null
  readonly owner_id: string | null
  readonly owner_name: string | null
  readonly owner_dept_id: string | null
  /** Queried only with a single record. */
  readonly owner_dept_name?: string | null
  readonly created_by: string | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly version: number
  readonly approval_status: number
  readonly submitted_by: string | null
  readonly revision_no: number
  readonly ext: JsonObject
  /** Owned by the caller or by somebody in the caller's scope. */
  readonly in_scope: boolean
  /** As `in_scope`, or shared with the caller for writing. */
  readonly can_write: boolean
  /** The pool it is in, if queried. */
  readonly pool_id?: string | null
  /** When it goes back to its pool by itself, if queried. */
  readonly expire_at?: Date | null
  /** Only in lists of modules with stars. */
  readonly starred?: boolean
}

/** A record the caller sees; 404 otherwise. @param lock  lock it until the transaction ends */
export async function findOwnRecord(
  module: MergedModule,
  id: string,
  ctx: CallContext,
  lock = false,
): Promise<StoredRecord> {
  const { rows } =
    await sql<StoredRecord>`select r.id, r.title, r.record_no, r.owner_id, r.owner_dept_id, r.created_by,
      r.created_at, r.updated_at, r.version, r.approval_status, r.submitted_by, r.revision_no, r.ext,
      r.pool_id, r.expire_at, ${permissionColumns(module, ctx.caller)}, (select name from membership o where o.tenant_id = r.tenant_id and o.user_id = r.owner_id) as owner_name,
      (select d.name from department d where d.tenant_id = r.tenant_id and d.id = r.owner_dept_id) as owner_dept_name
    from record r where ${sql.ref(`${ROW}.id`)} = ${id} and ${isShown(module, ctx)}
    ${lock ? sql`for update of r` : sql``}`.execute(ctx.trx)
  return rows[0] ?? refuse(404, 'NOT_FOUND', text('own.not-found'))
}

/** The record, locked for a change the caller may make. 405 if the caller may only read it. */
export async function findOwnToChange(
  module: MergedModule,
  id: string,
  ctx: CallContext,
): Promise<StoredRecord> {
  const found = await findOwnRecord(module, id, ctx, true)
  const entity = ownRights(module.name)
  if (!found.can_write) await notYours(entity, found, `${entity}:edit`, ctx)
  return found
}

/** The record, locked for an action of only its owner or a superior. */
export async function findOwnInScope(
  module: MergedModule,
  id: string,
  ctx: CallContext,
  action: string,
): Promise<StoredRecord> {
  const found = await findOwnRecord(module, id, ctx, true)
  const entity = ownRights(module.name)
  if (!found.in_scope) await notYours(entity, found, `${entity}:${action}`, ctx)
  return found
}

/** A record is shown to whoever sees it, and also to its approvers and to users of the pool it is in. */
export function isShown(module: MergedModule, { caller }: CallContext) {
  const live = isLive(caller, ROW)
  const conditions = [
    isOwnVisible(caller, module, ROW),
    ...(module.approval === undefined
      ? []
      : [sql`(${live} and r.module = ${module.name} and ${caller.userId} = any(r.approver_ids))`]),
    ...(module.behaviours.includes('pool') ? [sql`(${live} and ${isInOwnPool(caller, module, ROW)})`] : []),
  ]
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`
}

/** A record as the API returns it: common columns and the module's fields in one object, names of referenced records as `<field>_name`. */
export async function wireRecords(
  module: MergedModule,
  rows: readonly StoredRecord[],
  ctx: CallContext,
  looked: ShownAs = 'record',
): Promise<readonly JsonObject[]> {
  const rolled = await rollupValues(
    module,
    rows.map(({ id }) => id),
    ctx,
    looked,
  )
  // Formulas are written by tenants: all records of an answer share one time budget; formulas beyond it stay empty.
  const withFormulas = (values: JsonObject): JsonObject => ({
    ...values,
    ...formulaValues(module, values, ctx.caller),
  })
  const maskOf = masksOfOwn(ctx.caller, module)
  const plain = spending(createBudget(), () =>
    rows.map(
      ({
        ext,
        approval_status,
        submitted_by: _,
        revision_no,
        in_scope: __,
        can_write: ___,
        pool_id: ____,
        expire_at,
        ...row
      }) => ({
        ...wireRow(expire_at == null ? row : { ...row, expire_at }, ctx.zone),
        ...(expire_at == null ? {} : { left_days: remainingDays(expire_at, ctx.now) }),
        ...(module.approval === undefined ? {} : { approval_status }),
        ...(module.behaviours.includes('versions') ? { revision_no } : {}),
        ...withFormulas({
          ...maskValues(wireValues(ext, module.fields), maskOf(row)),
          ...rolled.get(row.id),
          ...unseenFormulas(module, maskOf(row)),
        }),
      }),
    ),
  )
  return namesOf(await lapsing(module, plain, ctx), module, ctx)
}

/** The records; those with a visible validity date get `lapsed`: whether the date has passed and no other record was made from them. */
async function lapsing(
  module: MergedModule,
  records: readonly JsonObject[],
  ctx: CallContext,
): Promise<readonly JsonObject[]> {
  const { until } = module
  if (until === undefined) return records
  const today = dayText(wallTimeOf(ctx.now, ctx.zone))
  const dayOf = ({ [until]: day }: JsonObject) => (typeof day === 'string' && day !== '' ? day : null)
  const isOver = (record: JsonObject) => (dayOf(record) ?? today) < today
  const over = records.filter(isOver).map(({ id }) => String(id))
  const used = over.length === 0 ? new Set<string>() : await becameSomething(module, over, ctx)
  return records.map((record) =>
    dayOf(record) === null ? record : { ...record, lapsed: isOver(record) && !used.has(String(record.id)) },
  )
}

/** The actions of the caller on a record. */
export function ownActions(module: MergedModule, found: StoredRecord, caller: Caller): readonly string[] {
  const may = (action: string) => caller.permissions.has(`${ownRights(module.name)}:${action}`)
  const { approval, behaviours } = module
  const isFree = approval === undefined || isOpen(found)
  const isMine = found.owner_id === caller.userId || found.created_by === caller.userId
  const isWaiting = found.approval_status === APPROVAL.running
  const { in_scope, can_write } = found
  if (isPooled(module, found))
    return [
      ...poolActions(caller, ownRights(module.name)),
      ...offered([['star', behaviours.includes('star')]]),
    ]
  const mayWrite = can_write && may('edit')
  const can = (behaviour: Behaviour) => behaviours.includes(behaviour)
  return offered([
    ['follow', can('follow') && can_write && caller.permissions.has('follow:add')],
    ['edit', mayWrite && isFree],
    ['submit', approval !== undefined && mayWrite && isFree && isMine],
    ['withdraw', approval !== undefined && isWaiting && found.submitted_by === caller.userId],
    ['version', can('versions') && mayWrite && !isWaiting],
    ['move', approval !== undefined && mayWrite && isSettled(module, found)],
    ['convert', module.convert !== undefined && isSettled(module, found)],
    ['transfer', can('owned') && in_scope && may('transfer')],
    ['release', can('pool') && in_scope && may('release') && !isWaiting],
    ['team', can('team') && in_scope && may('edit')],
    ['delete', in_scope && may('del') && isFree],
    ['star', can('star')],
  ])
}

/** GET /mini/m/<module>/detail. @param asOf  an earlier version of the record, which has no actions */
export async function ownDetail(
  module: MergedModule,
  id: string,
  ctx: CallContext,
  asOf: (found: StoredRecord) => Promise<StoredRecord> = async (found) => found,
): Promise<JsonObject> {
  const now = await findOwnRecord(module, id, ctx)
  const found = await asOf(now)
  const [record = {}] = await wireRecords(module, [found], ctx)
  const { rows } = await sql<{ name: string }>`select name from membership
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${found.created_by}`.execute(ctx.trx)
  const mask = masksOfOwn(ctx.caller, module)(found)
  const actions = found === now ? ownActions(module, found, ctx.caller) : []
  const starred = module.behaviours.includes('star')
    ? { starred: await isStarred(ownRights(module.name), id, ctx) }
    : {}
  return {
    record: {
      ...record,
      ...starred,
      ...(isPooled(module, found) ? { pool_id: found.pool_id ?? null } : {}),
      created_by_name: rows[0]?.name ?? null,
      ...capitalsOf(module, record, mask),
    },
    rows: await rowsInWords(record, module, ctx),
    labels: { owner_name: found.owner_name },
    related: {
      ...(await followCount(module, id, ctx)),
      ...(await inverseCounts(module.name, id, ctx)),
    },
    actions: [...actions],
    moves: actions.includes(module.approval === undefined ? 'edit' : 'move')
      ? movesOf(module, record, ctx.caller)
      : [],
    ...(module.approval === undefined ? {} : { approval_id: await approvalOf(module, id, ctx) }),
    mask: [...mask.masked],
    ...starred,
    ...(await conversionsOf(module.name, id, ctx)),
  }
}

/** The amount of a record in Chinese capitals, as printed documents need it. */
const capitalsOf = (module: MergedModule, record: JsonObject, { masked, hidden }: Mask): JsonObject =>
  module.amount === undefined || masked.has(module.amount) || hidden.has(module.amount)
    ? {}
    : { amount_capitals: inCapitals(Number(record[module.amount] ?? 0)) }

/** The running or last approval of a record. */
const approvalOf = async ({ name }: MergedModule, id: string, ctx: CallContext): Promise<string | null> =>
  (await latestApproval(ownRights(name), id, ctx))?.id ?? null

async function followCount(
  { name, behaviours }: MergedModule,
  id: string,
  { trx, caller }: CallContext,
): Promise<JsonObject> {
  if (!behaviours.includes('follow')) return {}
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from follow
    where tenant_id = ${caller.tenantId} and record_module = ${name} and record_id = ${id} and deleted_at is null`.execute(
    trx,
  )
  return { follow: rows[0]?.n ?? 0 }
}

/** The declared moves from a status. */
export const movesFrom = (
  { moves }: NonNullable<MergedModule['statuses']>,
  from: string,
): readonly string[] => (Object.hasOwn(moves, from) ? (moves[from] ?? []) : [])

/** The statuses that a record may change to. */
function movesOf(module: MergedModule, record: JsonObject, caller: Caller): Json {
  const { statuses, fields } = module
  if (statuses === undefined || fieldRight(caller, rightsEntity(module), statuses.field) !== 'write')
    return []
  const field = fields.find(({ name }) => name === statuses.field)
  const to = movesFrom(statuses, String(record[statuses.field] ?? ''))
  return to.map((value) => ({
    value,
    label: labelText(field?.options?.find((option) => option.value === value)?.label ?? value),
  }))
}
