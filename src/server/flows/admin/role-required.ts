import type { Field } from '../../../model/description.ts'
import { extName } from '../../../model/form-fields.ts'
import { labelText } from '../../../model/labels.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import { EXT_ENTITIES, liveExtFields } from '../../kernel/fields/ext-fields.ts'
import { ownModules } from '../../kernel/model/own-rights.ts'
import { writtenFields } from '../../kernel/records/described.ts'
import { text } from '../../kernel/text/text.ts'

type Rights = Readonly<Record<string, Readonly<Record<string, string>>>>

/** A field that every new record needs, and whether one is stored without it by who may not write it. */
interface Needed {
  readonly entity: string
  readonly name: string
  readonly label: string
  readonly isSpared: boolean
}

/** What comes of keeping a role from fields that are required, in words; null where it is kept from none. */
export function requiredKept(rights: Rights, asking: Pick<Asking, 'model'>): string | null {
  const kept = neededFields(asking).filter(
    ({ entity, name }) => (rights[entity]?.[name] ?? 'write') !== 'write',
  )
  const told = (isSpared: boolean): string => {
    const labels = kept.filter((one) => one.isSpared === isSpared).map(({ label }) => `“${label}”`)
    if (labels.length === 0) return ''
    return text(isSpared ? 'admin.role.required-empty' : 'admin.role.required', { labels: labels.join('、') })
  }
  return kept.length === 0 ? null : `${told(false)}${told(true)}`
}

function neededFields(asking: Pick<Asking, 'model'>): readonly Needed[] {
  const shipped = EXT_ENTITIES.flatMap((entity) => {
    const module = text(`entity.${entity}`)
    return [
      ...writtenFields(entity, asking)
        .filter(isNeeded)
        .map((field) => needed(entity, module, field, field.name, false)),
      ...liveExtFields(entity, asking)
        .filter(isNeeded)
        .map((field) => needed(entity, module, field, extName(field.name), true)),
    ]
  })
  const own = ownModules(asking.model).flatMap((module) =>
    module.fields
      .filter(isNeeded)
      .map((field) =>
        needed(
          ownRights(module.name),
          labelText(module.label),
          field,
          field.name,
          field.name !== module.title,
        ),
      ),
  )
  return [...shipped, ...own]
}

const isNeeded = ({ required, retired, default: usual }: Field): boolean =>
  required === true && retired !== true && usual === undefined

const needed = (entity: string, module: string, field: Field, name: string, isSpared: boolean): Needed => ({
  entity,
  name,
  label: `${module} · ${labelText(field.label)}`,
  isSpared,
})
