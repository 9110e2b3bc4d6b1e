import { dependenciesOf } from '../../runtime/core/logic/rule.ts'
import type { Field, Rule } from './description.ts'
import { kindOf } from './kinds/index.ts'

/** Fields whose values come from people. */
export const isWritten = ({ kind, readonly, worked }: Pick<Field, 'kind' | 'readonly' | 'worked'>): boolean =>
  kindOf(kind).derived !== true && worked === undefined && readonly !== 'always'

/** Fields that a form of the module draws: what people write, the numbers a record has, and what follows from nothing but these. */
export function isDrawn(one: Field, { fields }: { readonly fields: readonly Field[] }): boolean {
  if (one.kind === 'auto-number') return true
  const rule = ruleBehind(one)
  if (rule === undefined) return isWritten(one)
  const onForm = new Set(
    fields.filter((other) => isWritten(other) || ruleBehind(other) !== undefined).map(({ name }) => name),
  )
  return dependenciesOf(rule).every((path) => onForm.has(path.replace(OF_FORM, '').split('.')[0] ?? ''))
}

/** The rule that a value follows from. */
const ruleBehind = ({ formula, worked }: Field): Rule | undefined => formula ?? worked
const OF_FORM = /^(?:form\.)?(?:ext[._])?/
