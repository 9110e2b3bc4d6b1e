import { sql } from 'kysely'
import { isObject, type Json, type JsonObject, objectsIn, sameJson } from '../../../../runtime/core/json.ts'
import { NAME, RESERVED } from '../../../model/attributes.ts'
import { besideNames } from '../../../model/beside-names.ts'
import { repeatedLabel } from '../../../model/changed-fields.ts'
import { fieldProblems } from '../../../model/check-field.ts'
import { cycleProblems } from '../../../model/check-module.ts'
import { commonLabels } from '../../../model/derived/detail.ts'
import type { Field } from '../../../model/description.ts'
import { ownName } from '../../../model/form-fields.ts'
import { labelText } from '../../../model/labels.ts'
import { groupsOf, type MergedField, type MergedModule, madeBy } from '../../../model/merge-module.ts'
import type { ModuleProblem } from '../../../model/module-problem.ts'
import { requires } from '../../kernel/auth/caller.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { lastKinds } from '../../kernel/model/overrides.ts'
import { derivedWords } from '../../kernel/model/tenant-pages.ts'
import { shownProblem } from '../../kernel/text/author.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { saveDict } from '../admin/dicts.ts'
import { codeOf } from './codes.ts'
import { withRules } from './expressions.ts'
import { fieldForm } from './field-form.ts'
import { differenceOfForm, fieldOfForm, optionRows } from './field-of-form.ts'
import { isDescribed } from './field-places.ts'
import { noMoreFields } from './no-more-fields.ts'
import { changeModule, type Saving, withField, withoutField } from './save-module.ts'
import { withFittingMoves } from './statuses.ts'

/** The input of a sheet: the module, the edited field ('' for a new one), and its attributes. */
export interface FieldForm {
  readonly module: string
  readonly name: string
  readonly form: JsonObject
  readonly base: number | undefined
}

/**
 * Saves a field from its sheet. A new one gets a code derived from its name; a dictionary is created with it if the sheet says so. A concurrent
 * change to another field of the module is no conflict: only the same field is compared.
 *
 * @throws Refusal 400 with the sheet's fields, 409 with the current field in the sheet's shape
 */
export async function saveFieldForm(given: FieldForm, saving: Saving, ctx: CallContext): Promise<number> {
  const { module: name, form, base } = given
  return changeModule(name, undefined, saving, async (description, version) => {
    const { modules } = await saving.library.within(saving.trx, saving.caller.tenantId)
    const module = modules.get(name) ?? refuse(404, 'NOT_FOUND', text('model.unknown'))
    const before = module.fields.find((field) => field.name === given.name)
    if (given.name === '') refuseMore(module)
    if (given.name !== '' && before === undefined) refuse(404, 'NOT_FOUND', text('model.unknown-field'))
    if (base !== undefined && base !== version && before !== undefined)
      await refuseChanged({ module, before, base, version }, saving)
    const shipped = saving.library.vendor(name)?.fields.find((field) => field.name === given.name)
    if (shipped !== undefined) {
      const difference = differenceOfForm(form, shipped)
      return difference === null
        ? withoutField(description, shipped.name)
        : withField(description, difference)
    }
    const ruled = withRules(form, module, given.name)
    const named = before === undefined ? { ...ruled, name: await newName(form, module, saving) } : ruled
    const choice = await withDictionary(fieldOfForm(named, before), named, module, ctx)
    refuseSheet(fieldProblems(choice, ''), named)
    refuseSameOption(form, before)
    refuseSameLabel(labelText((choice as unknown as Field).label).trim(), before, module)
    const changed = withFittingMoves(withField(description, choice), choice as unknown as Field)
    refuseRing(changed, choice, module)
    return placed(changed, String(choice.name), form, module)
  })
}

/** 422 if the module cannot have more fields. */
function refuseMore(described: MergedModule): void {
  const reason = noMoreFields(described)
  if (reason !== '') refuse(422, 'BATCH_TOO_LARGE', reason)
}

