import { type Phrase, type Problem, phrase, problem } from '../../../runtime/core/errors.ts'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { nameHint } from '../../../runtime/core/page/nearest-type.ts'
import type { Field, ModuleDescription } from '../description.ts'
import { type Changeable, overriddenAttributes } from '../merge-module.ts'

/** The description of a module of the product, as it is shipped or as a tenant has it. */
export type ModelOf = (name: string) => ModuleDescription | undefined

/** What a page names and nobody knows. */
export type Unknown = { readonly problem: Problem }

/** A field by the name a page gives it. */
export function fieldOf(model: ModelOf, module: string, name: string): Field | Unknown {
  const found = model(module)
  if (found === undefined) return { problem: unknownModule(module) }
  const field = found.fields.find((one) => one.name === name)
  if (field !== undefined) return field
  return {
    problem: unknownName(
      phrase('fields of {owner}', { owner: module }),
      name,
      found.fields.map((one) => one.name),
    ),
  }
}

/** @param what  of which kind it should be @param known  names of that kind */
export const unknownName = (what: Phrase, name: string, known: readonly string[]): Problem =>
  problem('WORD_UNKNOWN', '', { what, name }, 'error', nameHint(name, known))

export const unknownModule = (name: string): Problem =>
  problem('WORD_UNKNOWN', '', { what: phrase('modules'), name })

/** The options of a page that give way when a tenant says something else. */
const OPTIONS_OF: Readonly<Partial<Record<Changeable, readonly string[]>>> = {
  label: ['label', 'requiredHint'],
  help: ['hint'],
  required: ['required', 'requiredOn', 'requiredHint'],
  default: ['defaultValue', 'defaultOn'],
}

/** The page's own options without those that the tenant says otherwise. */
export function withoutOverridden(
  options: JsonObject,
  field: Field,
  vendor: ModuleDescription | undefined,
): JsonObject {
  const shipped = vendor?.fields.find(({ name }) => name === field.name)
  if (shipped === undefined || shipped === field) return options
  const overridden = new Set(overriddenAttributes(field, shipped).flatMap((key) => OPTIONS_OF[key] ?? []))
  return Object.fromEntries(Object.entries(options).filter(([key]) => !overridden.has(key)))
}
