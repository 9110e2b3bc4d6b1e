import { isObject, type Json, type JsonObject, sameJson } from '../../../../runtime/core/json.ts'
import type { Field, KindName, Label } from '../../../model/description.ts'
import { canOffer } from '../../../model/field-offers.ts'
import { splitCell } from '../../../model/kind.ts'
import { isKindName, kindOf } from '../../../model/kinds/index.ts'
import { labelText, relabelled } from '../../../model/labels.ts'
import type { MergedField } from '../../../model/merge-module.ts'
import { codeOf } from './codes.ts'
import { FLAGS, PLAIN, ruleOf } from './field-form.ts'

/** Attributes that a tenant may change for a product's field. */
const FLAGS_OF_VENDOR = ['filter', 'sort', 'card', 'patch', 'retired'] as const

/**
 * The field that a form describes, without attributes that its kind does not have, and without empty ones.
 *
 * @param before  the existing field; attributes that are not part of the form stay
 */
export function fieldOfForm(form: JsonObject, before: MergedField | undefined): JsonObject {
  const kind = isKindName(form.kind) ? form.kind : (before?.kind ?? null)
  const name = before?.name ?? form.name ?? null
  const isDerived = kind !== null && kindOf(kind).derived === true
  const shared = {
    name,
    label: relabelled(givenValue(form.label), before?.label),
    help: relabelled(givenValue(form.help), before?.help),
    required: isDerived ? undefined : requiredOf(form, before),
  }
  if (kind === null) return present({ ...shared, kind: form.kind })
  const { attributes } = kindOf(kind)
  const everywhere: readonly string[] = isDerived ? [] : ['default', 'unique']
  const plain = PLAIN.filter((key) => everywhere.includes(key) || attributes.includes(key))
  const allowed = FLAGS.filter((flag) => flag === 'retired' || canOffer(kind, flag))
  const retained = {
    formula: isObject(form.formula) ? form.formula : before?.formula,
    rollup: rollupOf(form, before),
    fields: rowsOf(form, before),
    rows: before?.rows,
    worked: before?.worked,
    pattern: 'pattern' in form ? givenValue(form.pattern) : before?.pattern,
    result: before?.result ?? (kind === 'formula' ? 'number' : undefined),
    mask: typeof form.masked === 'boolean' ? (form.masked ? 'pool' : undefined) : before?.mask,
    readonly: fixedOf(form, before),
    import: alsoOf(form, before?.import),
    since: before?.since,
  }
  const common = ['mask', 'readonly', 'import', 'since']
  return present({
    ...Object.fromEntries(
      Object.entries(retained).filter(
        ([key]) => common.includes(key) || attributes.includes(key as keyof Field),
      ),
    ),
    ...shared,
    kind,
    ...Object.fromEntries(allowed.map((flag) => [flag, form[flag] === true ? true : undefined])),
    ...Object.fromEntries(
      plain.map((key) => [key, key === 'default' ? defaultOf(form, kind, before) : givenValue(form[key])]),
    ),
    ...choicesOf(form, attributes, before),
    ...(kind === 'choice' && 'default_option' in form ? { default: optionOf(form, attributes, before) } : {}),
    ...(attributes.includes('inverse') ? { inverse: inverseOf(form, name, before) } : {}),
  })
}

/** A tenant's changes to a product's field: only what differs; null if nothing does. */
export function differenceOfForm(form: JsonObject, shipped: Field): JsonObject | null {
  const given: Readonly<Record<string, unknown>> = {
    label: differs(givenValue(form.label), labelOf(shipped.label)),
    help: differs(givenValue(form.help), labelOf(shipped.help)),
    required: differs(requiredOf(form, { ...shipped, origin: 'vendor' }), shipped.required),
    import: 'also' in form ? differs(alsoOf(form, undefined), shipped.import) : undefined,
    ...Object.fromEntries(
      FLAGS_OF_VENDOR.filter((flag) => flag in form).map((flag) => {
        const is = form[flag] === true
        return [flag, is === (shipped[flag] === true) ? undefined : is]
      }),
    ),
  }
  const found = present(given)
  return Object.keys(found).length === 0 ? null : { name: shipped.name, ...found }
}

/** Read-only once the record exists; a field that nobody can write stays so. */
function fixedOf(form: JsonObject, before: MergedField | undefined): Json | undefined {
  if (typeof form.fixed !== 'boolean' || before?.readonly === 'always') return before?.readonly
  return form.fixed ? 'created' : undefined
}

/** Alternative column titles in files, from one line of input. */
function alsoOf({ also }: JsonObject, before: readonly string[] | undefined): Json | undefined {
  if (typeof also !== 'string') return before === undefined ? undefined : [...before]
  const words = [...new Set(splitCell(also))]
  return words.length === 0 ? undefined : words
}

/** The default option of a new record: for a dictionary its value, for the field's own options the one with that label. */
function optionOf(
  form: JsonObject,
  attributes: readonly (keyof Field)[],
  before: MergedField | undefined,
): Json | undefined {
  const chosen = givenValue(form.default_option)
  if (chosen === undefined && isObject(before?.default)) return before.default
  const { options } = choicesOf(form, attributes, before)
  if (chosen === undefined || !Array.isArray(options)) return chosen
  const found = options.filter(isObject).find(({ label }) => labelText(label as Label) === chosen)
  return found?.value
}

