import { type Phrase, phrase } from '../../runtime/core/errors.ts'
import type { Json } from '../../runtime/core/json.ts'
import { type Sentences, schemaFault } from '../../runtime/core/page/schema-fault.ts'
import validators from './attribute-validators.generated.js'
import type { Field, ModuleDescription } from './description.ts'

/** What attributes ask for and documents do not. */
const MORE: Sentences = {
  additionalProperties: phrase('must not have the property "{additionalProperty}"'),
  minLength: phrase('must have at least {limit} characters'),
  maxLength: phrase('must have at most {limit} characters'),
  minItems: phrase('must have at least {limit} items'),
  maxItems: phrase('must have at most {limit} items'),
  minProperties: phrase('must have at least {limit} properties'),
  minimum: phrase('must be at least {limit}'),
  maximum: phrase('must be at most {limit}'),
  uniqueItems: phrase('must not have an item twice'),
}

/** The first fault of an attribute's value. `at` is a pointer into the value, '' for the value itself. */
export interface AttributeFault {
  readonly at: string
  readonly reason: Phrase
}

/** Holds the value of a field's attribute against `FIELD_ATTRIBUTES`; null when it fits. */
export const fieldAttributeFault = (name: keyof Field, value: Json): AttributeFault | null =>
  faultOf(`field_${name}`, value)

/** Holds the value of a module's key against `MODULE_ATTRIBUTES`; null when it fits. */
export const moduleAttributeFault = (name: keyof ModuleDescription, value: Json): AttributeFault | null =>
  faultOf(`module_${name}`, value)

function faultOf(name: string, value: Json): AttributeFault | null {
  const validate = validators[name]
  if (validate === undefined || validate(value)) return null
  const [first] = validate.errors ?? []
  return { at: first?.instancePath ?? '', reason: schemaFault(first ?? {}, MORE) }
}
