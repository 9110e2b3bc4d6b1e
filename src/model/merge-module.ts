import { phrase } from '../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject, sameJson } from '../../runtime/core/json.ts'
import { nameHint } from '../../runtime/core/page/nearest-type.ts'
import { fieldProblems, repeatProblems } from './check-field.ts'
import { cycleProblems, reservedProblems } from './check-module.ts'
import type { Field, Group, Label, ModuleDescription } from './description.ts'
import { ownName } from './form-fields.ts'
import { type ModuleProblem, moduleProblem } from './module-problem.ts'

/**
 * What a module or a field lives by: a column and code of the product, or its description alone, its values in `ext`. The latter are a
 * tenant's own, or `shipped` by the product.
 */
export type Origin = 'vendor' | 'tenant'

/** Made by the product and living by its description: a tenant changes it like everything of the product. */
interface Shipped {
  readonly shipped?: true
}

/** Who made a module or a field: people may take away what is their own. */
export const madeBy = ({ origin, shipped }: { readonly origin: Origin } & Shipped): Origin =>
  shipped === true ? 'vendor' : origin

/** A field and who made it. The tenant's own fields of a vendor's module stand under `ext` on the wire and in the database. */
export interface MergedField extends Field, Shipped {
  readonly origin: Origin
  /** The vendor's field, said otherwise by the tenant. */
  readonly changed?: true
}

/** A module as a tenant has it. */
export interface MergedModule extends Omit<ModuleDescription, 'fields'>, Shipped {
  readonly origin: Origin
  readonly fields: readonly MergedField[]
}

/**
 * What a tenant says otherwise of a vendor's module: further fields, and of the vendor's the few things that may differ.
 * `groups` name the places of fields: a group of the vendor's is replaced by the one of its name, another is added.
 */
export interface ModuleDifference {
  readonly name: string
  readonly label?: Label
  readonly fields?: readonly (Field | (Partial<Field> & { readonly name: string }))[]
  readonly groups?: readonly Group[]
}

/** What a tenant may say otherwise of a vendor's field; rules, kinds and storage stay the vendor's. */
const CHANGEABLE = [
  'label',
  'help',
  'required',
  'default',
  'filter',
  'sort',
  'card',
  'patch',
  'import',
  'retired',
] as const satisfies readonly (keyof Field)[]

export type Changeable = (typeof CHANGEABLE)[number]

/** What a tenant says otherwise of a field than the vendor does. */
export const overriddenAttributes = (field: Field, vendor: Field): readonly Changeable[] =>
  CHANGEABLE.filter((key) => !sameJson((field[key] ?? null) as Json, (vendor[key] ?? null) as Json))

/** Bounds of what one tenant may add. */
export const MAX_OWN_FIELDS = 200
export const MAX_OWN_MODULES = 50
export const MAX_INDEXED_FIELDS = 20

/** A module nobody has changed. */
export function asMerged(module: ModuleDescription, origin: Origin): MergedModule {
  return { ...module, origin, fields: module.fields.map((field) => ({ ...field, origin })) }
}

/** A module of the product that lives by its description (`store`), as the readers of such modules have it. */
export function asRecords(module: MergedModule): MergedModule {
  const fields = module.fields.map(
    (field): MergedField =>
      field.origin === 'vendor' ? { ...field, origin: 'tenant', shipped: true } : field,
  )
  return { ...module, origin: 'tenant', shipped: true, fields }
}

/** The vendor's module with the tenant's difference over it. What the difference names that is gone is left out, never an error. */
export function mergeModule(vendor: ModuleDescription, difference: ModuleDifference): MergedModule {
  const given = new Map((difference.fields ?? []).map((field) => [field.name, field]))
  const changed = vendor.fields.map((field): MergedField => {
    const over = given.get(field.name)
    if (over === undefined) return { ...field, origin: 'vendor' }
    given.delete(field.name)
    const overrides = CHANGEABLE.flatMap((key) => (over[key] === undefined ? [] : [[key, over[key]]]))
    return { ...field, ...Object.fromEntries(overrides), origin: 'vendor', changed: true }
  })
  const ownFields = [...given.values()].filter((field): field is Field => field.kind !== undefined)
  const fields = [...changed, ...ownFields.map((field): MergedField => ({ ...field, origin: 'tenant' }))]
  return {
    ...vendor,
    ...(difference.label === undefined ? {} : { label: difference.label }),
    origin: 'vendor',
    fields,
    groups: groupsOf({ fields, groups: mergedGroups(vendor.groups ?? [], difference.groups ?? []) }),
  }
}

