import type { Json } from '../../runtime/core/json.ts'
import validators from './attribute-validators.generated.js'
import type { Field, ModuleDescription } from './description.ts'

/** The first fault of an attribute's value. `at` is a pointer into the value, '' for the value itself. */
export interface AttributeFault {
  readonly at: string
  readonly message: string
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
  const names = Object.values(first?.params ?? {})
    .flat()
    .map(String)
  return {
    at: first?.instancePath ?? '',
    message: `${first?.message ?? 'it does not fit'}${names.length > 0 && first?.keyword !== 'type' ? ` (${names.join(', ')})` : ''}`,
  }
}
