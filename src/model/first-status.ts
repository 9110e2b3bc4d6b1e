import type { Json } from '../../runtime/core/json.ts'
import type { MergedModule } from './merge-module.ts'

/**
 * The status that a record has until its approval: the default of the field, else its first option. Undefined where nothing is approved: a record
 * begins anywhere.
 */
export function firstStatus({
  statuses,
  approval,
  fields,
}: Pick<MergedModule, 'statuses' | 'approval' | 'fields'>): Json | undefined {
  const field = fields.find(({ name }) => name === statuses?.field)
  if (field === undefined || approval === undefined) return undefined
  const values = (field.options ?? []).map(({ value }) => value)
  return values.find((value) => value === field.default) ?? values[0]
}