function mergedGroups(vendor: readonly Group[], over: readonly Group[]): readonly Group[] {
  const added = over.filter((group) => !vendor.some(({ name }) => name === group.name))
  return [...vendor.map((group) => over.find(({ name }) => name === group.name) ?? group), ...added]
}

/** Groups with every field in exactly one of them: what is named nowhere stands at the end of the first. */
export function groupsOf({
  fields,
  groups = [],
}: {
  readonly fields: readonly Field[]
  readonly groups?: readonly Group[]
}): readonly Group[] {
  const seen = new Set<string>()
  const named = groups.map((group) => ({
    ...group,
    fields: group.fields.filter((name) => {
      const isNew = !seen.has(name) && fields.some((field) => field.name === name)
      seen.add(name)
      return isNew
    }),
  }))
  const ungrouped = fields.filter(({ name }) => !seen.has(name)).map(({ name }) => name)
  const [first, ...others] = named
  if (first === undefined) return [{ name: 'basic', label: '', fields: ungrouped }]
  return [{ ...first, fields: [...first.fields, ...ungrouped] }, ...others]
}

/**
 * The faults of a difference, each with its pointer into it.
 * @param previousNames  own fields that were there before: those whose name is reserved keep it
 */
export function differenceProblems(
  vendor: ModuleDescription,
  difference: JsonObject,
  previousNames?: ReadonlySet<string>,
): readonly ModuleProblem[] {
  const allowed = ['name', 'label', 'fields', 'groups']
  const keys = Object.keys(difference)
    .filter((key) => !allowed.includes(key))
    .map((key) =>
      moduleProblem(
        'KEY_UNKNOWN',
        `/${key}`,
        phrase('{owner} has no "{key}"', { owner: phrase('what a tenant says otherwise'), key }),
        nameHint(key, allowed),
      ),
    )
  const fields = Array.isArray(difference.fields) ? difference.fields : []
  const tooMany = tooManyOwnProblems(vendor, difference)
  if (tooMany.length > 0) return [...keys, ...tooMany]
  return [
    ...keys,
    ...fields.flatMap((field, i) => memberProblems(vendor, field as Json, `/fields/${i}`, previousNames)),
    ...repeatProblems(fields as readonly Json[]),
    ...cycleProblems(fields as readonly Json[], ownName),
  ]
}

/** More fields than a tenant may add or change; nothing else is read of them then. */
export function tooManyOwnProblems(
  vendor: ModuleDescription,
  { fields = [] }: JsonObject,
): readonly ModuleProblem[] {
  if (!Array.isArray(fields)) return []
  const names = new Set(vendor.fields.map(({ name }) => name))
  const ownFields = fields.filter((field) => isObject(field) && !names.has(String(field.name)))
  const count = fields.length > MAX_OWN_FIELDS + names.size ? fields.length : ownFields.length
  if (count <= MAX_OWN_FIELDS) return []
  const sentence = phrase('{count} own fields', { count })
  return [
    moduleProblem('VALUE_INVALID', '/fields', sentence, phrase('{most} at most', { most: MAX_OWN_FIELDS })),
  ]
}

function memberProblems(
  vendor: ModuleDescription,
  field: Json,
  at: string,
  previousNames?: ReadonlySet<string>,
): readonly ModuleProblem[] {
  const vendorField = isObject(field) ? vendor.fields.find(({ name }) => name === field.name) : undefined
  if (vendorField === undefined || !isObject(field))
    return [...fieldProblems(field, at), ...reservedProblems(field, at, previousNames)]
  const refused = Object.keys(field).filter(
    (key) =>
      key !== 'name' &&
      !CHANGEABLE.some((one) => one === key) &&
      field[key] !== vendorField[key as keyof Field],
  )
  const loosened =
    vendorField.required === true && (field.required === false || field.retired === true)
      ? [
          moduleProblem(
            'VALUE_INVALID',
            at,
            phrase('"{name}" is needed by the product', { name: vendorField.name }),
            phrase('leave it required'),
          ),
        ]
      : []
  return [
    ...loosened,
    ...refused.map((key) =>
      moduleProblem(
        'VALUE_INVALID',
        `${at}/${key}`,
        phrase('"{key}" of "{name}" is the product’s', { key, name: vendorField.name }),
        phrase('may differ: {keys}', { keys: CHANGEABLE.join(', ') }),
      ),
    ),
    ...(refused.length > 0 ? [] : fieldProblems({ ...(vendorField as unknown as JsonObject), ...field }, at)),
  ]
}
