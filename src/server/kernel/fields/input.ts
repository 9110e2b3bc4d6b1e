import { isObject, type JsonObject } from '../../../../runtime/core/json.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'

/** The result of checking fields. */
type InputValue =
  | string
  | number
  | boolean
  | Date
  | readonly string[]
  | JsonObject
  | readonly JsonObject[]
  | null
export type InputValues = Record<string, InputValue>

/** Refuses with 400 and a message per field if there is any error; the first one is the main message. */
export function refuseFaults(faults: Readonly<Record<string, string>>): void {
  const [first] = Object.values(faults)
  if (first !== undefined) refuse(400, 'VALIDATION', first, { fields: faults })
}

/** The body of a call as an object; 400 if it is not one. `clientToken` belongs to the envelope of the write, not to the record. */
export function bodyOf(body: unknown): JsonObject {
  if (!isObject(body)) refuse(400, 'VALIDATION', text('call.invalid'))
  const { clientToken: _, ...fields } = body
  return fields
}
