import type { Field } from '../../../model/description.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import type { FilterField } from './filter-sql.ts'

const OF_STORED = {
  number: 'number',
  flag: 'flag',
  day: 'day',
  moment: 'moment',
  texts: 'codes',
  json: 'text',
  none: 'text',
} as const

/** How filters compare values of a field, wherever they are stored. */
export function filterKindOf({ kind }: Pick<Field, 'kind'>): FilterField['kind'] {
  const { stored, operators } = kindOf(kind)
  if (stored !== 'text') return OF_STORED[stored]
  return operators.includes('contains') ? 'text' : 'code'
}
