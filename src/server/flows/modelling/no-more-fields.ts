import { FILES } from '../../../model/derived/held-files.ts'
import type { ModuleDescription } from '../../../model/description.ts'
import { MAX_OWN_FIELDS, type MergedModule, madeBy } from '../../../model/merge-module.ts'
import { isExtEntity } from '../../kernel/fields/ext-fields.ts'
import { text } from '../../kernel/text/text.ts'

/** Follow-ups, to-dos and plans are written by separate calls that do not store a tenant's own fields. */
export const keepsOwnFields = ({ name, store }: Pick<ModuleDescription, 'name' | 'store'>): boolean =>
  store === 'record' || isExtEntity(name)

/** Why no field can be added to a module, as a sentence; empty if one can. */
export function noMoreFields(described: MergedModule): string {
  if (madeBy(described) !== 'tenant' && !keepsOwnFields(described)) return text('model.no-own-fields')
  const ownFields = described.fields.filter((field) => madeBy(field) === 'tenant' && field.name !== FILES)
  return ownFields.length >= MAX_OWN_FIELDS ? text('model.too-many-fields', { most: MAX_OWN_FIELDS }) : ''
}
