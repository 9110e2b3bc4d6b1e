import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { MAX_FIELDS, RESERVED } from '../../../model/attributes.ts'
import type { Field, ModuleDescription } from '../../../model/description.ts'
import type { GuessedField } from '../../../model/guess-fields.ts'
import { splitCell } from '../../../model/kind.ts'
import { isKindName, kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import { isNumberPattern } from '../../../model/number-pattern.ts'
import { isParent } from '../../../model/tree.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { text } from '../../kernel/text/text.ts'
import { codeOf } from './codes.ts'
import { movesByOrder } from './statuses.ts'
import { approvalWith, switchedOn, USUAL, withSwitched } from './switched.ts'

/** The sheet of a new module: its name, its fields as rows, the module it belongs to, its statuses. */
export function moduleForm(template: ModuleDescription): JsonObject {
  const parent = parentOf(template)
  const status = statusField(template)
  return {
    label: labelText(template.label),
    name: template.name,
    number: template.number ?? null,
    belongs: parent?.module ?? '',
    behaviours: [...switchedOn(template.behaviours)],
    states: status !== undefined,
    states_text: (status?.options ?? []).map(({ label }) => labelText(label)).join('、'),
    rows: template.fields
      .filter((field) => field !== parent && field !== status)
      .map((field) => rowOf(field)),
  }
}

/**
 * The sheet for the columns of a file: its rows, and the status if a column seems to contain one. If a column of that name has other values, it
 * becomes an ordinary field, and the module gets no status.
 */
export function guessForm(fields: readonly GuessedField[], states: readonly string[] | null): JsonObject {
  const status = text('model.status')
  const isThere = fields.some(({ label }) => label === status)
  const rows = fields
    .filter(({ label }) => states === null || label !== status)
    .map(({ label, kind, required, options }) => ({
      name: null,
      label,
      kind,
      required,
      options: options.join('、'),
    }))
  if (!isThere) return { rows }
  return { rows, states: states !== null, states_text: states?.join('、') ?? '' }
}

const rowOf = ({ name, label, kind, required, options = [] }: Field): JsonObject => ({
  name,
  label: labelText(label),
  kind,
  required: required === true,
  options: options.map((option) => labelText(option.label)).join('、'),
})

/** The field that says what its records belong to: those of another module. */
const parentOf = (module: ModuleDescription): Field | undefined =>
  module.fields.find(
    (field) =>
      field.kind === 'ref' &&
      field.inverse !== undefined &&
      field.name !== module.title &&
      !isParent(field, module.name),
  )

const statusField = ({ fields, statuses }: ModuleDescription): Field | undefined =>
  fields.find(({ name }) => name === statuses?.field)

/**
 * The module that the sheet describes. Attributes of a template beyond the sheet (bounds, defaults, rules, where a field is offered) are kept for
 * the fields that still exist.
 *
 * @param isTaken  names of existing modules
 * @param isLabelTaken  labels of existing modules: people could not tell two with one label apart
 * @throws Refusal 400 with the sheet's fields
 */
export function moduleOfForm(
  form: JsonObject,
  template: ModuleDescription | undefined,
  isTaken: (name: string) => boolean,
  isLabelTaken: (label: string) => boolean = () => false,
): ModuleDescription {
  const label = words(form.label)
  if (label === '') refuseFaults({ label: text('model.no-label') })
  if (isLabelTaken(label)) refuseFaults({ label: text('model.module-label-taken', { label }) })
  const given = words(form.name)
  if (given !== '' && isTaken(given)) refuseFaults({ name: text('model.module-taken') })
  const name = given === '' ? codeOf(label, isTaken) : given
  const rows = (Array.isArray(form.rows) ? form.rows : []).filter(isObject)
  if (rows.length > MAX_FIELDS) refuseFaults({ rows: text('model.too-many-fields', { most: MAX_FIELDS }) })
  const fields = fieldsOfRows(rows, template)
  const title = fields.find(({ kind }) => kind === 'text') ?? titleField()
  const listed = fields.includes(title) ? fields : [title, ...fields]
  const named = listed.map((one) => (one === title ? { ...one, required: true as const, search: true } : one))
  const parent = belongsTo(form, { name, label }, template)
  const status = statesOf(form, template, named)
  const at = named.findIndex((one) => one.name === title.name) + 1
  const all = [...named.slice(0, at), ...parent, ...named.slice(at), ...status.fields]
  const number = numberOf(form)
  refuseFaults(numberFaults(number))
  const behaviours = withSwitched(
    ['owned', 'history', 'recycle'],
    form.behaviours ?? [...(template === undefined ? USUAL : switchedOn(template.behaviours))],
  )
  const approval = approvalWith(behaviours, template?.approval)
  return {
    name,
    label,
    icon: template?.icon ?? 'AppOutline',
    title: title.name,
    behaviours,
    ...(approval === undefined ? {} : { approval }),
    ...(number === '' ? {} : { number }),
    fields: all.filter((field, i) => all.findIndex((other) => other.name === field.name) === i),
    ...(status.moves === undefined ? {} : { statuses: { field: status.field, moves: status.moves } }),
    menu: { place: form.place === 'home' || form.place === 'none' ? form.place : 'work' },
    tile: { label: text('model.tile', { label }) },
  }
}

/** The pattern of the records' numbers on a sheet; empty for none. */
export const numberOf = (form: JsonObject): string => words(form.number)

/** What is wrong with it, at the sheet's field. */
export const numberFaults = (number: string): Readonly<Record<string, string>> =>
  number === '' || isNumberPattern(number) ? {} : { number: text('model.fault.pattern') }

const titleField = (): Field => ({ name: 'title', kind: 'text', label: text('model.title'), max: 100 })

const words = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '')

