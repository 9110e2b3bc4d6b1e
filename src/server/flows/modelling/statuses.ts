import { isObject, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Field, ModuleDescription } from '../../../model/description.ts'

type Moves = Readonly<Record<string, readonly string[]>>

/** Fields that can be the status of a module: a choice with its own options. */
export const statusChoices = ({ fields }: Pick<ModuleDescription, 'fields'>): readonly Field[] =>
  fields.filter(
    ({ kind, options = [], retired }) => kind === 'choice' && options.length > 1 && retired !== true,
  )

/** The transitions of a new module: to any later status, and from the last to the first. */
export function movesByOrder({ options = [] }: Pick<Field, 'options'>): Record<string, string[]> {
  const values = options.map(({ value }) => value)
  return Object.fromEntries(
    values.map((value, i) => [value, i === values.length - 1 ? values.slice(0, 1) : values.slice(i + 1)]),
  )
}

/**
 * The description with transitions that match the options of its status field: transitions to a removed option are dropped, and a new option can be
 * reached from and left to everywhere, until the settings of the module restrict it.
 */
export function withFittingMoves(
  description: JsonObject,
  field: Pick<Field, 'name' | 'options'>,
): JsonObject {
  const { statuses } = description
  if (!isObject(statuses) || statuses.field !== field.name || !isObject(statuses.moves)) return description
  const values = (field.options ?? []).map(({ value }) => value)
  const before = statuses.moves as unknown as Moves
  const known = new Set([...Object.keys(before), ...Object.values(before).flat()])
  const added = values.filter((value) => !known.has(value))
  const to = (from: string): string[] =>
    values.filter(
      (value) =>
        value !== from && (added.includes(from) || added.includes(value) || before[from]?.includes(value)),
    )
  return {
    ...description,
    statuses: { ...statuses, moves: Object.fromEntries(values.map((from) => [from, to(from)])) },
  }
}
