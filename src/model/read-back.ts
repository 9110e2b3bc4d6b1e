import { isObject, type Json, type JsonObject, objectsIn, sameJson } from '../../runtime/core/json.ts'
import { FILES } from './derived/held-files.ts'
import type { ModuleDescription } from './description.ts'
import type { MergedModule } from './merge-module.ts'

/** What answers say of a module and its fields beside their descriptions. */
const TOLD: ReadonlySet<string> = new Set(['origin', 'shipped', 'changed'])

/** What a description that was read is compared with. */
interface Known {
  /** The product's module of that name. */
  readonly vendor: ModuleDescription | undefined
  /** What the tenant said so far. */
  readonly before: JsonObject | undefined
  /** The module as it was answered. */
  readonly merged: MergedModule | undefined
}

const without = (value: JsonObject, isLeft: (key: string, one: Json) => boolean): JsonObject =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, one = null]): [string, Json][] =>
      TOLD.has(key) || isLeft(key, one) ? [] : [[key, one]],
    ),
  )

/**
 * A description as `module/detail` answers it, as somebody would save it: without what is told of it, and of a module of the product what
 * differs alone. One that was written by hand stays as it is.
 */
export function asWritten(given: JsonObject, known: Known): JsonObject {
  const { vendor, before, merged } = known
  const fields = Array.isArray(given.fields)
    ? {
        fields: given.fields.flatMap((field: Json) =>
          comesAlong(given, field, known) ? [] : fieldAsWritten(field, known),
        ),
      }
    : {}
  if (given.origin === undefined) return { ...given, ...fields }
  const isSame = (key: string, one: Json): boolean =>
    key !== 'name' &&
    vendor !== undefined &&
    sameJson(one, (vendor[key as keyof ModuleDescription] ?? null) as Json)
  const areTheirs = sameJson(given.groups ?? null, (merged?.groups ?? null) as unknown as Json)
  const groups = areTheirs ? (before?.groups ?? undefined) : given.groups
  const changed = without(given, (key, one) => key === 'groups' || isSame(key, one))
  return { ...changed, ...fields, ...(groups === undefined ? {} : { groups }) }
}

/** The field that files hang on: nobody wrote it down, it is there because records carry files. */
const comesAlong = ({ behaviours }: JsonObject, field: Json, { before }: Known): boolean =>
  isObject(field) &&
  field.origin !== undefined &&
  field.name === FILES &&
  Array.isArray(behaviours) &&
  behaviours.includes('files') &&
  !objectsIn(before?.fields).some(({ name }) => name === FILES)

/** A field likewise; none where it says nothing else than the product does. */
function fieldAsWritten(field: Json, { vendor }: Known): readonly Json[] {
  if (!isObject(field) || field.origin === undefined) return [field]
  const shipped = vendor?.fields.find(({ name }) => name === field.name) as unknown as JsonObject | undefined
  if (shipped === undefined) return [without(field, () => false)]
  const changed = without(field, (key, one) => key !== 'name' && sameJson(one, shipped[key] ?? null))
  return Object.keys(changed).length > 1 ? [changed] : []
}
