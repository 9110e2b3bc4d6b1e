import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import { addressOf, seenRule } from '../field-rights.ts'
import { kindOf } from '../kinds/index.ts'
import { labelText } from '../labels.ts'
import type { MergedField, MergedModule } from '../merge-module.ts'
import { formField } from '../page-parts.ts'
import { container, shownFields } from './parts.ts'
import type { DerivedWords } from './words.ts'

/** Fields that the records of a list can be sorted by. */
export const sortsOf = (module: MergedModule): readonly MergedField[] =>
  shownFields(module).filter(({ sort, kind }) => sort === true && kindOf(kind).sorts === true)

/** A field's first record: the largest number, the earliest day, the first text. */
export const orderOf = ({ kind }: Field): 'asc' | 'desc' =>
  kindOf(kind).stored === 'number' ? 'desc' : 'asc'

/** The sheet that asks for the order; it says it as the heads of columns do: a field and its direction, or nothing for the module's own. */
export const sortSheet = (
  module: MergedModule,
  fields: readonly MergedField[],
  words: DerivedWords,
): JsonObject =>
  container('sheet', { name: 'sorts', label: words.sort }, [
    formField('radio', {
      name: 'sort',
      label: words.sortBy,
      labelHidden: true,
      direction: 'vertical',
      defaultValue: '',
      optionItems: [
        { label: words.newest, value: '' },
        ...fields.map((field) => ({
          label: labelText(field.label),
          value: `${field.name} ${orderOf(field)}`,
          visibleOn: seenRule(addressOf(module, field)),
        })),
      ],
      on: { change: [{ do: 'closeSheet', name: 'sorts' }] },
    }),
  ])
