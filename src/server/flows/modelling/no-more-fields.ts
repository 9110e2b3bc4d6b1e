import { FILES } from '../../../model/derived/held-files.ts'
import type { ModuleDescription } from '../../../model/description.ts'
import { type MergedModule, madeBy, OWN_FIELDS_MOST } from '../../../model/merge-module.ts'
import { isExtEntity } from '../../kernel/fields/ext-fields.ts'
import { text } from '../../kernel/text/text.ts'

/** Follow-ups, to-dos and plans are written by calls of their own, which keep no fields of a tenant's. */
export const keepsOwnFields = ({ name, store }: Pick<ModuleDescription, 'name' | 'store'>): boolean =>
  store === 'record' || isExtEntity(name)

/** Why nobody can add a field to a module, in a sentence; empty where one can. */
export function noMoreFields(described: MergedModule): string {
  if (madeBy(described) !== 'tenant' && !keepsOwnFields(described)) return text('model.no-own-fields')
  const own = described.fields.filter((one) => madeBy(one) === 'tenant' && one.name !== FILES)
  return own.length >= OWN_FIELDS_MOST ? text('model.too-many-fields', { most: OWN_FIELDS_MOST }) : ''
}