function fieldsOfRows(
  rows: readonly JsonObject[],
  template: ModuleDescription | undefined,
): readonly Field[] {
  const usedNames = new Set<string>()
  return rows.map((row, i): Field => {
    const label = words(row.label)
    if (label === '') refuseFaults({ rows: text('model.row.no-label', { n: i + 1 }) })
    if (rows.findIndex((one) => words(one.label) === label) < i) refuseRow('model.label-taken', label)
    const { kind } = row
    if (!isKindName(kind)) return refuseRow('model.row.no-kind', label)
    const known = template?.fields.find((field) => field.name === row.name && field.kind === kind)
    const name = known?.name ?? codeOf(label, (one) => usedNames.has(one) || RESERVED.has(one))
    usedNames.add(name)
    const options = optionsOf(words(row.options), known)
    if ((kind === 'choice' || kind === 'choices') && known?.dict === undefined && options.length === 0)
      return refuseRow('model.row.no-options', label)
    const base: Field = known ?? { name, kind, label, ...offers(kind, i) }
    const { options: _, required: __, ...rest } = base
    return {
      ...rest,
      label,
      ...(row.required === true
        ? { required: true }
        : isObject(base.required)
          ? { required: base.required }
          : {}),
      ...(kindOf(kind).attributes.includes('options') && known?.dict === undefined ? { options } : {}),
    }
  })
}

function refuseRow(
  code: 'model.row.no-kind' | 'model.row.no-options' | 'model.label-taken',
  label: string,
): never {
  refuseFaults({ rows: text(code, { label }) })
  throw new Error('a fault was refused')
}

/** Where a field with only a name is offered: in filters and sorts if possible, up to the limits of lists. */
const MAX_OFFERED = 10
function offers(kind: Field['kind'], index: number): Partial<Field> {
  const { index: mirrored, sorts, face } = kindOf(kind)
  if (index >= MAX_OFFERED || mirrored === null || face === null) return {}
  return { filter: true, ...(sorts === true && kind !== 'text' ? { sort: true } : {}) }
}

/** Options by label; those of the template keep their codes and colours. */
function optionsOf(written: string, known: Field | undefined): NonNullable<Field['options']> {
  const labels = [...new Set(splitCell(written))]
  const usedValues = new Set((known?.options ?? []).map(({ value }) => value))
  return labels.map((label) => {
    const found = known?.options?.find((option) => labelText(option.label) === label)
    if (found !== undefined) return found
    const value = codeOf(label, (one) => usedValues.has(one))
    usedValues.add(value)
    return { value, label }
  })
}

/** The field that refers to the parent record, which gets a tab with the list of these records. */
function belongsTo(
  form: JsonObject,
  { name, label }: { readonly name: string; readonly label: string },
  template: ModuleDescription | undefined,
): readonly Field[] {
  const module = words(form.belongs)
  if (module === '') return []
  const known = template === undefined ? undefined : parentOf(template)
  if (known?.module === module) return [{ ...known, inverse: { tab: name, label } }]
  return [
    {
      name: `${module.slice(0, 36)}_id`,
      kind: 'ref',
      module,
      label: words(form.belongs_label) || text('model.belongs'),
      required: true,
      filter: true,
      card: true,
      inverse: { tab: name, label },
    },
  ]
}

interface States {
  readonly field: string
  readonly fields: readonly Field[]
  readonly moves?: Readonly<Record<string, readonly string[]>>
}

/**
 * The status field and its transitions: the template's if the labels are unchanged; otherwise to any later status, and from the last to the first.
 */
function statesOf(
  form: JsonObject,
  template: ModuleDescription | undefined,
  others: readonly Field[],
): States {
  const none: States = { field: '', fields: [] }
  if (form.states !== true) return none
  const known = template === undefined ? undefined : statusField(template)
  const labels = [...new Set(splitCell(words(form.states_text)))]
  if (labels.length < 2) refuseFaults({ states_text: text('model.few-states') })
  const options = optionsOf(labels.join('、'), known)
  const isSame =
    known?.options?.length === options.length && options.every((option) => known.options?.includes(option))
  const name = known?.name ?? codeOf('status', (one) => others.some((other) => other.name === one))
  const [first] = options
  const field: Field = {
    name,
    kind: 'choice',
    label: known?.label ?? text('model.status'),
    filter: true,
    ...(first === undefined ? {} : { default: first.value }),
    options,
  }
  if (isSame && known !== undefined) return { field: name, fields: [known], ...movesOf(template) }
  return { field: name, fields: [field], moves: movesByOrder(field) }
}

const movesOf = (template: ModuleDescription | undefined): Pick<States, 'moves'> =>
  template?.statuses === undefined ? {} : { moves: template.statuses.moves }
