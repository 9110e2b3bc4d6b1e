import { phrase } from '../../../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject, sameJson } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { type ModuleProblem, moduleProblem } from '../../../model/module-problem.ts'
import {
  convertPart,
  type Held,
  heldIn,
  type Judgement,
  judgeConversion,
} from '../../kernel/fields/convert-field.ts'
import { beginConversion, openConversions } from '../../kernel/model/conversions.ts'
import { blockWriters, fieldAt, lastKinds } from '../../kernel/model/overrides.ts'
import { leaveMirror } from '../../kernel/model/own-index.ts'
import { shownProblem } from '../../kernel/text/author.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isValueSeen } from '../../kernel/visibility/value-seen.ts'
import type { Saving } from './save-module.ts'

/** A field whose values are being converted to another kind. */
export interface KindChange extends Held {
  readonly field: string
  readonly was: Field
  readonly made: Field
  readonly total: number
}

type Where = Pick<Saving, 'trx' | 'caller'>

const fieldsOf = ({ fields }: JsonObject): readonly JsonObject[] =>
  (Array.isArray(fields) ? fields : []).filter(isObject)

/**
 * Fields whose kind has changed, including a removed field that is added again with another kind; `total`: how many records have values of it.
 *
 * @param current  the module as it is
 * @throws Refusal 400 if a value cannot be converted: all values are converted or none
 */
export async function kindChanges(
  module: string,
  given: JsonObject,
  saving: Where,
  current: MergedModule | undefined,
): Promise<readonly KindChange[]> {
  const { trx, caller } = saving
  const before = await lastKinds(trx, caller.tenantId, module)
  const changes: KindChange[] = []
  for (const [i, field] of fieldsOf(given).entries()) {
    const name = String(field.name)
    const last = before.get(name)
    if (last === undefined || field.kind === undefined || last.kind === field.kind) continue
    const was = await fieldAt(trx, caller.tenantId, module, { name, version: last.version })
    if (was === undefined) continue
    const newField = field as unknown as Field
    const held: Held = { ...heldIn(module), name: newField.name }
    // Whoever is writing a value now writes one of the old kind: wait for them, and check their value with the others.
    await blockWriters(trx, caller.tenantId)
    const judged = await judgeConversion(held, was, newField, saving, isValueSeen(current, name, caller))
    refuseLost(judged, newField, i)
    changes.push({ ...held, field: newField.name, was, made: newField, total: judged.records })
  }
  return changes
}

function refuseLost({ refused: n, lost, repeated }: Judgement, made: Field, i: number): void {
  const [first] = lost
  const label = labelText(made.label)
  if (n > 0)
    refuseKind(
      first === undefined
        ? text('model.convert.refused-closed', { n })
        : text('model.convert.refused', { n, value: first.preview }),
      moduleProblem(
        'VALUE_INVALID',
        `/fields/${i}/kind`,
        phrase('{count} records hold values of "{name}" that are no {kind}', {
          count: n,
          name: made.name,
          kind: made.kind,
        }),
        phrase('mend them first, or retire it and add another field'),
      ),
    )
  if (repeated === null) return
  const { preview } = repeated
  const sentence =
    preview === null
      ? text('model.convert.repeats-closed', { label })
      : text('model.convert.repeats', { label, value: preview })
  refuse(422, 'REFERENCED', sentence, { fields: { unique: sentence } })
}

function refuseKind(sentence: string, problem: ModuleProblem): never {
  return refuse(400, 'VALIDATION', sentence, {
    fields: { kind: sentence },
    data: { problems: [shownProblem(problem)] },
  })
}

/**
 * Converts as much as fits into a moment; the job continues, and the field is available again when it is finished. Its mirror is started
 * afterwards: rows are locked here, and whoever waits for one of them must not hold a lock that the mirror waits for.
 *
 * @returns true while there is more
 */
export async function convert(
  { field, was, made, total, ...held }: KindChange,
  { trx, caller }: Where,
): Promise<boolean> {
  await leaveMirror(trx, caller, held.module, field)
  await beginConversion(trx, caller, { module: held.module, field, was, made, total })
  return convertPart(held, field, { trx, caller })
}

/** A field that is being converted cannot be changed until that is finished; nor can its module. @throws Refusal 409 */
export async function refuseConverting(
  module: string,
  given: JsonObject,
  before: JsonObject | undefined,
  { trx, caller }: Where,
): Promise<void> {
  const named = (description: JsonObject, name: string): Json =>
    fieldsOf(description).find((field) => field.name === name) ?? null
  const open = await openConversions(trx, caller.tenantId)
  const changed = open.find(
    (one) => one.module === module && !sameJson(named(given, one.field), named(before ?? {}, one.field)),
  )
  if (changed !== undefined)
    refuse(409, 'STATE_CONFLICT', text('model.converting', { label: labelText(changed.made.label) }))
}
