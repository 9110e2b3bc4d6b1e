import { type Problem, phrase } from '../../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { Field, ModuleDescription } from '../description.ts'
import { type Changeable, groupsOf, overriddenAttributes } from '../merge-module.ts'
import { type ModelOf, unknownModule, unknownName, withoutOverridden } from './named.ts'

/** The modules as the page's reader has them, and as they are shipped. */
export interface Models {
  readonly model: ModelOf
  readonly vendor: ModelOf
}

/** A field that a reference stands for, what the page says of it, and how its name was said (`sign_date desc`). */
interface Chosen {
  readonly field: Field
  readonly options: JsonObject
  readonly said: string
}

/** Fields that a reference stands for, and what it names in vain. */
export interface Choice {
  readonly chosen: readonly Chosen[]
  readonly problems: readonly Problem[]
}

interface Asking {
  /** `customer`, or one of its groups: `customer/basic`. */
  readonly of: string
  /** The attribute that brings a field there by itself; null: every field is there. */
  readonly mark: (Changeable & ('filter' | 'sort' | 'card')) | null
  /** A retired field that the page names is there all the same: its rules and actions may name it. */
  readonly keepsRetired?: true
  /** What records of the product have beside the fields of their module. */
  readonly common?: readonly Field[]
}

const NONE: Choice = { chosen: [], problems: [] }

/**
 * The fields that `{ only, options }` of a reference choose: those of `only` in its order, else all that carry the mark; an option that is null takes
 * its field out. A tenant that sets or takes away the mark of a field of the product has the last word.
 */
export function chosenFields(
  { only, options }: JsonObject,
  { of, mark, keepsRetired, common = [] }: Asking,
  models: Models,
): Choice {
  const [name = '', group] = of.split('/')
  const module = models.model(name)
  if (module === undefined) return { ...NONE, problems: [unknownModule(name)] }
  const fields = inOrder(module, group)
  if (fields === null) return { ...NONE, problems: [unknownGroup(module, group ?? '')] }
  const offered = [
    ...fields,
    ...common.filter((one) => !module.fields.some((field) => field.name === one.name)),
  ]
  const byName = new Map(offered.map((field) => [field.name, field]))
  const names = Array.isArray(only) ? only.map(String) : marked(fields, mark)
  const more = isObject(options) ? options : {}
  const unknown = [...names.map(nameIn), ...Object.keys(more)].filter((one) => !byName.has(one))
  const shipped = models.vendor(name)
  const withRetired = keepsRetired === true && Array.isArray(only)
  const chosen = withTenants(names, module, shipped, mark).flatMap((said): Chosen[] => {
    const field = byName.get(nameIn(said))
    const override: Json | undefined = more[nameIn(said)]
    if (field === undefined || override === null || (field.retired === true && !withRetired)) return []
    return [{ field, options: withoutOverridden(isObject(override) ? override : {}, field, shipped), said }]
  })
  return {
    chosen,
    problems: [...new Set(unknown)].map((one) =>
      unknownName(phrase('fields of {owner}', { owner: of }), one, [...byName.keys()]),
    ),
  }
}

/** `sign_date` of `sign_date desc`. */
const nameIn = (said: string): string => said.split(' ')[0] ?? ''

const marked = (fields: readonly Field[], mark: Asking['mark']): readonly string[] =>
  fields.flatMap((field) => (mark === null || field[mark] === true ? [field.name] : []))

/** The fields of a module, or of one of its groups, in their order; null: there is no such group. */
function inOrder(module: ModuleDescription, group: string | undefined): readonly Field[] | null {
  const groups = groupsOf(module).filter(({ name }) => group === undefined || name === group)
  if (groups.length === 0) return null
  return groups.flatMap(({ fields }) =>
    fields.flatMap((name) => module.fields.find((field) => field.name === name) ?? []),
  )
}

const unknownGroup = (module: ModuleDescription, group: string): Problem =>
  unknownName(
    phrase('groups of {owner}', { owner: module.name }),
    group,
    groupsOf(module).map(({ name }) => name),
  )

function withTenants(
  names: readonly string[],
  { fields }: ModuleDescription,
  shipped: ModuleDescription | undefined,
  mark: Asking['mark'],
): readonly string[] {
  if (mark === null) return names
  const others = fields.filter((field) => {
    const was = shipped?.fields.find(({ name }) => name === field.name)
    return was !== undefined && was !== field && overriddenAttributes(field, was).includes(mark)
  })
  const removed = new Set(others.flatMap((field) => (field[mark] === true ? [] : [field.name])))
  const existing = new Set(names.map(nameIn))
  const added = others.filter((field) => field[mark] === true && !existing.has(field.name))
  return [...names.filter((name) => !removed.has(nameIn(name))), ...added.map(({ name }) => name)]
}
