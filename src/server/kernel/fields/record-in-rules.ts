import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { rightsInRules } from '../../../contract/field-rights.ts'
import type { Rule } from '../../../model/description.ts'
import { ownName } from '../../../model/form-fields.ts'
import { ownRule } from '../../../model/own-rule.ts'
import type { Caller } from '../auth/caller.ts'

/** How rules see a record of which some fields are at hand. */
export interface RecordInRules {
  /** Its other values, as pages name them. */
  readonly beside: JsonObject
  /** Those of them that are being written. */
  readonly written: readonly string[]
  /** How pages name a field that is at hand. */
  readonly called: (name: string) => string
  /** A rule of the description, as pages write it. */
  readonly asked: (rule: Rule) => Rule
}

/** A record whose fields are all at hand, and called as they are. */
export const AS_WRITTEN: RecordInRules = {
  beside: {},
  written: [],
  called: (name) => name,
  asked: (rule) => rule,
}

/** Values of a record: what it has, and what is written over it. */
export interface Values {
  readonly stored: JsonObject
  readonly given: JsonObject
}

/** The tenant's own fields of a module of the product. @param shipped  the product's of the record */
export function ownInRules(
  own: readonly { readonly name: string }[],
  { stored, given }: Values = { stored: {}, given: {} },
): RecordInRules {
  const names = new Set(own.map(({ name }) => name))
  return {
    beside: { ...stored, ...given },
    written: Object.keys(given),
    called: ownName,
    asked: (rule) => ownRule(rule, names),
  }
}

/** The product's fields of a module. @param ext  the tenant's own values of the record */
export function shippedInRules(
  own: readonly { readonly name: string }[],
  { stored, given }: Values,
): RecordInRules {
  const ext = { stored: asPagesName(stored), given: asPagesName(given) }
  return { ...ownInRules(own, ext), called: (name) => name }
}

/** The tenant's own values of a record as its pages name them. */
export const asPagesName = (ext: Json | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(ext) ? ext : {}).map(([name, value]) => [ownName(name), value ?? null]),
  )

/** What rules may read of the caller, as the client gives it to them. */
export const userInRules = (
  caller: Pick<Caller, 'userId' | 'name' | 'roles' | 'permissions' | 'deptId' | 'fieldRights'>,
): JsonObject => ({
  id: caller.userId,
  name: caller.name,
  roles: [...caller.roles],
  permissions: [...caller.permissions],
  fieldRights: rightsInRules(caller.fieldRights),
  deptId: caller.deptId,
})
