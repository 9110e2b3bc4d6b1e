import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { sameValue } from '../../../model/same-value.ts'
import { faultsForWriter, writableFields } from '../auth/field-rights.ts'
import type { CallContext } from '../context/call-context.ts'
import type { SalesEntity } from '../context/entities.ts'
import { changeOf, type Faults } from '../fields/check-record.ts'
import { checkExt, extTogether } from '../fields/ext-fields.ts'
import { type InputValues, refuseFaults } from '../fields/input.ts'
import { FORM_FAULT, type FormCheck } from '../forms/validate-with-page.ts'
import { inRules, openFaults } from './checked-write.ts'
import { checkDescribed, describedColumns, labelOfField, namesOfFields, writtenFields } from './described.ts'
import { type FoundRecord, findRecord, findToChange, wireRecord } from './find-record.ts'
import { pick, wireRow } from './wire.ts'
import type { WriteResult } from './write-once.ts'
import { type Columns, updateRow } from './write-row.ts'
import { refuseStale, writtenRecord } from './written-record.ts'

/** How an entity is written (DOMAIN 8.1, 8.3), in addition to its description. */
export interface Changeable {
  readonly entity: SalesEntity
  /** Rules that need more than one field or the database. @param found null while the record is new */
  readonly faults: (values: InputValues, found: FoundRecord | null, ctx: CallContext) => Promise<Faults>
  /** Columns computed from others; refuses repeated unique values. */
  readonly derive: (
    source: Readonly<Record<string, unknown>>,
    found: FoundRecord | null,
    ctx: CallContext,
  ) => Promise<Columns>
  /** Columns that may not be null and keep their value if a form clears them. */
  readonly notClearable?: readonly string[]
  /** Effects of a change once it is stored. */
  readonly changed?: (found: FoundRecord, values: InputValues, ctx: CallContext) => Promise<void>
}

/**
 * Checked values of a new record; refuses with 400 and a message per field.
 *
 * @param more  requests errors from elsewhere, in parallel; not called for a write that is refused before: nobody would await them
 * @param fields  those that may be written here; default: all
 */
export async function checkedNew(
  kind: Pick<Changeable, 'entity' | 'faults'>,
  given: JsonObject,
  ctx: CallContext,
  more: () => Promise<Faults>,
  fields: readonly Field[] = writtenFields(kind.entity, ctx),
): Promise<InputValues> {
  const { ext, ...plain } = writableFields(ctx.caller, kind.entity, given)
  const rules = inRules(kind.entity, null, { given: plain, ext }, ctx)
  const [checked, ownColumns, pageFaults] = await Promise.all([
    checkDescribed(plain, fields, ctx, null, rules.shipped),
    checkExt(kind.entity, null, ext, undefined, ctx, rules.own),
    more(),
  ])
  const labelOf = (name: string) => labelOfField(kind.entity, name, ctx)
  refuseFaults({
    ...openFaults(kind.entity, pageFaults, ctx),
    // An invalid value is reported as such and not additionally as missing.
    ...(await kind.faults(checked.values, null, ctx)),
    ...faultsForWriter(ctx.caller, kind.entity, checked.faults, labelOf),
    ...ownColumns.faults,
  })
  return { ...checked.values, ...(Object.keys(ownColumns.ext).length > 0 ? { ext: ownColumns.ext } : {}) }
}

/**
 * Changes the given fields; `null` clears, absent ones stay (DOMAIN 8.1).
 *
 * @param body  `id`, `version` as read, and fields
 * @throws Refusal 409 VERSION_CONFLICT with `data.current` if somebody else was faster, 404, 405, 400
 */
export async function updateRecord(
  kind: Changeable,
  body: JsonObject,
  ctx: CallContext,
  form: FormCheck,
): Promise<WriteResult<Json>> {
  const { id, version, given } = changeOf(body)
  const found = await findToChange(kind.entity, id, ctx)
  if (found.version !== version) refuseStale(wireRecord(kind.entity, found, ctx))
  const formFaults = await form(formValues(kind, found, given, ctx))
  const values = await checkedChange(kind, found, given, ctx, { formFaults })
  const before = await applyChange(kind, found, values, ctx)
  const now = await findRecord(kind.entity, id, ctx)
  const after = pick(wireRow(now, ctx.zone), Object.keys(before))
  return writtenRecord(now, wireRecord(kind.entity, now, ctx), { before, after })
}

/** What the form page shows for this change: the record with the posted values in it. */
function formValues(
  { entity }: Changeable,
  found: FoundRecord,
  given: JsonObject,
  ctx: CallContext,
): JsonObject {
  return {
    ...pick(wireRow(found, ctx.zone), namesOfFields(writtenFields(entity, ctx, 'change'))),
    id: found.id,
    ...given,
    ...extTogether(found.ext, given),
  }
}

/**
 * The values that differ from the record, checked.
 *
 * @param options  `fields` that may be changed here, default: all of a change; `formFaults`, which apply to posted fields only
 */
export async function checkedChange(
  kind: Pick<Changeable, 'entity' | 'faults'>,
  found: FoundRecord,
  given: JsonObject,
  ctx: CallContext,
  options: { readonly fields?: readonly Field[]; readonly formFaults?: Faults } = {},
): Promise<InputValues> {
  const { fields = writtenFields(kind.entity, ctx, 'change'), formFaults = {} } = options
  const shown = wireRecord(kind.entity, found, ctx)
  const { ext, ...plain } = writableFields(ctx.caller, kind.entity, given, shown)
  const rules = inRules(kind.entity, found, { given: plain, ext }, ctx)
  const { changed, faults } = await checkDescribed(plain, fields, ctx, found, rules.shipped)
  const ownColumns = await checkExt(kind.entity, found.id, ext, found.ext as Json, ctx, rules.own)
  refuseFaults({
    ...(pick(formFaults, [...Object.keys(given), FORM_FAULT]) as Record<string, string>),
    ...(await kind.faults(changed, found, ctx)),
    ...faults,
    ...ownColumns.faults,
  })
  return sameValue(ownColumns.ext, (found.ext ?? {}) as Json) ? changed : { ...changed, ext: ownColumns.ext }
}

/** Stores checked values with everything computed from them. @returns the previous values of the changed fields */
export async function applyChange(
  kind: Changeable,
  found: FoundRecord,
  values: InputValues,
  ctx: CallContext,
): Promise<JsonObject> {
  const before = pick(wireRow(found, ctx.zone), Object.keys(values))
  if (Object.keys(values).length === 0) return before
  const cleared = (kind.notClearable ?? []).filter(
    (name) => Object.hasOwn(values, name) && values[name] === null,
  )
  const changed = Object.fromEntries(Object.entries(values).filter(([name]) => !cleared.includes(name)))
  const derived = await kind.derive({ ...found, ...changed }, found, ctx)
  await updateRow(kind.entity, found.id, { ...recordColumns(kind.entity, changed, ctx), ...derived }, ctx)
  await kind.changed?.(found, changed, ctx)
  return before
}

/** Checked values as columns, including the tenant's own fields. */
export const recordColumns = (entity: SalesEntity, values: InputValues, ctx: CallContext): Columns =>
  describedColumns(values, writtenFields(entity, ctx))