/** The default of a new record: a number if the kind stores one, or the time or person if the sheet says so. */
function defaultOf(form: JsonObject, kind: KindName, before: MergedField | undefined): Json | undefined {
  const special = givenValue(form.default_now) ?? givenValue(form.default_me)
  if (special !== undefined) return special
  if (kind === 'flag' && form.default_yes === 'yes') return true
  if (isObject(form.default)) return form.default
  const given = givenValue(form.default)
  if (given === 'now' || given === 'me') return 'default_now' in form ? undefined : given
  if (isObject(before?.default)) return before.default
  if (kind === 'flag' && typeof form.default_yes === 'string') return given === true ? undefined : given
  const isNumber =
    kindOf(kind).stored === 'number' && typeof given === 'string' && !Number.isNaN(Number(given))
  return isNumber ? Number(given) : given
}

const labelOf = (label: Label | undefined): string | undefined =>
  label === undefined ? undefined : labelText(label)

const differs = (given: Json | undefined, shipped: unknown): Json | undefined =>
  given === undefined || sameJson(given, (shipped ?? null) as Json) ? undefined : given

function givenValue(value: Json | undefined): Json | undefined {
  return value === null || value === '' ? undefined : value
}

/** Older callers send `required` as a flag; a rule that the form cannot show stays unchanged. */
function requiredOf(form: JsonObject, before: MergedField | undefined): Json | undefined {
  const { required } = form
  if (required === 'when') return ruleOf(form) ?? undefined
  if (required === true || required === 'yes') return true
  const keepsStored = required === 'rule' || typeof required === 'boolean'
  return keepsStored && isObject(before?.required) ? (before.required as JsonObject) : undefined
}

/** Options from the form's rows; a new one gets a unique code. */
function choicesOf(
  form: JsonObject,
  attributes: readonly (keyof Field)[],
  before: MergedField | undefined,
): { readonly options?: Json; readonly dict?: undefined } {
  if (!attributes.includes('options')) return {}
  const isOwn =
    form.source === 'options' || (form.source === undefined && givenValue(form.dict) === undefined)
  if (!isOwn) return {}
  const rows = optionRows(form, before?.options?.map(({ value }) => value) ?? [])
  const known = new Map(before?.options?.map((option) => [option.value, option]))
  const options = rows.map(({ value, label: words, color: given }) => {
    const { color: before, label: was } = known.get(value) ?? {}
    const label = relabelled(words, was) ?? null
    const color = given ?? before ?? ''
    return color === '' ? { value, label } : { value, label, color }
  })
  return { dict: undefined, ...(options.length > 0 ? { options } : {}) }
}

/** Rows of options, each with a code; `color` if a row has one, '' for none. @param known  codes that were used before and keep their meaning */
export function optionRows(
  { options }: JsonObject,
  known: readonly string[],
): readonly { readonly value: string; readonly label: Json; readonly color?: string }[] {
  const rows = (Array.isArray(options) ? options : []).filter(isObject)
  const usedValues = new Set([...known, ...rows.map(({ value }) => String(value ?? ''))])
  const fresh = (from: number): string => {
    let next = from
    while (usedValues.has(`v${next}`)) next += 1
    usedValues.add(`v${next}`)
    return `v${next}`
  }
  return rows.map(({ value, label, color }, i) => ({
    value: typeof value === 'string' && value !== '' ? value : fresh(i + 1),
    label: label ?? null,
    ...(color === undefined ? {} : { color: typeof color === 'string' ? color : '' }),
  }))
}

/** The tab on the other side; it keeps its path. */
function inverseOf(form: JsonObject, name: Json, before: MergedField | undefined): Json | undefined {
  if (!('inverse' in form)) return before?.inverse as Json | undefined
  const label = givenValue(form.inverse)
  if (label === undefined) return undefined
  return { tab: before?.inverse?.tab ?? `by_${String(name)}`.slice(0, 40), label }
}

/** Fields of a row; existing ones keep their codes, and attributes that are not part of the sheet. */
function rowsOf({ rows }: JsonObject, before: MergedField | undefined): Json | undefined {
  const was = before?.fields ?? []
  if (!Array.isArray(rows)) return before?.fields as Json | undefined
  const given = rows.filter(isObject).filter(({ label }) => givenValue(label) !== undefined)
  const usedNames = new Set(given.map(({ name }) => String(name ?? '')))
  return given.map((row): Json => {
    const name =
      typeof row.name === 'string' && row.name !== ''
        ? row.name
        : codeOf(String(row.label), (one) => usedNames.has(one))
    usedNames.add(name)
    const known = was.find((one) => one.name === name && one.kind === row.kind)
    const options = row.kind === 'choice' ? rowOptions(row.options ?? null, known?.options) : undefined
    return present({
      ...known,
      name,
      kind: row.kind,
      label: relabelled(row.label, known?.label),
      required: row.required === true ? true : undefined,
      retired: row.retired === true ? true : undefined,
      ...(options === undefined ? {} : { options, dict: undefined }),
    })
  })
}

/** Options from one line of input; existing ones keep their codes. */
function rowOptions(written: Json, known: Field['options'] = []): Json | undefined {
  const words = typeof written === 'string' ? [...new Set(splitCell(written))] : []
  if (words.length === 0) return undefined
  const codes = new Map(known.map(({ label, value }) => [labelText(label), value]))
  const rows = words.map((label) => ({ label, value: codes.get(label) ?? null }))
  return optionRows({ options: rows }, [...codes.values()]).map((row): Json => ({ ...row }))
}

/** What is aggregated over which records: `rollup_at` is the module and its field that refers to this one. */
function rollupOf(form: JsonObject, before: MergedField | undefined): Json | undefined {
  const [module, by] = String(givenValue(form.rollup_at) ?? '').split('/')
  if (module === undefined || by === undefined) return before?.rollup as Json | undefined
  const of = givenValue(form.rollup_of) ?? 'count'
  const field = of === 'count' ? undefined : givenValue(form.rollup_field)
  return { module, by, of, ...(field === undefined ? {} : { field }) }
}

/** Only the given attributes. */
const present = (given: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as JsonObject
