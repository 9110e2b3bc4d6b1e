import { sql } from 'kysely'
import { type Json, type JsonObject, sameJson } from '../../../../runtime/core/json.ts'
import { FILES } from '../../../model/derived/held-files.ts'
import { isWritten } from '../../../model/drawn-fields.ts'
import { offeringKinds } from '../../../model/field-offers.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import { groupsOf, type MergedField, type MergedModule, madeBy } from '../../../model/merge-module.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { type Conversion, openConversions } from '../../kernel/model/conversions.ts'
import { fillProgress } from '../../kernel/model/own-index.ts'
import { text } from '../../kernel/text/text.ts'
import { readDicts } from '../dict/routes.ts'
import { kindsOpen } from './convert-preview.ts'
import { expressionsOf, formulaHint, nameInRule } from './expressions.ts'
import { countedItems, emptyForm, fieldForm, kindItems, kindLabel, rowKindItems } from './field-form.ts'
import { placesOf } from './field-places.ts'
import { noMoreFields } from './no-more-fields.ts'

/** The data of the field screens: a module's fields in a list, and one field with all that its sheet offers. */
export async function fieldList(described: MergedModule, ctx: CallContext) {
  const filling = await fillProgress(ctx.trx, ctx.caller.tenantId, described.name)
  const rows = inGroups(described).map((field) => ({
    ...fieldRow(field, filling.get(field.name)),
    // For the workbench: the name used in pages, and whether a form can contain it.
    called: nameInRule(described, field),
    written: isWritten(field),
  }))
  const open = await openConversions(ctx.trx, ctx.caller.tenantId)
  return {
    list: rows,
    converting: open.filter((one) => one.module === described.name).map(convertingRow),
    live: rows.filter(({ retired }) => !retired),
    retired: rows.filter(({ retired }) => retired),
    places: placesOf(described),
    closed: noMoreFields(described),
  }
}

/** @param field  none for a new one */
export async function fieldDetail(described: MergedModule, field: MergedField | undefined, ctx: CallContext) {
  const name = field?.name ?? ''
  const group = groupsOf(described).find(({ fields }) => fields.includes(name))?.name ?? null
  const form =
    field === undefined ? emptyForm() : { ...fieldForm(field), ...expressionsOf(described, field), group }
  return {
    form: { ...form, when_value_name: await nameOfValue(described, form, ctx) },
    origin: field === undefined ? 'tenant' : madeBy(field),
    module_origin: madeBy(described),
    // Contacts of a customer are in its pool.
    pooled: described.behaviours.includes('pool') || described.name === 'contact',
    requirements: requirements(form.required === 'rule'),
    kinds: field === undefined ? kindItems() : await kindsOpen(described, field, ctx),
    modules: [...ctx.model.modules.values()].map((one) => ({
      value: one.name,
      label: labelText(one.label),
    })),
    offers: offeringKinds(),
    row_kinds: rowKindItems(),
    counted: countedItems(described, ctx.model.modules),
    dicts: await dictItems(ctx),
    groups: [
      ...groupsOf(described).map((one) => ({
        value: one.name,
        label: labelText(one.label) || labelText(described.label),
      })),
      { value: '+', label: text('model.new-group') },
    ],
    formula_hint: formulaHint(described, name, form),
    formula_needed: form.kind === 'formula' ? form.formula_text !== null : true,
    conditions: described.fields
      .filter((one) => one.name !== name && one.retired !== true && kindOf(one.kind).index !== null)
      .map((one) => ({ value: nameInRule(described, one), label: labelText(one.label) })),
  }
}

/** The ways a field can be required; a rule that its sheet cannot show is added if there is one. */
const requirements = (isRule: boolean): readonly JsonObject[] =>
  (['no', 'yes', 'when', ...(isRule ? (['rule'] as const) : [])] as const).map((value) => ({
    value,
    label: text(`model.required.${value}`),
  }))

/** Fields in the order of the form, each with its group; the field of the files behaviour has no sheet. */
function inGroups(module: MergedModule): readonly (MergedField & { readonly group: string })[] {
  const byName = new Map(module.fields.map((field) => [field.name, field]))
  return groupsOf(module).flatMap(({ label, fields }) =>
    fields.flatMap((name) => {
      const field = byName.get(name)
      return field === undefined || field.name === FILES ? [] : [{ ...field, group: labelText(label) }]
    }),
  )
}

/** A field in a list as texts. @param done  the number of records processed while its filter is being prepared */
function fieldRow(field: MergedField & { readonly group: string }, done: number | undefined) {
  const { name, label, kind, required, filter, sort, retired, changed, group } = field
  const marks = [
    ...(required === undefined || required === false
      ? []
      : [required === true ? 'required' : 'required-when']),
    ...(filter === true ? ['filter'] : []),
    ...(sort === true ? ['sort'] : []),
  ] as const
  return {
    name,
    label: labelText(label),
    origin: madeBy(field),
    group,
    changed: changed === true,
    retired: retired === true,
    marks: [
      kindLabel(kind),
      ...marks.map((mark) => text(`field.${mark as 'filter'}`)),
      ...(done === undefined ? [] : [text('field.filling', { done })]),
    ].join(' · '),
  }
}

/** A field that is unavailable because its values are being converted. */
const convertingRow = ({ field, made, done, total }: Conversion) => ({
  name: field,
  label: labelText(made.label),
  marks: `${kindLabel(made.kind)} · ${text('field.converting', { done, total })}`,
})

/** The possible values of a field with a choice: its options, those of its dictionary, yes and no. @param name  as in rules */
export async function valuesOf(
  module: MergedModule,
  name: string,
  { trx, caller }: CallContext,
): Promise<readonly { readonly value: Json; readonly label: string }[]> {
  const field = module.fields.find((one) => nameInRule(module, one) === name)
  if (field?.dict !== undefined) {
    const dicts = await readDicts(trx, caller.tenantId, [field.dict])
    return (dicts[field.dict] ?? []).map(({ value, label }) => ({ value, label }))
  }
  if (field?.kind === 'flag')
    return [
      { value: true, label: text('sheet.yes') },
      { value: false, label: text('sheet.no') },
    ]
  return (field?.options ?? []).map(({ value, label }) => ({ value, label: labelText(label) }))
}

/** The text of the value in a field's rule. */
async function nameOfValue(module: MergedModule, form: JsonObject, ctx: CallContext): Promise<string | null> {
  if (typeof form.when_field !== 'string') return null
  const values = await valuesOf(module, form.when_field, ctx)
  return values.find(({ value }) => sameJson(value, form.when_value ?? null))?.label ?? null
}

/** Dictionaries to choose from, without those with levels, because a field has one value. */
async function dictItems({ trx, caller }: CallContext): Promise<readonly JsonObject[]> {
  const { rows } = await sql<{
    value: string
    label: string
  }>`select key as value, name as label from dict_type
    where tenant_id = ${caller.tenantId} and not tree order by name, key`.execute(trx)
  return rows.map((row) => ({ ...row }))
}
