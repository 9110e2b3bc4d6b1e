import type { RawBuilder } from 'kysely'
import { createBudget, spending } from '../../../../runtime/core/budget.ts'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { extName, ownName } from '../../../model/form-fields.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { readRecord } from '../../../model/read-record.ts'
import { sameValue } from '../../../model/same-value.ts'
import { fieldsForCaller, writableFields } from '../auth/field-rights.ts'
import type { CallContext } from '../context/call-context.ts'
import type { SalesEntity } from '../context/entities.ts'
import { json } from '../db/json.ts'
import { mergedValues } from '../model/stored.ts'
import { text } from '../text/text.ts'
import {
  isMaskedEntity,
  type Mask,
  type MaskableRow,
  maskExt,
  maskOf,
  rightsMask,
} from '../visibility/masking.ts'
import { withDefaults } from './default-values.ts'
import { faultTexts, ruleFaults, storedFaults } from './field-faults.ts'
import { formulaValues, unseenFormulas } from './own-formulas.ts'
import { rollupValues, type ShownAs } from './own-rollups.ts'
import { asPagesName, ownInRules, type RecordInRules } from './record-in-rules.ts'
import { namesOf } from './words.ts'

/** Modules of the product that a tenant adds fields to. */
const EXT_ENTITIES = [
  'customer',
  'contact',
  'lead',
  'bussiness',
  'contract',
  'payment',
  'product',
  'activity',
] as const satisfies readonly (SalesEntity | 'contract' | 'payment' | 'product' | 'activity')[]
export type ExtEntity = (typeof EXT_ENTITIES)[number]

export const isExtEntity = (name: string): name is ExtEntity =>
  (EXT_ENTITIES as readonly string[]).includes(name)

interface OwnFields {
  readonly all: readonly MergedField[]
  readonly live: readonly MergedField[]
}
const NONE: OwnFields = { all: [], live: [] }
const known = new WeakMap<MergedModule, OwnFields>()

/** Returns the same lists for the same description, so that results computed from them can be cached. */
function ownFields(entity: string, { model }: Pick<CallContext, 'model'>): OwnFields {
  const module = model.modules.get(entity)
  if (module === undefined) return NONE
  const found = known.get(module)
  if (found !== undefined) return found
  const all = module.fields.filter(({ origin }) => origin === 'tenant')
  const lists = { all, live: all.filter(({ retired }) => retired !== true) }
  known.set(module, lists)
  return lists
}

/** The fields that a tenant has added to a module of the product, including retired ones; their values are stored in `ext`. */
export const extFieldsOf = (entity: string, ctx: Pick<CallContext, 'model'>): readonly MergedField[] =>
  ownFields(entity, ctx).all

/** Those of them that are in use. */
export const liveExtFields = (entity: string, ctx: Pick<CallContext, 'model'>): readonly MergedField[] =>
  ownFields(entity, ctx).live

/**
 * Checks the tenant's own fields of a write.
 *
 * @param id  the record, null while it is new
 * @param stored  the current values of the record; given fields replace them, `null` clears
 * @param record  the record as rules see it, including the product's fields
 * @returns all values together, and a message for each invalid `ext.<name>`
 */
export async function checkExt(
  entity: ExtEntity,
  id: string | null,
  given: Json | undefined,
  stored: Json | undefined,
  ctx: CallContext,
  record: RecordInRules = ownInRules(liveExtFields(entity, ctx)),
): Promise<{ readonly ext: JsonObject; readonly faults: Readonly<Record<string, string>> }> {
  const before = isObject(stored) ? stored : {}
  if (given !== undefined && given !== null && !isObject(given))
    return { ext: before, faults: { ext: text('record.unknown-field') } }
  const fields = liveExtFields(entity, ctx)
  if (fields.length === 0 && !isObject(given)) return { ext: before, faults: {} }
  const posted = isObject(given) ? given : {}
  const filled = id === null ? withDefaults(posted, fields, ctx, record) : posted
  const callerFields = fieldsForCaller(ctx.caller, entity, fields, ({ name }) => extName(name))
  const { values, faults } = readRecord(filled, callerFields, id === null)
  const ext = mergedValues(before, values)
  const found = {
    ...ruleFaults(callerFields, ext, ctx, record, id === null ? null : Object.keys(posted)),
    ...(await storedFaults(fields, changedOnly(values, before), { table: entity, module: entity, id }, ctx)),
    ...faultTexts(faults, fields),
  }
  return {
    ext,
    faults: Object.fromEntries(Object.entries(found).map(([name, message]) => [extName(name), message])),
  }
}

/** A record of the product combined with the tenant's own values. */
interface Stored {
  readonly id: string
  readonly [column: string]: unknown
}

/**
 * The column `ext` of a write, if it changes, and the errors in the posted values. Fields that the caller may not write are refused with 405 unless
 * their values come back unchanged.
 */
export async function extColumn(
  entity: ExtEntity,
  found: Stored | null,
  given: Json | undefined,
  ctx: CallContext,
  record?: RecordInRules,
): Promise<{
  readonly ext: { readonly ext?: RawBuilder<Json> }
  readonly faults: Readonly<Record<string, string>>
}> {
  const stored = isObject(found?.ext) ? (found.ext as JsonObject) : {}
  const shown = { ext: maskExt(stored, rightsMask(ctx.caller, entity)) }
  const writable = given === undefined ? {} : writableFields(ctx.caller, entity, { ext: given }, shown)
  const { ext, faults } = await checkExt(entity, found?.id ?? null, writable.ext, stored, ctx, record)
  return { ext: sameValue(ext, stored) ? {} : { ext: json(ext) }, faults }
}

