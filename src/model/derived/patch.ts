import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import { setWith, writtenRule } from '../field-rights.ts'
import { bodyOf, type FormWords, fieldsOnForm } from '../form-fields.ts'
import { kindOf } from '../kinds/index.ts'
import { labelText } from '../labels.ts'
import type { MergedField, MergedModule } from '../merge-module.ts'
import { formField, type IsOwn } from '../page-parts.ts'
import { afterMany, IDS, manySource } from './many.ts'
import { button, container, isFilledRule, shownFields } from './parts.ts'
import type { DerivedWords } from './words.ts'

/** How fields of one module are set on several of its records. */
export interface Patching<Patched extends Field = Field> {
  readonly call: string
  readonly fields: readonly Patched[]
  /** What the call is told of a field. */
  readonly part: (field: Patched, value: Json) => JsonObject
}

/** Fields that may be set on many records at once, as far as one widget holds their value. */
export const patchedFields = (module: MergedModule): readonly MergedField[] =>
  shownFields(module).filter(
    ({ patch, kind, readonly }) =>
      patch === true &&
      readonly === undefined &&
      kindOf(kind).derived !== true &&
      kindOf(kind).parts === undefined,
  )

/** A field, and where rules read the right to it. */
export type Addressed = Field & { readonly address: string }

/** The widget of a field on the sheet stands beside its filter, under a name of its own. */
const onSheet = <Patched extends Field>(field: Patched): Patched => ({ ...field, name: `p_${field.name}` })
const sourceName = ({ name }: Field): string => `patch_${name}`

/** What the sheet asks: a call for each field, and the choices of those that have some. */
export const patchSources = <Patched extends Field>(
  { call, fields, part }: Patching<Patched>,
  words: FormWords,
  isOwn: IsOwn,
): readonly JsonObject[] => [
  ...fields.map((field) => {
    const [value = null] = Object.values(bodyOf(onSheet(field), words))
    return manySource(sourceName(field), call, { ids: IDS, ...part(field, value) })
  }),
  ...fieldsOnForm(fields.map(onSheet), words, isOwn).sources,
]

/** What stands on the sheet `patchSheet`: which field, then what it shall be; left empty it is emptied, after a question. */
export function patchWidgets(
  fields: readonly Addressed[],
  words: DerivedWords,
  isOwn: IsOwn,
): readonly JsonObject[] {
  const isChosen = ({ name }: Field): JsonObject => ({ '==': [{ var: 'form.patch_field' }, name] })
  // Whether a record may be without it is the record's own rule.
  const sheetWidgets = (field: Addressed): readonly JsonObject[] =>
    fieldsOnForm([{ ...onSheet(field), required: false, default: null }], words, isOwn).widgets.map(
      (widget) => {
        const options = { ...(isObject(widget.options) ? widget.options : {}), visibleOn: isChosen(field) }
        return setWith({ ...widget, options }, field.address)
      },
    )
  return [
    formField('radio', {
      name: 'patch_field',
      label: words.patchWhat,
      buttonStyle: true,
      optionItems: fields.map(({ name, label, address }) => ({
        value: name,
        label: labelText(label),
        visibleOn: writtenRule(address),
      })),
      defaultOn: { if: [...fields.flatMap(({ name, address }) => [writtenRule(address), name]), null] },
    }),
    ...fields.flatMap(sheetWidgets),
    container(
      'action-bar',
      { name: 'patchBar' },
      fields.map((field) =>
        setWith(
          button(`patchDone_${field.name}`, words.done, setOrAsk(field, words), {
            type: 'primary',
            visibleOn: isChosen(field),
          }),
          field.address,
        ),
      ),
    ),
  ]
}

/** Sets the field on the chosen records; whoever left it empty is asked, since that empties it on all of them. */
function setOrAsk(field: Field, words: DerivedWords): readonly JsonObject[] {
  const set: JsonObject = {
    do: 'request',
    dsName: sourceName(field),
    then: [...afterMany(words, [{ do: 'closeSheet', name: 'patchSheet' }])],
  }
  const value: JsonObject = { var: `form.${onSheet(field).name}` }
  return [
    {
      do: 'when',
      if: isFilledRule(field, value),
      then: [set],
      else: [{ do: 'confirm', title: words.patchEmpty, content: words.patchEmptyAsk, then: [set] }],
    },
  ]
}
