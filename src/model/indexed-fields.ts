import { phrase } from '../../runtime/core/errors.ts'
import { type JsonObject, objectsIn } from '../../runtime/core/json.ts'
import type { Field } from './description.ts'
import type { IndexClass } from './kind.ts'
import { isKindName, KIND_NAMES, kindOf } from './kinds/index.ts'
import type { MergedField, MergedModule } from './merge-module.ts'
import { type ModuleProblem, moduleProblem } from './module-problem.ts'

/** A field whose values are mirrored into the narrow table of their class. */
export interface IndexedField {
  readonly field: string
  readonly class: IndexClass
  readonly several: boolean
  readonly isSorted: boolean
  readonly isUnique: boolean
}

/** Texts as people write them: a keyword finds what holds it. Long ones lie in no mirror, codes are no words. */
export function isSearchable({ kind }: Pick<Field, 'kind'>): boolean {
  const { index, stored, operators } = kindOf(kind)
  return index === 'text' && stored === 'text' && operators.includes('contains')
}

/** A field of the tenant's own whose texts a keyword finds. */
export const isSearched = ({ origin, retired, search, kind }: MergedField): boolean =>
  origin === 'tenant' && retired !== true && search === true && isSearchable({ kind })

/**
 * The tenant's own fields of a module that are asked by: filtered, sorted, searched, unique, referring to records; and the status of an own module,
 * whose tabs ask by it.
 */
export function indexedFields({
  fields,
  statuses,
}: Pick<MergedModule, 'fields' | 'statuses'>): readonly IndexedField[] {
  return fields
    .filter(({ origin, retired }) => origin === 'tenant' && retired !== true)
    .flatMap((field) => indexedField(field, statuses?.field === field.name))
}

/** The fields among them that are asked by only because somebody chose so, and may do without it. */
export const chosenFields = ({ fields, statuses }: Pick<MergedModule, 'fields' | 'statuses'>) => {
  const chosen = indexedFields({ fields }).map(({ field }) => field)
  return fields.filter(
    ({ name, unique, module, inverse }) =>
      chosen.includes(name) &&
      name !== statuses?.field &&
      [unique, module, inverse].every((one) => one === undefined),
  )
}

function indexedField(
  { name, kind, filter, sort, search, unique, module, inverse }: Field,
  isStatus: boolean,
): readonly IndexedField[] {
  const { index, several = false } = kindOf(kind)
  const isRequested =
    filter === true ||
    sort === true ||
    (search === true && isSearchable({ kind })) ||
    unique !== undefined ||
    module !== undefined ||
    inverse !== undefined
  if (index === null || !(isRequested || isStatus)) return []
  return [
    {
      field: name,
      class: index,
      several,
      isSorted: sort === true,
      // A list is compared as a whole, which no row of one value can be held to.
      isUnique: unique === 'refuse' && !several,
    },
  ]
}

const SEARCHED = KIND_NAMES.filter((kind) => isSearchable({ kind }))

/**
 * Fields of the tenant's own that say `search` and that no keyword would ever find anything by; what names a record is found, whatever its kind. What was there before stays.
 * @param given  a module of the tenant's own, or what it says otherwise of one of the product's
 * @param before  what was said so far
 */
export function searchProblems(
  given: JsonObject,
  before: JsonObject | undefined,
  isOwn: (name: string) => boolean,
): readonly ModuleProblem[] {
  const was = objectsIn(before?.fields)
  return objectsIn(given.fields).flatMap(({ name, kind, search }, i) => {
    const isTitle = name === given.title
    if (search !== true || isTitle || !isKindName(kind) || !isOwn(String(name)) || isSearchable({ kind }))
      return []
    if (was.some((one) => one.name === name && one.kind === kind && one.search === true)) return []
    const message = phrase('no keyword finds a field of kind {kind}', { kind })
    const hint = phrase('kinds that a keyword finds: {kinds}', { kinds: SEARCHED.join(', ') })
    return [moduleProblem('VALUE_INVALID', `/fields/${i}/search`, message, hint)]
  })
}
