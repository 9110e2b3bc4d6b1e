import { isObject, type Json, type JsonObject, listOf } from '../../../../runtime/core/json.ts'
import { isEmptyFilter, orderedBy, widgetsAsking } from '../../../model/convert-view.ts'
import type { Field } from '../../../model/description.ts'
import { rightName } from '../../../model/field-rights.ts'
import { FACES, faceOf } from '../../../model/filter-faces.ts'
import { extName, ownName } from '../../../model/form-fields.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { isClear } from '../auth/field-rights.ts'
import type { CallContext } from '../context/call-context.ts'
import { fieldAt, lastKinds } from '../model/overrides.ts'
import { derivedWords } from '../model/tenant-pages.ts'
import { text } from '../text/text.ts'

/** The stored content of a view. */
export interface SavedView {
  readonly request: JsonObject
  readonly state: JsonObject
  /** Labels of fields that were removed from it. */
  readonly lost: readonly string[]
}

/** A field of the module, as requests and screens name it, and how it is currently offered. */
interface Known {
  readonly field: Field
  readonly called: string
  readonly drawn: string
  readonly filters: boolean
  readonly sorts: boolean
  /** The reader does not see its values, and must not find them out through a view of somebody who does. */
  readonly hidden: boolean
}

/**
 * Views as they can be used now: conditions on fields that are gone, retired, no longer offered or not shown to the reader are left out
 * and named in `lost_text`. They stay stored, because such a field may come back. Fields added later are empty in every view.
 *
 * @param entity  the name under which views are stored: a module of the product, or `m.<name>`
 */
export async function shownViews<Row extends SavedView>(
  views: readonly Row[],
  entity: string,
  ctx: CallContext,
): Promise<readonly (Row & { readonly lost_text: string })[]> {
  const module = ctx.model.modules.get(entity.replace(/^m\./, ''))
  const known = views.length === 0 || module === undefined ? [] : await knownFields(module, entity, ctx)
  return views.map((view) => {
    const removed = known.filter((one) => usesMissingField(view, one))
    const labels = (hidden: boolean) =>
      removed.filter((one) => one.hidden === hidden).map(({ field }) => labelText(field.label))
    const unusable = [...new Set([...view.lost, ...labels(false)])]
    const unseen = [...new Set(labels(true))]
    return {
      ...view,
      state: { ...emptied(known, view), ...without(view.state, known) },
      request: withoutFields(view.request, known),
      lost: [...unusable, ...unseen],
      lost_text: [
        ...(unusable.length === 0 ? [] : [text('view.lost', { fields: unusable.join('、') })]),
        ...(unseen.length === 0 ? [] : [text('view.unseen', { fields: unseen.join('、') })]),
      ].join('；'),
    }
  })
}

const NOT_OFFERED = { filters: false, sorts: false } as const

/** The tenant's own fields, including removed ones, and fields of the product that the reader does not see. */
async function knownFields(
  module: MergedModule,
  entity: string,
  { trx, caller }: CallContext,
): Promise<readonly Known[]> {
  const isOwnModule = module.origin === 'tenant'
  const there = module.fields.flatMap((field): readonly Known[] => {
    const isHidden = !isClear(caller, entity, rightName(module, field))
    if (isHidden)
      return [{ ...known(field, isOwnModule || field.origin === 'vendor', NOT_OFFERED), hidden: true }]
    return field.origin === 'vendor' && !isOwnModule
      ? []
      : [known(field, isOwnModule, isOffered(field, module))]
  })
  const names = new Set(module.fields.map(({ name }) => name))
  const removed: Known[] = []
  for (const [name, { version }] of await lastKinds(trx, caller.tenantId, module.name)) {
    if (names.has(name)) continue
    const field = await fieldAt(trx, caller.tenantId, module.name, { name, version })
    if (field !== undefined) removed.push(known(field, isOwnModule, NOT_OFFERED))
  }
  return [...there, ...removed]
}

/** @param isPlain  it is named directly, not as a tenant's own field in a module of the product */
const known = (field: Field, isPlain: boolean, offered: Pick<Known, 'filters' | 'sorts'>): Known => ({
  field,
  called: isPlain ? field.name : extName(field.name),
  drawn: isPlain ? field.name : ownName(field.name),
  hidden: false,
  ...offered,
})

function isOffered(field: MergedField, { statuses }: MergedModule): Pick<Known, 'filters' | 'sorts'> {
  const isThere = field.retired !== true
  const { index, sorts } = kindOf(field.kind)
  return {
    filters:
      isThere &&
      index !== null &&
      (field.filter === true || field.inverse !== undefined || statuses?.field === field.name),
    sorts: isThere && field.sort === true && sorts === true,
  }
}

const isIts = (condition: Json, { called }: Known): boolean =>
  isObject(condition) && condition.field === called
const isOrder = (state: JsonObject, { called, drawn }: Known): boolean =>
  [called, drawn].includes(orderedBy(state.sort))
const ctx = ({ field, drawn }: Known): readonly string[] => [
  `f_${drawn}`,
  ...widgetsAsking(field, drawn, derivedWords()),
]

function usesMissingField({ state, request }: SavedView, field: Known): boolean {
  const filters =
    ctx(field).some((name) => !isEmptyFilter(state[name])) ||
    listOf(request.filters).some((filter) => isIts(filter, field))
  const sorts = isOrder(state, field) || listOf(request.sort).some((sort) => isIts(sort, field))
  return (filters && !field.filters) || (sorts && !field.sorts)
}

/** Values of a screen that are not conditions on any of the existing fields. */
function emptied(fields: readonly Known[], { state }: SavedView): JsonObject {
  const missing = fields
    .filter((field) => field.filters && ctx(field).every((name) => !(name in state)))
    .flatMap(({ field, drawn }) => {
      const face = faceOf(field)
      const empty = face === null ? null : (FACES[face].empty ?? null)
      return widgetsAsking(field, drawn, derivedWords()).map((name): [string, Json] => [name, empty])
    })
  return Object.keys(state).length === 0 ? {} : Object.fromEntries(missing)
}

function without(state: JsonObject, fields: readonly Known[]): JsonObject {
  const removedKeys = new Set(fields.filter(({ filters }) => !filters).flatMap(ctx))
  const retained = Object.fromEntries(Object.entries(state).filter(([name]) => !removedKeys.has(name)))
  return fields.some((field) => !field.sorts && isOrder(state, field)) ? { ...retained, sort: '' } : retained
}

function withoutFields(request: JsonObject, fields: readonly Known[]): JsonObject {
  const withoutRemoved = (key: 'filters' | 'sorts', part: Json | undefined) =>
    listOf(part).filter((one) => !fields.some((field) => !field[key] && isIts(one, field)))
  return {
    ...request,
    ...(Array.isArray(request.filters) ? { filters: withoutRemoved('filters', request.filters) } : {}),
    ...(Array.isArray(request.sort) ? { sort: withoutRemoved('sorts', request.sort) } : {}),
  }
}
