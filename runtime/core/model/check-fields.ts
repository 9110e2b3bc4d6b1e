import { createBudget, spending } from '../budget.ts'
import type { NodeKey } from '../page/page.ts'
import type { Text } from '../ports.ts'
import { checkField } from '../rules/check-field.ts'
import type { Model } from './model.ts'

/** A field that violates its rules. */
export interface FieldError {
  /** `name` or `subForm.rowIndex.name`. */
  readonly address: string
  readonly key: NodeKey
  readonly message: string
}

/** The message of one field's own rules (required, named, pattern, bounds), or null. Hidden fields pass. */
export function checkKey(model: Model, key: NodeKey, text: Text): string | null {
  if (!model.shown(key)) return null
  const { label, options, required, node } = model.node(key)
  const { emptyValue, bounded } = node.spec
  const value = model.value(key)
  return checkField({ label, options, required, value: value === emptyValue ? null : value, bounded }, text)
}

/** Every field and sub-form with errors, in document order, row by row, with one budget. Scripts are not run here. */
export function checkFields(model: Model, text: Text): readonly FieldError[] {
  return spending(createBudget(), () =>
    model.checkedKeys().flatMap((key) => {
      const message = checkKey(model, key, text)
      return message === null ? [] : [{ address: model.address(key), key, message }]
    }),
  )
}
