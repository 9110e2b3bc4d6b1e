import { sql } from 'kysely'
import { isObject, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import { countChosen, countColumn, countUnfit, heldIn } from '../../kernel/fields/convert-field.ts'
import { blockWriters } from '../../kernel/model/overrides.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isValueSeen } from '../../kernel/visibility/value-seen.ts'
import type { Saving } from './save-module.ts'

/** An option that a field, or a column of its rows, no longer offers. */
export interface LostOption {
  readonly field: string
  /** The column of the field's rows that has lost it. */
  readonly column?: string
  readonly value: string
  readonly label: string
}

/** A field with narrower bounds than before; `key` is the input of its sheet. */
interface Narrowed {
  readonly was: Field
  readonly made: Field
  readonly key: string
}

/**
 * Refuses to remove an option or a column of rows that records use, and bounds or kinds of columns that their values do not fit: the label of such
 * an option could no longer be shown, and a record that holds any of them could not be saved as it is.
 *
 * @param before  the tenant's previous description of the module
 * @param current  the module as it is
 * @throws Refusal 422 REFERENCED with how many records hold it
 */
export async function refuseHeldValues(
  module: string,
  given: JsonObject,
  before: JsonObject | undefined,
  { trx, caller }: Pick<Saving, 'trx' | 'caller'>,
  current: MergedModule | undefined,
): Promise<void> {
  const pairs = samePairs(fieldsOf(given), fieldsOf(before ?? {}))
  const lostChoices = lostOptionsOf(pairs)
  const narrowed = narrowedFields(pairs)
  const lostColumns = pairs.flatMap(columnsLost)
  if (lostChoices.length === 0 && narrowed.length === 0 && lostColumns.length === 0) return
  // Whoever is writing now may choose it: wait for them, and count their records too.
  await blockWriters(trx, caller.tenantId)
  for (const { field, column, value, label } of lostChoices) {
    const n = await countChosen({ ...heldIn(module), name: field }, value, column, { trx, caller })
    if (n > 0) refuseHeld(column === undefined ? 'options' : 'rows', text('model.option-used', { label, n }))
  }
  for (const { field, name, label } of lostColumns) {
    const n = await countColumn({ ...heldIn(module), name: field }, name, { trx, caller })
    if (n > 0) refuseHeld('rows', text('model.column-used', { label, n }))
  }
  for (const { was, made, key } of narrowed) {
    const { n, example } = await countUnfit(
      { ...heldIn(module), name: made.name },
      was,
      made,
      { trx, caller },
      isValueSeen(current, made.name, caller),
    )
    const label = labelText(made.label)
    if (n > 0 && example === null) refuseHeld(key, text('model.bound-used-closed', { label, n }))
    if (n > 0 && example !== null)
      refuseHeld(key, text('model.bound-used', { label, n, value: example.slice(0, MAX_EXAMPLE) }))
  }
}

/**
 * Refuses that records are no longer approved while some wait for it: nobody could decide them.
 *
 * @throws Refusal 422 REFERENCED with how many wait
 */
export async function refuseWaiting(
  module: string,
  given: JsonObject,
  before: JsonObject | undefined,
  { trx, caller }: Pick<Saving, 'trx' | 'caller'>,
): Promise<void> {
  if (before?.approval === undefined || given.approval !== undefined) return
  await blockWriters(trx, caller.tenantId)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from approval
    where tenant_id = ${caller.tenantId} and entity = ${ownRights(module)} and status = 'running'`.execute(
    trx,
  )
  const n = rows[0]?.n ?? 0
  if (n > 0) refuseHeld('behaviours', text('model.approval-waits', { n }))
}

/** Characters of a value in a message. */
const MAX_EXAMPLE = 30

const refuseHeld = (key: string, sentence: string): never =>
  refuse(422, 'REFERENCED', sentence, { fields: { [key]: sentence } })

const fieldsOf = ({ fields }: JsonObject): readonly Field[] =>
  (Array.isArray(fields) ? fields : []).filter(isObject) as unknown as readonly Field[]

type Pair = Pick<Narrowed, 'was' | 'made'>

/** Fields that are of the same kind as before. */
const samePairs = (fields: readonly Field[], before: readonly Field[]): readonly Pair[] =>
  fields.flatMap((made) => {
    const was = before.find(({ name, kind }) => name === made.name && kind === made.kind)
    return was === undefined ? [] : [{ was, made }]
  })

const columnsOf = ({ was, made }: Pair): readonly Pair[] => samePairs(made.fields ?? [], was.fields ?? [])

/** Columns that the rows of a field no longer have. */
const columnsLost = ({ was, made }: Pair) =>
  (made.fields === undefined ? [] : (was.fields ?? []))
    .filter(({ name }) => !made.fields?.some((column) => column.name === name))
    .map(({ name, label }) => ({ field: made.name, name, label: labelText(label) }))

/** Options that a description no longer offers in fields, or columns, that remain choices with their own options. */
export const lostOptions = (given: JsonObject, before: JsonObject | undefined): readonly LostOption[] =>
  lostOptionsOf(samePairs(fieldsOf(given), fieldsOf(before ?? {})))

function lostOptionsOf(pairs: readonly Pair[]): readonly LostOption[] {
  return pairs.flatMap((pair) => [
    ...lostOf(pair).map((lost) => ({ ...lost, field: pair.made.name })),
    ...columnsOf(pair).flatMap((column) =>
      lostOf(column).map((lost) => ({ ...lost, field: pair.made.name, column: column.made.name })),
    ),
  ])
}

function lostOf({ was, made: { options } }: Pair): readonly Pick<LostOption, 'value' | 'label'>[] {
  if (!Array.isArray(options)) return []
  const values = new Set(options.map(({ value }) => value))
  return (was.options ?? [])
    .filter(({ value }) => !values.has(value))
    .map(({ value, label }) => ({ value, label: labelText(label) }))
}

const BOUNDS = ['min', 'max', 'most', 'decimals'] as const

/** Whether a column is of another kind than before. */
const hasOtherKinds = ({ was, made }: Pair): boolean =>
  (made.fields ?? []).some((column) =>
    was.fields?.some(({ name, kind }) => name === column.name && kind !== column.kind),
  )

/** Fields with narrower bounds, or with a column that has them or is of another kind. What rules work out is bound by nobody. */
function narrowedFields(pairs: readonly Pair[]): readonly Narrowed[] {
  return pairs.flatMap((pair) => {
    const { was, made } = pair
    const inRows =
      columnsOf(pair).some((column) => narrowedBound(column) !== undefined) || hasOtherKinds(pair)
    const key = narrowedBound(pair) ?? (inRows ? 'rows' : undefined)
    if (key === undefined || made.worked !== undefined) return []
    return [{ was: withoutPattern(was), made: withoutPattern(made), key }]
  })
}

/** A bound that may let through less than before: one that is taken away gives way to that of the kind. */
const narrowedBound = ({ was, made }: Pair): string | undefined =>
  BOUNDS.find((key) => {
    const [before, now] = [was[key], made[key]]
    if (before === now || (now === undefined && key === 'min')) return false
    if (before === undefined || now === undefined) return true
    return key === 'min' ? now > before : now < before
  })

/** A field that judges values by their bounds alone: patterns take long. */
function withoutPattern({ pattern: _, fields, ...field }: Field): Field {
  return fields === undefined ? field : { ...field, fields: fields.map(withoutPattern) }
}
