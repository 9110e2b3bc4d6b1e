import { isObject, type JsonObject } from '../../../runtime/core/json.ts'
import type { KindName } from '../description.ts'
import { optionItems } from '../form-fields.ts'
import type { MergedField, MergedModule } from '../merge-module.ts'
import { variable } from '../page-parts.ts'
import type { Column } from './columns.ts'
import { patchedFields } from './patch.ts'

/** What a value is typed or chosen with in a cell of a table; kinds that need more room have their form. */
const AS: Partial<Readonly<Record<KindName, 'text' | 'number' | 'day' | 'moment' | 'choice' | 'flag'>>> = {
  text: 'text',
  phone: 'text',
  email: 'text',
  url: 'text',
  number: 'number',
  integer: 'number',
  money: 'number',
  percent: 'number',
  day: 'day',
  moment: 'moment',
  choice: 'choice',
  flag: 'flag',
}

/** How the field is changed in its cell; undefined where it is not. */
export function cellOf(field: MergedField, module: MergedModule): JsonObject | undefined {
  const as = AS[field.kind]
  if (as === undefined || !patchedFields(module).includes(field)) return undefined
  const isAdded = module.origin === 'vendor' && field.origin === 'tenant'
  return {
    as,
    field: field.name,
    ...(isAdded ? { ext: true } : {}),
    ...(field.dict !== undefined ? { dict: field.dict } : {}),
    ...(field.options !== undefined ? { optionItems: optionItems(field) } : {}),
  }
}

/** The call that a changed cell makes, where any of the columns has some: what it is not told of stays out of it. */
export function cellSources(call: string, columns: readonly Column[]): readonly JsonObject[] {
  const fields = columns.flatMap(({ edit }) =>
    isObject(edit) ? [edit.ext === true ? 'ext' : String(edit.field)] : [],
  )
  if (fields.length === 0) return []
  const sentKeys = ['clientToken', 'ids', ...new Set(fields)]
  return [
    {
      uniqueName: 'cell',
      requestURL: call,
      requestMethod: 'post',
      data: sentKeys.map((name) => variable(name, `DSV.${name}`)),
    },
  ]
}
