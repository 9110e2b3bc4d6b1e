import { isObject } from '../../../../runtime/core/json.ts'
import { rightName, rightsEntity } from '../../../model/field-rights.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { text } from '../../kernel/text/text.ts'

type Rights = Readonly<Record<string, Readonly<Record<string, string>>>>

/** A required field, and whether records are stored without it if the author may not write it. */
interface Needed {
  readonly entity: string
  readonly name: string
  readonly label: string
  readonly isSpared: boolean
  /** It is required only if a rule says so. */
  readonly isByRule: boolean
}

/** Fields that are required although no description says so: a contract has an amount. */
const ALWAYS: Readonly<Record<string, readonly string[]>> = { contract: ['amount'] }

/** The consequences of denying a role access to required fields, as text; null if it is denied none. */
export function deniedRequired(rights: Rights, ctx: Pick<CallContext, 'model'>): string | null {
  const restricted = neededFields(ctx).filter(
    ({ entity, name }) => (rights[entity]?.[name] ?? 'write') !== 'write',
  )
  const messageFor = (
    code: 'admin.role.required' | 'admin.role.required-empty' | 'admin.role.required-rule',
    matches: (one: Needed) => boolean,
  ): string => {
    const labels = restricted.filter(matches).map(({ label }) => `“${label}”`)
    return labels.length === 0 ? '' : text(code, { labels: labels.join('、') })
  }
  const messages = [
    messageFor('admin.role.required', ({ isSpared, isByRule }) => !isSpared && !isByRule),
    messageFor('admin.role.required-rule', ({ isSpared, isByRule }) => !isSpared && isByRule),
    messageFor('admin.role.required-empty', ({ isSpared }) => isSpared),
  ].filter((it) => it !== '')
  return messages.length === 0 ? null : messages.join('\n')
}

/** Required fields of every module. */
const neededFields = ({ model }: Pick<CallContext, 'model'>): readonly Needed[] =>
  [...model.modules.values()].flatMap((module) =>
    module.fields
      .filter((field) => isNeeded(module, field))
      .map((field) => ({
        entity: rightsEntity(module),
        name: rightName(module, field),
        label: `${labelText(module.label)} · ${labelText(field.label)}`,
        isSpared: field.origin === 'tenant' && field.name !== module.title,
        isByRule: isObject(field.required),
      })),
  )

const isNeeded = (
  { name: module, origin }: MergedModule,
  { name, required, retired, default: usual }: MergedField,
): boolean => {
  const isAlways = origin === 'vendor' && ALWAYS[module]?.includes(name) === true
  const isRequired = required === true || isObject(required) || isAlways
  return isRequired && retired !== true && usual === undefined
}
