import type { Phrase } from '../../runtime/core/errors.ts'
import type { Json } from '../../runtime/core/json.ts'
import { schemaFault } from '../../runtime/core/page/schema-fault.ts'
import validators from './attribute-validators.generated.js'
import type { Field, ModuleDescription } from './description.ts'

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
  return { at: first?.instancePath ?? '', reason: schemaFault(first ?? {}) }
}
