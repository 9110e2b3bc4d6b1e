import { isObject, type Json, type JsonObject, listOf } from '../../../../runtime/core/json.ts'
import { asksNothing, orderedBy, widgetsAsking } from '../../../model/convert-view.ts'
import type { Field } from '../../../model/description.ts'
import { FACES, faceOf } from '../../../model/filter-faces.ts'
import { extName, ownName } from '../../../model/form-fields.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import type { Asking } from '../asking/asking.ts'
import { fieldAt, lastKinds } from '../model/overrides.ts'
import { derivedWords } from '../model/tenant-pages.ts'
import { text } from '../text/text.ts'

/** What is kept of a view. */
export interface SavedView {
  readonly request: JsonObject
  readonly state: JsonObject
  /** Labels of fields that were taken out of it. */
  readonly lost: readonly string[]
}

/** A field of the module, as requests and screens name it, and what of it is offered now. */
interface Known {
  readonly field: Field
  readonly called: string
  readonly drawn: string
  readonly filters: boolean
  readonly sorts: boolean
}

/**
 * Views as they can be used now: what they ask by fields that are gone, retired or not offered any more is left out and named in `lost_text`.
 * It stays saved, for such a field may come back. Fields that came later are emptied by every view.
 *
 * @param entity  as views are saved under: a module of the product, or `m.<name>`
 */
export async function shownViews<Row extends SavedView>(
  views: readonly Row[],
  entity: string,
  asking: Asking,
): Promise<readonly (Row & { readonly lost_text: string })[]> {
  const module = asking.model.modules.get(entity.replace(/^m\./, ''))
  const known = views.length === 0 || module === undefined ? [] : await knownFields(module, asking)
  return views.map((view) => {
    const gone = known.filter((one) => asksInVain(view, one))
    const lost = [...new Set([...view.lost, ...gone.map(({ field }) => labelText(field.label))])]
    return {
      ...view,
      state: { ...emptied(known, view), ...without(view.state, known) },
      request: withoutAsked(view.request, known),
      lost,
      lost_text: lost.length === 0 ? '' : text('view.lost', { fields: lost.join('、') }),
    }
  })
}

/** Fields of the tenant's own, those that were taken away included. */
async function knownFields(module: MergedModule, { trx, caller }: Asking): Promise<readonly Known[]> {
  const isWhole = module.origin === 'tenant'
  const own = module.fields.filter(({ origin }) => isWhole || origin === 'tenant')
  const there = own.map((field) => known(field, isWhole, isOffered(field, module)))
  const names = new Set(module.fields.map(({ name }) => name))
  const gone: Known[] = []
  for (const [name, { version }] of await lastKinds(trx, caller.tenantId, module.name)) {
    if (names.has(name)) continue
    const field = await fieldAt(trx, caller.tenantId, module.name, { name, version })
    if (field !== undefined) gone.push(known(field, isWhole, { filters: false, sorts: false }))
  }
  return [...there, ...gone]
}

const known = (field: Field, isWhole: boolean, offered: Pick<Known, 'filters' | 'sorts'>): Known => ({
  field,
  called: isWhole ? field.name : extName(field.name),
  drawn: isWhole ? field.name : ownName(field.name),
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

const isIts = (one: Json, { called }: Known): boolean => isObject(one) && one.field === called
const isOrder = (state: JsonObject, { called, drawn }: Known): boolean =>
  [called, drawn].includes(orderedBy(state.sort))
const asking = ({ field, drawn }: Known): readonly string[] => [
  `f_${drawn}`,
  ...widgetsAsking(field, drawn, derivedWords()),
]

function asksInVain({ state, request }: SavedView, one: Known): boolean {
  const filters =
    asking(one).some((name) => !asksNothing(state[name])) ||
    listOf(request.filters).some((filter) => isIts(filter, one))
  const sorts = isOrder(state, one) || listOf(request.sort).some((sort) => isIts(sort, one))
  return (filters && !one.filters) || (sorts && !one.sorts)
}

/** What a screen holds that asks by none of the fields there are. */
function emptied(fields: readonly Known[], { state }: SavedView): JsonObject {
  const missing = fields
    .filter((one) => one.filters && asking(one).every((name) => !(name in state)))
    .flatMap(({ field, drawn }) => {
      const face = faceOf(field)
      const empty = face === null ? null : (FACES[face].empty ?? null)
      return widgetsAsking(field, drawn, derivedWords()).map((name): [string, Json] => [name, empty])
    })
  return Object.keys(state).length === 0 ? {} : Object.fromEntries(missing)
}

function without(state: JsonObject, fields: readonly Known[]): JsonObject {
  const gone = new Set(fields.filter(({ filters }) => !filters).flatMap(asking))
  const kept = Object.fromEntries(Object.entries(state).filter(([name]) => !gone.has(name)))
  return fields.some((one) => !one.sorts && isOrder(state, one)) ? { ...kept, sort: '' } : kept
}

function withoutAsked(request: JsonObject, fields: readonly Known[]): JsonObject {
  const left = (key: 'filters' | 'sorts', part: Json | undefined) =>
    listOf(part).filter((one) => !fields.some((field) => !field[key] && isIts(one, field)))
  return {
    ...request,
    ...(Array.isArray(request.filters) ? { filters: left('filters', request.filters) } : {}),
    ...(Array.isArray(request.sort) ? { sort: left('sorts', request.sort) } : {}),
  }
}
