import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { rightsEntity } from '../../../model/field-rights.ts'
import { firstStatus } from '../../../model/first-status.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { isEmpty, readRecord } from '../../../model/read-record.ts'
import { sameValue } from '../../../model/same-value.ts'
import { requires } from '../../kernel/auth/caller.ts'
import { fieldsForCaller, writableFields } from '../../kernel/auth/field-rights.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { json } from '../../kernel/db/json.ts'
import { changeOf, type Faults } from '../../kernel/fields/check-record.ts'
import { withDefaults } from '../../kernel/fields/default-values.ts'
import { faultTexts, ruleFaults, storedFaults } from '../../kernel/fields/field-faults.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { AS_WRITTEN } from '../../kernel/fields/record-in-rules.ts'
import { mergedValues, wireValues } from '../../kernel/model/stored.ts'
import { targetPool } from '../../kernel/pools/pool.ts'
import { notYours } from '../../kernel/records/find-record.ts'
import { ownNumbers, takeNumber } from '../../kernel/records/own-numbers.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { type Columns, insertRow, updateRow } from '../../kernel/records/write-row.ts'
import { refuseStale, writtenRecord } from '../../kernel/records/written-record.ts'
import { text } from '../../kernel/text/text.ts'
import { maskValues, rightsMask } from '../../kernel/visibility/masking.ts'
import { APPROVAL, isSettled, isWritable } from './approval-state.ts'
import { refuseState } from './approve-record.ts'
import { beginMirrors } from './begin-mirrors.ts'
import { calledBy } from './called-by.ts'
import { completeValues } from './complete-values.ts'
import { notifyOfTransfer } from './owner.ts'
import {
  applyOwnerChange,
  checkCapacity,
  lockReceiver,
  ownerColumns,
  recordOwnerChange,
  refreshReturn,
} from './owner-change.ts'
import { findOwnRecord, findOwnToChange, movesFrom, type StoredRecord, wireRecords } from './record.ts'
import { lockOwnTree, ownTreeFaults } from './tree.ts'

/** Creates a record of an own module. It belongs to its author unless it names another colleague. */
export async function createOwnRecord(
  module: MergedModule,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const { owner_id, ...posted } = body
  await lockOwnTree(module, ctx, posted)
  // A form also sends the defaults of fields that its user may not write.
  const usual = withDefaults({}, module.fields, ctx)
  const given = writableFields(ctx.caller, rightsEntity(module), posted, usual)
  const filled = withDefaults(given, module.fields, ctx)
  const fields = fieldsForCaller(ctx.caller, rightsEntity(module), module.fields, rightOf(module))
  const { values: read, faults } = readRecord(filled, fields, true)
  const { values, faults: worked } = await completeValues(module, read, {}, ctx)
  const owner = await firstOwner(module, owner_id, ctx)
  refuseFaults({
    ...ruleFaults(fields, filled, ctx),
    ...(await storedFaults(module.fields, values, { table: 'record', module: module.name, id: null }, ctx)),
    ...(await ownTreeFaults(module, values, null, ctx)),
    ...moveFault(module, values, NEW),
    ...worked,
    ...faultTexts(faults, module.fields),
    ...owner.faults,
  })
  await beginMirrors(module, ctx)
  const id = newId(ctx.now.getTime())
  const ext = { ...mergedValues({}, values), ...(await ownNumbers(module, ctx)) }
  const record_no = await numberFor(module, ctx)
  await insertRow(
    'record',
    {
      id,
      module: module.name,
      record_no,
      ...owner.columns,
      ...calledBy(module, ext, record_no),
      ext: json(ext),
    },
    ctx,
  )
  const { owner_id: receiver = null, pool_id = null } = owner.columns
  await recordOwnerChange(
    module,
    { id, kind: 'create', toUser: receiver as string | null, toPool: pool_id as string | null },
    ctx,
  )
  await refreshReturn(module, id, ctx)
  if (typeof receiver === 'string') await notifyOfTransfer('record.assigned', module, receiver, [id], ctx)
  return answerOf(module, id, ctx, filled)
}

