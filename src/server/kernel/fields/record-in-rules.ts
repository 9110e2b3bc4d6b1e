import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { rightsInRules } from '../../../contract/field-rights.ts'
import type { Rule } from '../../../model/description.ts'
import { ownName } from '../../../model/form-fields.ts'
import { ownRule } from '../../../model/own-rule.ts'
import type { Caller } from '../auth/caller.ts'

/** How rules read a record of which only some fields are available. */
export interface RecordInRules {
  /** Its other values, under the names that pages use. */
  readonly beside: JsonObject
  /** Those of them that are being written. */
  readonly written: readonly string[]
  /** The name that pages use for an available field. */
  readonly called: (name: string) => string
  /** A rule of the description, as pages write it. */
  readonly toPageRule: (rule: Rule) => Rule
}

/** A record whose fields are all available under their own names. */
export const AS_WRITTEN: RecordInRules = {
  beside: {},
  written: [],
  called: (name) => name,
  toPageRule: (rule) => rule,
}

/** The values of a record: its stored values, replaced by the written ones. */
export interface Values {
  readonly stored: JsonObject
  readonly given: JsonObject
}

/** The tenant's own fields of a module of the product. @param shipped  the product's fields of the record */
export function ownInRules(
  fields: readonly { readonly name: string }[],
  { stored, given }: Values = { stored: {}, given: {} },
): RecordInRules {
  const names = new Set(fields.map(({ name }) => name))
  return {
    beside: { ...stored, ...given },
    written: Object.keys(given),
    called: ownName,
    toPageRule: (rule) => ownRule(rule, names),
  }
}

/** The product's fields of a module. @param ext  the tenant's own values of the record */
export function shippedInRules(
  fields: readonly { readonly name: string }[],
  { stored, given }: Values,
): RecordInRules {
  const ext = { stored: asPagesName(stored), given: asPagesName(given) }
  return { ...ownInRules(fields, ext), called: (name) => name }
}

/** The tenant's own values of a record under the names that its pages use. */
export const asPagesName = (ext: Json | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(ext) ? ext : {}).map(([name, value]) => [ownName(name), value ?? null]),
  )

/** What rules may read about the caller, in the same form as on the client. */
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
