import { type Phrase, phrase } from '../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject, listOf, objectsIn } from '../../runtime/core/json.ts'
import type { Field } from './description.ts'
import type { MergedField, MergedModule } from './merge-module.ts'
import { type ModuleProblem, moduleProblem } from './module-problem.ts'

/** The field that says what a record stands below, in modules with the behaviour `tree`. */
export const PARENT = 'parent_id'

/** Levels of a tree (DOMAIN 1.1). */
export const MAX_LEVELS = 5

/** The field by which records of a module stand below each other; none where they do not. */
export const parentField = ({
  name,
  behaviours,
  fields,
}: Pick<MergedModule, 'name' | 'behaviours' | 'fields'>): MergedField | undefined =>
  behaviours.includes('tree')
    ? fields.find((field) => field.retired !== true && isParent(field, name))
    : undefined

/** A field that may say what a record of the module stands below. */
export const isParent = (
  { name, kind, module }: { readonly [key in 'name' | 'kind' | 'module']?: unknown },
  own: unknown,
): boolean => name === PARENT && kind === 'ref' && module === own

/**
 * What is wrong with the field that `tree` needs: records stand below each other by it and by nothing else, and those at the top below none. What
 * was said before the behaviour did anything stays.
 */
export function treeProblems(given: JsonObject, before: JsonObject): readonly ModuleProblem[] {
  if (!hasTree(given)) return []
  const fields = listOf(given.fields ?? null)
  const at = fields.findIndex((one) => isObject(one) && one.name === PARENT)
  const field = fields[at]
  const name = PARENT
  const hint = phrase('"{name}" is a ref to this module: the record above', { name })
  if (!isObject(field)) {
    if (hasTree(before)) return []
    const message = phrase('the module has no field "{name}"', { name })
    return [moduleProblem('FIELD_UNKNOWN', '/fields', message, hint)]
  }
  if (!isParent(field, given.name)) {
    const was = objectsIn(before.fields).find((object) => object.name === PARENT)
    if (hasTree(before) && was !== undefined && !isParent(was, given.name)) return []
    const message = phrase('"{name}" says something else here', { name })
    return [moduleProblem('VALUE_INVALID', `/fields/${at}`, message, hint)]
  }
  const refused = (key: 'retired' | 'required', way: Phrase): readonly ModuleProblem[] =>
    field[key] === true
      ? [
          moduleProblem(
            'VALUE_INVALID',
            `/fields/${at}/${key}`,
            phrase('records stand below each other by "{name}"', { name }),
            way,
          ),
        ]
      : []
  return [
    ...refused('retired', phrase('take "tree" from the behaviours instead')),
    ...refused('required', phrase('those at the top have nothing there')),
  ]
}

/** Words of the field that a module gets with the behaviour; the first that no other field has. */
export interface TreeWords {
  readonly above: readonly string[]
  readonly below: string
}

/**
 * A module of the tenant's own with the field that `tree` needs. It comes with the behaviour, behind the title; it is stopped without it, so that
 * its name, its place and what records hold are there again with it.
 * @param before  what was said of the module until now
 */
export function withParent(given: JsonObject, before: JsonObject | undefined, words: TreeWords): JsonObject {
  const isTree = hasTree(given)
  if (!isTree && !hasTree(before)) return given
  const fields = listOf(given.fields ?? null)
  const at = fields.findIndex((one) => isObject(one) && one.name === PARENT)
  const parent = fields[at]
  if (isObject(parent)) {
    if (!isParent(parent, given.name) || isTree === hasTree(before)) return given
    const { retired: _, ...live } = parent
    return { ...given, fields: fields.with(at, isTree ? live : { ...live, retired: true }) }
  }
  if (!isTree) return given
  const was = objectsIn(before?.fields).find((object) => isParent(object, given.name))
  const behind = fields.findIndex((one) => isObject(one) && one.name === given.title) + 1
  const field = was ?? newParent(String(given.name), fields, words)
  return { ...given, fields: fields.toSpliced(behind, 0, field as Json) }
}

function newParent(name: string, fields: readonly Json[], { above, below }: TreeWords): JsonObject {
  const labels = new Set(objectsIn(fields as Json).map(({ label }) => label))
  const field: Field = {
    name: PARENT,
    kind: 'ref',
    module: name,
    label: above.find((one) => !labels.has(one)) ?? PARENT,
    filter: true,
    card: true,
    inverse: { tab: 'below', label: below },
  }
  return field as unknown as JsonObject
}

/** A field of a description that stays while its records stand below each other by it. */
export const keepsParent = (given: JsonObject, name: string): boolean =>
  hasTree(given) &&
  objectsIn(given.fields).some((object) => object.name === name && isParent(object, given.name))

export const hasTree = (given: JsonObject | undefined): boolean =>
  listOf(given?.behaviours ?? null).includes('tree')