/** The field whose right applies to a key of the body; the title needs no right. */
const rightOf =
  ({ title }: MergedModule) =>
  ({ name }: Field): string | null =>
    name === title ? null : name

/** Changes the given fields. `null` clears a field, absent fields stay. @throws Refusal 409 with `data.current`, 404, 400 */
export async function updateOwnRecord(
  module: MergedModule,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const { id, version, given: posted } = changeOf(body)
  const { owner_id, ...sent } = posted
  await lockOwnTree(module, ctx, sent)
  if (typeof owner_id === 'string' && owner_id !== '') await lockReceiver(module, owner_id, ctx)
  const found = await findOwnToChange(module, id, ctx)
  if (found.version !== version) refuseStale((await wireRecords(module, [found], ctx))[0] ?? null)
  const entity = rightsEntity(module)
  const seen = maskValues(wireValues(found.ext, module.fields), rightsMask(ctx.caller, entity))
  const given = writableFields(ctx.caller, entity, sent, seen)
  if (!isWritable(module, found, Object.keys(given))) refuseState(found)
  const fields = fieldsForCaller(ctx.caller, entity, module.fields, rightOf(module))
  const { values: read, faults } = readRecord(given, module.fields, false)
  const { values, faults: worked } = await completeValues(module, read, found.ext, ctx)
  const changed = Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => !sameValue(found.ext[name] ?? null, isEmpty(value) ? null : value),
    ),
  )
  const isGiven = owner_id !== undefined && owner_id !== found.owner_id
  if (isGiven) {
    const right = `${ownRights(module.name)}:transfer` as const
    requires(ctx.caller, right)
    if (!found.in_scope) await notYours(ownRights(module.name), found, right, ctx)
  }
  const owner = isGiven ? await nextOwner(module, found, owner_id, ctx) : NO_OWNER
  const shown = { ...wireValues(found.ext, module.fields), ...given }
  refuseFaults({
    ...ruleFaults(fields, shown, ctx, AS_WRITTEN, Object.keys(given)),
    ...(await storedFaults(
      module.fields,
      pickOf(values, changed),
      { table: 'record', module: module.name, id },
      ctx,
    )),
    ...(await ownTreeFaults(module, changed, id, ctx)),
    ...moveFault(module, values, found),
    ...worked,
    ...faultTexts(faults, module.fields),
    ...owner.faults,
  })
  const ext = mergedValues(found.ext, changed)
  const before = wireValues(found.ext, fieldsOf(module, changed))
  if (Object.keys(changed).length > 0 || owner !== NO_OWNER)
    await updateRow(
      'record',
      id,
      { ...owner.columns, ...calledBy(module, ext, found.record_no), ext: json(ext) },
      ctx,
    )
  const receiver = owner.columns.owner_id
  if (typeof receiver === 'string' && receiver !== found.owner_id) {
    await applyOwnerChange(module, id, found.owner_id, receiver, ctx)
    await notifyOfTransfer('record.assigned', module, receiver, [id], ctx)
  }
  await refreshReturn(module, id, ctx)
  const after = wireValues(ext, fieldsOf(module, changed))
  return answerOf(module, id, ctx, { before, after })
}

interface Owner {
  readonly columns: Columns
  readonly faults: Faults
}
const NO_OWNER: Owner = { columns: {}, faults: {} }