/** 400 for a label that another field in use has, because users could not distinguish the two. An existing one is accepted. */
function refuseSameLabel(label: string, before: MergedField | undefined, module: MergedModule): void {
  if (before !== undefined && labelText(before.label) === label) return
  const isSame = module.fields.some(
    (field) => field.name !== before?.name && field.retired !== true && labelText(field.label) === label,
  )
  if (isSame) refuseFaults({ label: text('model.label-taken', { label }) })
  // The detail page of an own module says these of every record: a field called so would stand beside them.
  if (module.origin === 'tenant' && commonLabels(module, derivedWords()).includes(label))
    refuseFaults({ label: text('model.label-common', { label }) })
}

/** 400 for two options that users could not tell apart. Existing ones are accepted. */
function refuseSameOption(form: JsonObject, before: MergedField | undefined): void {
  const found = repeatedLabel(objectsIn(form.options))
  if (found === undefined || !['choice', 'choices'].includes(String(form.kind)) || form.source === 'dict')
    return
  const was = repeatedLabel((before?.options ?? []) as unknown as readonly JsonObject[])
  if (was?.label !== found.label)
    refuseFaults({ options: text('model.option-taken', { label: found.label }) })
}

/** 400 for a formula that reads itself, be it through others. */
function refuseRing(description: JsonObject, { kind }: JsonObject, { origin }: MergedModule): void {
  const [found] = cycleProblems(objectsIn(description.fields), origin === 'vendor' ? ownName : undefined)
  if (found === undefined) return
  const ring = String(found.said.message.params.ring)
  refuseFaults({ [kind === 'formula' ? 'formula_text' : 'default']: text('model.formula-ring', { ring }) })
}

/** The name of a new field: as entered, otherwise derived from the pinyin of its label. */
async function newName(form: JsonObject, module: MergedModule, { trx, caller }: Saving): Promise<string> {
  const label = typeof form.label === 'string' ? form.label.trim() : ''
  if (label === '') refuseFaults({ label: text('model.no-label') })
  const ownFields = module.fields.filter(({ origin }) => origin === 'tenant')
  const isTaken = (name: string) =>
    RESERVED.has(name) ||
    module.fields.some((field) => field.name === name) ||
    ownFields.some((field) => besideNames(field).includes(name))
  const kinds = await lastKinds(trx, caller.tenantId, module.name)
  const given = typeof form.name === 'string' ? form.name : ''
  if (given === '') return codeOf(label, (name) => isTaken(name) || kinds.has(name))
  if (!NAME.test(given)) refuseFaults({ name: text('model.name') })
  if (RESERVED.has(given)) refuseFaults({ name: text('model.name-reserved') })
  if (isTaken(given)) refuseFaults({ name: text('model.name-taken') })
  const was = kinds.get(given)?.kind
  if (was !== undefined && was !== form.kind) refuseFaults({ name: text('model.name-used') })
  return given
}

/** The field with a new dictionary of the sheet's options, if requested. */
async function withDictionary(
  field: JsonObject,
  form: JsonObject,
  module: MergedModule,
  ctx: CallContext,
): Promise<JsonObject> {
  if (form.source !== 'new' || (field.kind !== 'choice' && field.kind !== 'choices')) return field
  requires(ctx.caller, 'system:dict')
  const rows = optionRows(form, [])
  if (rows.length === 0) refuseFaults({ options: text('model.no-options') })
  const { rows: existingTypes } = await sql<{ key: string }>`select key from dict_type
    where tenant_id = ${ctx.caller.tenantId}`.execute(ctx.trx)
  const keys = new Set(existingTypes.map(({ key }) => key))
  const dict = codeOf(`${module.name}_${String(field.name)}`, (key) => keys.has(key))
  const named = typeof form.dict_name === 'string' && form.dict_name !== '' ? form.dict_name : field.label
  const items = rows.map(({ value, label, color = '' }) => ({ value, label, color }))
  await saveDict({ id: dict, create: true, name: named ?? null, items }, ctx)
  const { options: _, ...rest } = field
  const first = rows.find(({ label }) => label === form.default_option)?.value
  return { ...rest, dict, ...(field.kind === 'choice' && first !== undefined ? { default: first } : {}) }
}

