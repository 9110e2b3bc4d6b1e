import { phrase } from '../../runtime/core/errors.ts'
import { type JsonObject, objectsIn } from '../../runtime/core/json.ts'
import type { Field } from './description.ts'
import { isKindName, kindOf } from './kinds/index.ts'
import { type ModuleProblem, moduleProblem } from './module-problem.ts'

/** Names that an answer has for what stands beside a field's value: its words, and the parts that a form shows instead of it. */
export function besideNames({ name, kind, options, rollup }: Field): readonly string[] {
  const { stored, index, parts } = kindOf(kind)
  const hasWords =
    stored === 'json' ||
    index === 'ref' ||
    options !== undefined ||
    rollup !== undefined ||
    kind === 'region' ||
    kind === 'flag'
  return [
    ...(hasWords ? [`${name}_name`] : []),
    ...(parts === undefined ? [] : [`${name}_lng`, `${name}_lat`, `${name}_address`]),
  ]
}

/**
 * Fields that are called as what stands beside another one: one of both would be shown, and saved, as the other. What was there before stays.
 * @param given  a module of the tenant's own, or what it says otherwise of one of the product's
 * @param before  what was said so far
 * @param isOwn  fields of the tenant's own: those of the product have names of their own beside them
 */
export function besideProblems(
  given: JsonObject,
  before: JsonObject | undefined,
  isOwn: (name: string) => boolean,
): readonly ModuleProblem[] {
  const previousNames = new Set(objectsIn(before?.fields).map(({ name }) => String(name)))
  const fields = objectsIn(given.fields)
  const ownFields = fields.filter(
    ({ name, kind }) => typeof name === 'string' && isKindName(kind) && isOwn(name),
  ) as unknown as readonly Field[]
  return ownFields.flatMap((field) => {
    const derivedNames = new Set(besideNames(field))
    return ownFields
      .filter(
        ({ name }) => derivedNames.has(name) && !(previousNames.has(name) && previousNames.has(field.name)),
      )
      .map(({ name }) => {
        const at = fields.findIndex((one) => one.name === (previousNames.has(name) ? field.name : name))
        const message = phrase('"{name}" stands beside "{field}" already', { name, field: field.name })
        return moduleProblem('NAME_RESERVED', `/fields/${at}/name`, message, phrase('choose another name'))
      })
  })
}