/** An unchanged value is not checked again: an option that is no longer offered may stay. */
const changedOnly = (values: Readonly<Record<string, Json>>, before: JsonObject) =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !sameValue(before[name] ?? null, value)),
  )

/** Own fields that cannot be set on many records at once. */
export function patchFaults(
  entity: ExtEntity,
  given: Json | undefined,
  ctx: CallContext,
): Readonly<Record<string, string>> {
  const open = new Set(
    liveExtFields(entity, ctx)
      .filter(({ patch }) => patch === true)
      .map(({ name }) => name),
  )
  const closed = Object.keys(isObject(given) ? given : {}).filter((name) => !open.has(name))
  return Object.fromEntries(closed.map((name) => [extName(name), text('record.unknown-field')]))
}

/** The own values that a form shows: those of the record, replaced by the posted ones. */
export function extTogether(stored: unknown, { ext }: JsonObject): JsonObject {
  const merged = { ...(isObject(stored) ? (stored as JsonObject) : {}), ...(isObject(ext) ? ext : {}) }
  return Object.keys(merged).length === 0 ? {} : { ext: merged }
}

/** Which own values of a row the caller sees: depends on the rights of their roles, and on the pool if the row is in one. */
export const ownMask = (entity: string, row: MaskableRow, ctx: CallContext): Mask =>
  isMaskedEntity(entity)
    ? maskOf(ctx.caller, entity, row, ctx.model.modules.get(entity))
    : rightsMask(ctx.caller, entity)

/** The own values of a row that the caller sees; formulas that they do not see are empty. */
export function shownOwn(entity: string, row: MaskableRow, ctx: CallContext): JsonObject {
  const ext = 'ext' in row ? (row.ext as Json) : null
  const mask = ownMask(entity, row, ctx)
  return {
    ...maskExt(isObject(ext) ? ext : {}, mask),
    ...unseenFormulas(ctx.model.modules.get(entity), mask),
  }
}

/** Own values of a row as the caller sees them: together under `ext`, and each under the name that pages use; formulas that they do not see are empty. */
export function wireExt(
  entity: string,
  ext: unknown,
  ctx: CallContext,
  mask: Mask = rightsMask(ctx.caller, entity),
): JsonObject {
  const shown = maskExt(isObject(ext) ? (ext as JsonObject) : {}, mask)
  return {
    ext: shown,
    ...Object.fromEntries(
      extFieldsOf(entity, ctx)
        .filter(({ name, kind }) => kindOf(kind).stored !== 'none' && !mask.hidden.has(extName(name)))
        .flatMap(({ name, kind }): [string, Json][] => {
          const value = shown[name] ?? (kindOf(kind).several ? [] : null)
          return [[ownName(name), value]]
        }),
    ),
    ...asPagesName(unseenFormulas(ctx.model.modules.get(entity), mask)),
  }
}

/** Records for display, with their own rollups and formulas and the texts of their own values: `ext_<name>_name`. */
export async function withExtWords<Row extends object>(
  entity: string,
  rows: readonly Row[],
  ctx: CallContext,
  looked: ShownAs = 'record',
): Promise<readonly Row[]> {
  const fields = liveExtFields(entity, ctx)
  const module = ctx.model.modules.get(entity)
  const isCounted = module?.fields.some(({ rollup, retired }) => rollup !== undefined && retired !== true)
  if (fields.length === 0 && isCounted !== true) return rows
  const extRows = rows.map((row): JsonObject => {
    const ext = 'ext' in row ? (row.ext as Json) : null
    return isObject(ext) ? ext : {}
  })
  const named = await namesOf(extRows, { fields }, ctx)
  const rolled =
    module === undefined ? new Map() : await rollupValues(module, rows.map(idOf).filter(Boolean), ctx, looked)
  const worded = (row: Row, at: number): Row => {
    const counted = asCounted(rolled.get(idOf(row)) ?? {}, module)
    const record = { ...row, ...counted } as JsonObject
    const worked = module === undefined ? {} : formulaValues(module, record, ctx.caller)
    const words = Object.entries(named[at] ?? {}).filter(([name]) => !Object.hasOwn(extRows[at] ?? {}, name))
    return {
      ...row,
      ...counted,
      ...asPagesName(worked),
      ...Object.fromEntries(words.map(([name, word]) => [ownName(name), word])),
    }
  }
  // Formulas are written by tenants: all records of an answer share one budget; formulas beyond it stay empty.
  return spending(createBudget(), () => rows.map(worded))
}

/** Computed values by the names that pages use: those of the product's fields by their own names. */
function asCounted(values: JsonObject, module: MergedModule | undefined): JsonObject {
  const shipped = new Set(
    (module?.fields ?? []).flatMap(({ name, origin }) => (origin === 'vendor' ? [name, `${name}_name`] : [])),
  )
  const entries = Object.entries(values)
  return {
    ...Object.fromEntries(entries.filter(([name]) => shipped.has(name))),
    ...asPagesName(Object.fromEntries(entries.filter(([name]) => !shipped.has(name)))),
  }
}

const idOf = (row: object): string => ('id' in row ? String(row.id) : '')

/** A detail whose record includes the texts of its own values. */
export async function withDetailWords(
  entity: string,
  detail: JsonObject,
  ctx: CallContext,
): Promise<JsonObject> {
  const [record] = isObject(detail.record) ? await withExtWords(entity, [detail.record], ctx) : []
  return record === undefined ? detail : { ...detail, record }
}
