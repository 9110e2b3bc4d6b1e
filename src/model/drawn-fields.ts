import type { Field } from './description.ts'
import { kindOf } from './kinds/index.ts'
import { namesRead } from './own-rule.ts'

/** Fields whose values come from people. */
export const isWritten = ({ kind, readonly }: Pick<Field, 'kind' | 'readonly'>): boolean =>
  kindOf(kind).derived !== true && readonly !== 'always'

/** Fields that a form of the module draws: what people write, the numbers a record has, and formulas over nothing but these. */
export function isDrawn(one: Field, { fields }: { readonly fields: readonly Field[] }): boolean {
  if (one.kind === 'auto-number') return true
  if (one.formula === undefined) return isWritten(one)
  const onForm = new Set(
    fields.filter((other) => isWritten(other) || other.formula !== undefined).map(({ name }) => name),
  )
  return namesRead(one.formula).every((name) => onForm.has(name.replace(OF_FORM, '')))
}
const OF_FORM = /^(?:form\.)?(?:ext[._])?/