/** The owner of a new record: the named person, else its author; none if the module has no owners or the record goes into a pool. */
async function firstOwner(module: MergedModule, given: Json | undefined, ctx: CallContext): Promise<Owner> {
  if (!module.behaviours.includes('owned')) return NO_OWNER
  if (given === null && module.behaviours.includes('pool')) return inPool(module, ctx)
  const wanted = typeof given === 'string' && given !== '' ? given : ctx.caller.userId
  await lockReceiver(module, wanted, ctx)
  const found = await memberOf(wanted, ctx)
  if (found === undefined) return STRANGER
  await checkCapacity(module, wanted, ctx)
  return { columns: { owner_id: wanted, owner_dept_id: found.dept_id, owner_since: ctx.now }, faults: {} }
}

/** No owner: the record is in the module's own pool until somebody claims it. */
async function inPool({ name }: MergedModule, ctx: CallContext): Promise<Owner> {
  const rights = ownRights(name)
  requires(ctx.caller, `${rights}:release`)
  const pool = await targetPool(rights, undefined, ctx)
  return { columns: { owner_id: null, pool_id: pool.id, pool_entered_at: ctx.now }, faults: {} }
}

/** The columns that a transfer to another person sets. */
async function nextOwner(
  module: MergedModule,
  { owner_id }: StoredRecord,
  given: Json,
  ctx: CallContext,
): Promise<Owner> {
  if (!module.behaviours.includes('owned')) return NO_OWNER
  const wanted = typeof given === 'string' && given !== '' ? given : ctx.caller.userId
  const found = await memberOf(wanted, ctx)
  if (found === undefined) return STRANGER
  await checkCapacity(module, wanted, ctx)
  return { columns: ownerColumns(owner_id, { user_id: wanted, ...found }, ctx), faults: {} }
}

const STRANGER: Owner = {
  columns: {},
  faults: { owner_id: text('record.not-offered', { label: text('sheet.owner') }) },
}

async function memberOf(userId: string, { trx, caller }: CallContext) {
  const { rows } = await sql<{ dept_id: string | null }>`select dept_id from membership
    where tenant_id = ${caller.tenantId} and user_id = ${userId} and status = 'enabled'`.execute(trx)
  return rows[0]
}

const NEW: Pick<StoredRecord, 'ext' | 'approval_status'> = { ext: {}, approval_status: APPROVAL.draft }

/**
 * A status changes only along the module's moves, and not before a required approval: until then it is the first one. Without an approval a new record
 * may begin in any status.
 */
function moveFault(
  module: MergedModule,
  values: Readonly<Record<string, Json>>,
  found: Pick<StoredRecord, 'ext' | 'approval_status'>,
): Faults {
  const { statuses, fields } = module
  if (statuses === undefined || !Object.hasOwn(values, statuses.field)) return {}
  const from = String(found.ext[statuses.field] ?? '')
  const to = String(values[statuses.field] ?? '')
  if (from === to) return {}
  if (!isSettled(module, found))
    return to === firstStatus(module) ? {} : { [statuses.field]: text('own.not-agreed') }
  if (from === '' || movesFrom(statuses, from).includes(to)) return {}
  const options = fields.find(({ name }) => name === statuses.field)?.options ?? []
  const word = (value: string) => labelText(options.find((option) => option.value === value)?.label ?? value)
  return { [statuses.field]: text('own.move', { from: word(from), to: word(to) }) }
}

/** The next number of the module, if it numbers its records. */
const numberFor = async ({ name, number }: MergedModule, ctx: CallContext): Promise<string | null> =>
  number === undefined ? null : takeNumber(number, `m.${name}`, ctx)

const fieldsOf = ({ fields }: MergedModule, values: JsonObject): readonly Field[] =>
  fields.filter(({ name }) => Object.hasOwn(values, name))

const pickOf = (values: Readonly<Record<string, Json>>, keys: JsonObject): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(keys, name)))

async function answerOf(
  module: MergedModule,
  id: string,
  ctx: CallContext,
  detail: Json,
): Promise<WriteResult<Json>> {
  const found = await findOwnRecord(module, id, ctx)
  const [record = null] = await wireRecords(module, [found], ctx)
  return writtenRecord(found, record, detail)
}
