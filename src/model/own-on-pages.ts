import { isObject, type Json, type JsonObject, ownValue } from '../../runtime/core/json.ts'
import { OWN_FIELD } from '../contract/pages.ts'
import { ownName } from './form-fields.ts'
import { formField } from './page-parts.ts'

/** The tenant's own field behind what a page calls it, `ext_wechat`; null for a field of the product. */
export const nameOfOwn = (reference: string): string | null =>
  reference.startsWith(OWN_FIELD) && reference.length > OWN_FIELD.length
    ? reference.slice(OWN_FIELD.length)
    : null

/** The type of a stand-in for which the page says none. */
export const BY_KIND = 'input'

/**
 * What stands for `{ "field": "customer.ext_wechat" }` until the tenant's description is at hand, by the field's name on pages, so that rules and
 * the check find it; the option `own` says of which field.
 */
export const ownStandIn = (
  module: string,
  name: string,
  type: Json | undefined,
  options: JsonObject,
): JsonObject =>
  formField(typeof type === 'string' ? type : BY_KIND, {
    ...options,
    name: ownName(name),
    own: `${module}.${name}`,
  })

/** Where the label goes in the line of a card until the tenant's description is at hand. */
export const LABEL_PLACE = '{label}'

/** Where the form of a document has the tenant's own fields. */
export interface OwnPlaces {
  /** Those it names one by one, `customer.wechat`: they are in no place for all of them. */
  readonly named: ReadonlySet<string>
  /** Modules with a place for all others. */
  readonly whole: ReadonlySet<string>
}

export function ownPlaces(document: Json): OwnPlaces {
  const named = new Set<string>()
  const wholeModules = new Set<string>()
  const visit = (value: Json): void => {
    if (Array.isArray(value)) for (const one of value) visit(one)
    else if (isObject(value)) {
      const ownField = ownValue(value.options, 'own')
      const fields = ownValue(value.options, 'fields')
      if (typeof ownField === 'string' && value.formItemFlag === true) named.add(ownField)
      if (typeof fields === 'string') wholeModules.add(fields)
      for (const one of Object.values(value)) if (one !== undefined) visit(one)
    }
  }
  visit(document)
  return { named, whole: wholeModules }
}