/** The description with the field in the group that the sheet names; `+` creates one. */
function placed(
  description: JsonObject,
  name: string,
  { group, group_label }: JsonObject,
  module: MergedModule,
): JsonObject {
  if (madeBy(module) !== 'tenant' || typeof group !== 'string' || group === '') return description
  const groups = groupsOf(module).map((one) => ({
    name: one.name,
    label: labelText(one.label) || labelText(module.label),
    fields: one.fields.filter((other) => other !== name && isDescribed(description, other)),
  }))
  const was = groupsOf(module).find((one) => one.fields.includes(name))?.name
  if (was === group) return description
  if (group !== '+')
    return {
      ...description,
      groups: groups.map((one) => (one.name === group ? { ...one, fields: [...one.fields, name] } : one)),
    }
  const label = typeof group_label === 'string' ? group_label.trim() : ''
  if (label === '') refuseFaults({ group_label: text('model.no-label') })
  const code = codeOf(label, (other) => groups.some((one) => one.name === other))
  return { ...description, groups: [...groups, { name: code, label, fields: [name] }] }
}

interface Changed {
  readonly module: MergedModule
  readonly before: MergedField
  readonly base: number
  readonly version: number
}

/** 409 if the field itself has changed since the version with which the sheet was opened. */
async function refuseChanged({ module, before, base, version }: Changed, saving: Saving): Promise<void> {
  const { rows } = await sql<{ description: Json }>`select description from module_override
    where tenant_id = ${saving.caller.tenantId} and name = ${module.name} and version in (${base}, ${version})
    order by version`.execute(saving.trx)
  const [was, is] = rows.map(({ description }) => fieldIn(description, before.name))
  if (rows.length === 2 && sameJson(was ?? null, is ?? null)) return
  if (base === 0 && rows.length === 1 && was === null) return
  refuse(409, 'VERSION_CONFLICT', text('model.conflict'), {
    data: { version, current: { ...fieldForm(before), version } },
  })
}

function fieldIn(description: Json, name: string): Json {
  const fields = isObject(description) && Array.isArray(description.fields) ? description.fields : []
  return fields.find((field) => isObject(field) && field.name === name) ?? null
}

const FAULTS = {
  max: 'model.fault.max',
  min: 'model.fault.min',
  default: 'model.fault.default',
  module: 'model.fault.module',
  number: 'model.fault.number',
  formula_text: 'model.formula-none',
  rollup_at: 'model.fault.rollup',
  rows: 'model.fault.rows',
  dict: 'model.no-options',
  options: 'model.no-options',
  name: 'model.name',
  label: 'model.no-label',
  kind: 'model.fault.kind',
} as const

/** 400 with the errors of a field as texts for its sheet, and unchanged for programs. */
function refuseSheet(problems: readonly ModuleProblem[], form: JsonObject): void {
  const fields = Object.fromEntries(
    problems.map((problem) => {
      const at = placeOf(problem, form)
      return [at, text(faultAt(at, form))]
    }),
  )
  const [first] = Object.values(fields)
  if (first !== undefined)
    refuse(400, 'VALIDATION', first, { fields, data: { problems: problems.map(shownProblem) } })
}

function faultAt(at: string, { number }: JsonObject) {
  if (at === 'number' && typeof number === 'string' && number.trim() !== '') return 'model.fault.pattern'
  return Object.hasOwn(FAULTS, at) ? FAULTS[at as keyof typeof FAULTS] : 'model.fault.other'
}

/** The sheet's input for each error; a missing attribute has no place of its own in the field. */
function placeOf({ at, code, said }: ModuleProblem, { source }: JsonObject): string {
  const key = formName(at.split('/')[1] ?? '')
  if (code !== 'KEY_MISSING' || key !== '') return key === '' ? 'label' : key
  const missing = String(said.message.params.key).split(' / ').map(formName)
  if (missing.includes('dict')) return source === 'dict' ? 'dict' : 'options'
  return missing.find((name) => Object.hasOwn(FAULTS, name)) ?? 'label'
}

/** A formula is shown in the sheet as people write it, a rollup as the module and its field. */
const FORM_NAMES: Readonly<Record<string, string>> = {
  formula: 'formula_text',
  rollup: 'rollup_at',
  fields: 'rows',
}
const formName = (key: string): string => FORM_NAMES[key] ?? key
