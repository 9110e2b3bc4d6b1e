import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { FILES } from '../../../model/derived/held-files.ts'
import type { Group } from '../../../model/description.ts'
import { labelText } from '../../../model/labels.ts'
import { groupsOf, type MergedField, type MergedModule } from '../../../model/merge-module.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** The fields that can be reordered: in a product module the tenant's own, which its pages show together; otherwise all. */
const isMovable = ({ origin }: MergedModule, field: MergedField): boolean =>
  field.retired !== true && field.name !== FILES && (origin === 'tenant' || field.origin === 'tenant')

/** The order of fields in the sheet's shape: a slot for each group. */
export function placesOf(module: MergedModule): Json {
  const byName = new Map(module.fields.map((field) => [field.name, field]))
  const groups = groupsOf(module)
    .map((group) => ({
      ...group,
      members: group.fields.flatMap((name) => {
        const field = byName.get(name)
        return field !== undefined && isMovable(module, field) ? [field] : []
      }),
    }))
    .filter(({ members }) => members.length > 0)
  return {
    slots: groups.map(({ name, label, members }) => ({
      key: name,
      title: labelText(label) || labelText(module.label),
      min: members.length,
      max: members.length,
    })),
    candidates: Object.fromEntries(
      groups.map(({ name, members }) => [
        name,
        members.map((field) => ({
          id: field.name,
          title: labelText(field.label),
          icon: 'UnorderedListOutline',
        })),
      ]),
    ),
    order: Object.fromEntries(groups.map(({ name, members }) => [name, members.map((field) => field.name)])),
  }
}

/**
 * Groups with their movable fields in another order; everything else keeps its position.
 *
 * @param order  names by group, which must be exactly the movable ones
 * @throws Refusal 400 for anything else: somebody added or moved a field meanwhile
 */
export function inOrder(module: MergedModule, order: JsonObject): readonly Group[] {
  const byName = new Map(module.fields.map((field) => [field.name, field]))
  return groupsOf(module).map((group) => {
    const isFree = (name: string): boolean => {
      const field = byName.get(name)
      return field !== undefined && isMovable(module, field)
    }
    const free = group.fields.filter(isFree)
    const given = order[group.name]
    if (given === undefined && free.length === 0) return group
    const names = Array.isArray(given) ? given.map(String) : []
    const fits =
      names.length === free.length &&
      new Set(names).size === free.length &&
      free.every((one) => names.includes(one))
    if (!fits) refuse(409, 'STATE_CONFLICT', text('model.order-changed'))
    const next = names[Symbol.iterator]()
    return { ...group, fields: group.fields.map((name) => (isFree(name) ? String(next.next().value) : name)) }
  })
}

/** Groups of a tenant's changes: only those that differ from the product's, as written. */
export function groupsToStore(
  groups: readonly Group[],
  vendor: readonly Group[] | undefined,
  description: JsonObject,
  label: string,
): JsonObject {
  if (vendor === undefined)
    return {
      ...description,
      groups: groups.map((group) => ({
        ...group,
        label: labelText(group.label) || label,
        fields: group.fields.filter((name) => isDescribed(description, name)),
      })) as unknown as Json,
    }
  const changed = groups.filter(({ name, fields }) => {
    const shipped = vendor.find((one) => one.name === name)
    return shipped === undefined || JSON.stringify(shipped.fields) !== JSON.stringify(fields)
  })
  const declared = (Array.isArray(description.groups) ? description.groups : []).filter(isObject)
  const retained = declared.filter((one) => !groups.some(({ name }) => name === one.name))
  return {
    ...description,
    groups: [
      ...retained,
      ...changed.map((group) => ({ ...group, label: labelText(group.label) || label })),
    ] as unknown as Json,
  }
}

/** Whether the field is part of the description; the one added by the files behaviour never is. */
export const isDescribed = ({ fields }: JsonObject, name: string): boolean =>
  Array.isArray(fields) && fields.some((field) => isObject(field) && field.name === name)
