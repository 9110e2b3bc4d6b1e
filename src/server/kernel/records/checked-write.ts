import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { faultsForWriter, fieldRight, writableFields } from '../auth/field-rights.ts'
import type { CallContext } from '../context/call-context.ts'
import type { Faults } from '../fields/check-record.ts'
import {
  type ExtEntity,
  extColumn,
  extFieldsOf,
  extTogether,
  liveExtFields,
  patchFaults,
} from '../fields/ext-fields.ts'
import { type InputValues, refuseFaults } from '../fields/input.ts'
import { ownInRules, type RecordInRules, shippedInRules } from '../fields/record-in-rules.ts'
import type { FormCheck } from '../forms/validate-with-page.ts'
import { text } from '../text/text.ts'
import { maskRow, rightsMask } from '../visibility/masking.ts'
import {
  type CheckedFields,
  checkDescribed,
  describedColumns,
  labelOfField,
  namesOfFields,
  type StoredRow,
  writtenFields,
} from './described.ts'
import { pick, wireRow, wireValues } from './wire.ts'
import type { Columns } from './write-row.ts'

/** A checked write of a record with the tenant's own fields. */
export interface CheckedWrite extends CheckedFields {
  /** The column of the own fields, if it changes. */
  readonly own: Columns
  /** The form page's errors for the posted fields. */
  readonly formFaults: Faults
}

/** The record being written; null: a new one. */
type Found = { readonly id: string; readonly [column: string]: unknown } | null

/** Deviations from the usual. */
interface CheckOptions {
  /** Fields that may be written here; default: those of the description. */
  readonly fields?: readonly Field[]
  readonly form?: FormCheck
  /** The client's post, if parts of it are checked elsewhere. */
  readonly posted?: JsonObject
}

/**
 * The posted fields that the caller may write; the others must come back unchanged.
 *
 * @throws Refusal 405 with a message for each field they tried to change
 */
export function writableOf(entity: string, found: Found, given: JsonObject, ctx: CallContext): JsonObject {
  const { caller, zone } = ctx
  if (caller.fieldRights[entity] === undefined) return given
  const shown = found === null ? {} : maskRow(wireValues(found, zone), rightsMask(caller, entity))
  const { ext, ...plain } = given
  // Own fields are checked separately.
  return { ...writableFields(caller, entity, plain, shown), ...(ext === undefined ? {} : { ext }) }
}

/** Checks the fields of a write, the product's and the tenant's own, and evaluates the form page with the whole record. */
export async function checkWrite(
  entity: ExtEntity,
  found: Found,
  all: JsonObject,
  ctx: CallContext,
  options: CheckOptions = {},
): Promise<CheckedWrite> {
  const { ext, ...given } = writableOf(entity, found, all, ctx)
  const { fields = writtenFields(entity, ctx, found === null ? 'new' : 'change'), form } = options
  const posted = options.posted ?? { ...given, ...(ext === undefined ? {} : { ext }) }
  const rules = inRules(entity, found, { given, ext }, ctx)
  const checked = await checkDescribed(given, fields, ctx, found, rules.shipped)
  const ownColumns = await extColumn(entity, found, ext, ctx, rules.own)
  const stored = found === null ? {} : pick(wireRow(found, ctx.zone), namesOfFields(fields))
  const shown = found === null ? posted : { ...stored, ...posted, ...extTogether(found.ext, posted) }
  const pageFaults = form === undefined ? {} : openFaults(entity, await form(shown), ctx)
  const labelOf = (name: string) => labelOfField(entity, name, ctx)
  return {
    ...checked,
    faults: { ...faultsForWriter(ctx.caller, entity, checked.faults, labelOf), ...ownColumns.faults },
    own: ownColumns.ext,
    formFaults: found === null ? pageFaults : (pick(pageFaults as JsonObject, Object.keys(posted)) as Faults),
  }
}

/** A form page may require fields that the caller may not even see; its rules for them are ignored. */
export const openFaults = (entity: string, faults: Faults, { caller }: CallContext): Faults =>
  Object.fromEntries(
    Object.entries(faults).filter(([field]) => fieldRight(caller, entity, field) === 'write'),
  )

/** The record as rules see it: the product's fields together with the tenant's own. */
export function inRules(
  entity: ExtEntity,
  found: Found,
  { given, ext }: { readonly given: JsonObject; readonly ext: Json | undefined },
  ctx: CallContext,
): { readonly shipped?: RecordInRules; readonly own?: RecordInRules } {
  const fields = liveExtFields(entity, ctx)
  if (fields.length === 0) return {}
  const stored = found === null ? {} : wireValues(found, ctx.zone)
  return {
    shipped: shippedInRules(fields, { stored: extOf(stored.ext), given: extOf(ext) }),
    own: ownInRules(fields, { stored, given }),
  }
}

const extOf = (ext: Json | undefined): JsonObject => (isObject(ext) ? ext : {})

/** The fields people filled in for one record, as columns of another one; values of unique own fields are not copied. */
export function writtenColumns(entity: ExtEntity, found: StoredRow, ctx: CallContext): Columns {
  const fields = writtenFields(entity, ctx)
  const values = namesOfFields(fields).flatMap((name) =>
    Object.hasOwn(found, name) ? [[name, found[name]] as const] : [],
  )
  const once = new Set(extFieldsOf(entity, ctx).flatMap(({ name, unique }) => (unique ? [name] : [])))
  const ownEntries = Object.entries(isObject(found.ext) ? found.ext : {}).filter(([name]) => !once.has(name))
  return describedColumns(
    { ...Object.fromEntries(values), ext: Object.fromEntries(ownEntries) } as InputValues,
    fields,
  )
}

/** Names of everything a write changes, for the history. */
export const changedNames = ({ changed, own }: Pick<CheckedWrite, 'changed' | 'own'>): string[] => [
  ...Object.keys(changed),
  ...Object.keys(own),
]

/**
 * Implements `patch` for one record: the same change as by its form, limited to fields that may be set on many records at once.
 *
 * @param find  a record that the caller may change, locked
 * @param change  without a version: whoever sets many records has not read them
 */
export function patching<Record>(
  entity: ExtEntity,
  find: (id: string, ctx: CallContext) => Promise<Record>,
  change: (found: Record, fields: JsonObject, ctx: CallContext) => Promise<unknown>,
) {
  return async (id: string, ctx: CallContext, { ids: _, ...fields }: JsonObject): Promise<void> => {
    const found = await find(id, ctx)
    const open = namesOfFields(writtenFields(entity, ctx, 'patch'))
    const closed = Object.keys(fields).filter((name) => name !== 'ext' && !open.includes(name))
    refuseFaults({
      ...Object.fromEntries(closed.map((name) => [name, text('record.unknown-field')])),
      ...patchFaults(entity, fields.ext, ctx),
    })
    await change(found, fields, ctx)
  }
}
