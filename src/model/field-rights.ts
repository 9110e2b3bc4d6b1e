import { isObject, type Json, type JsonObject, objectsIn, ownValue } from '../../runtime/core/json.ts'
import type { Field, KindName } from './description.ts'
import { extName } from './form-fields.ts'
import type { MergedField, MergedModule } from './merge-module.ts'

/** Under which name roles keep rights to the fields of a module: `customer`; as its permissions are named, `m.ticket`. */
export const rightsEntity = ({ name, origin }: Pick<MergedModule, 'name' | 'origin'>): string =>
  origin === 'tenant' ? `m.${name}` : name

/** What they call a field of it: `level`; where a tenant added it to a module of the product, `ext.wechat`. */
export const rightName = (
  module: Pick<MergedModule, 'origin'>,
  { name, origin }: Pick<MergedField, 'name' | 'origin'>,
): string => (module.origin === 'vendor' && origin === 'tenant' ? extName(name) : name)

/** Where rules read the right to a field. */
export const addressOf = (
  module: Pick<MergedModule, 'name' | 'origin'>,
  field: Pick<MergedField, 'name' | 'origin'>,
): string => `${rightsEntity(module)}.${rightName(module, field)}`

/** Kinds of which a part of the value is shown when masked; anything else says all of it even in part, as a code does, or cannot be shown in part. */
const IN_PART: ReadonlySet<KindName> = new Set(['text', 'long-text', 'phone', 'email', 'url'])

/** A masked value of the field is shown in part; a computed one would tell of what it follows from. */
export const isShownInPart = ({ kind, worked }: Pick<Field, 'kind' | 'worked'>): boolean =>
  IN_PART.has(kind) && worked === undefined

const rightTo = (address: string): JsonObject => ({ var: `user.fieldRights.${address}` })

/** True for who sees a field in full. @param address  `customer.level`, `customer.ext.wechat`, `m.ticket.title` */
export const seenRule = (address: string): JsonObject => ({
  '!': { in: [rightTo(address), ['hidden', 'masked']] },
})

/** True for who may write it. */
export const writtenRule = (address: string): JsonObject => ({ '!': rightTo(address) })

/** A body without the values of fields that its reader may not write: a field they do not even see would say what its page begins with. */
export const writtenOnly = (entity: string, body: JsonObject): JsonObject => ({
  $without: rightTo(entity),
  ...body,
})

/** The widget shown only where the rule holds as well. */
function shownOnly(widget: JsonObject, rule: JsonObject): JsonObject {
  const options = isObject(widget.options) ? widget.options : {}
  const shown = ownValue(options, 'visibleOn')
  return {
    ...widget,
    options: { ...options, visibleOn: shown === undefined ? rule : { and: [shown, rule] } },
  }
}

/** A widget that asks for records by a field, for who sees the field in full. */
export const askedWith = (widget: JsonObject, address: string): JsonObject =>
  shownOnly(widget, seenRule(address))

/** A widget that sets a field, for who may write it. */
export const setWith = (widget: JsonObject, address: string): JsonObject =>
  shownOnly(widget, writtenRule(address))

/** A widget that sets one of several, for who may write any of them. */
export const setWithAny = (widget: JsonObject, addresses: readonly string[]): JsonObject =>
  shownOnly(widget, { or: addresses.map(writtenRule) })

/** True for a page that may be opened with a record; one that takes no `id` makes new ones only. */
export const takesRecord = (page: Json): boolean =>
  objectsIn(ownValue(ownValue(ownValue(page, 'formConfig'), 'page'), 'params')).some(
    ({ name }) => name === 'id',
  )

/**
 * A widget of a form as the right to its field leaves it: gone for who does not see the field in full, read-only for who may not write it, and gone
 * then on the form of a new record, too (DOMAIN 2.3). What the page itself says of the two holds beside it.
 * @param ofRecord  the page may be opened with a record (`takesRecord`)
 */
export function withRight(widget: JsonObject, address: string, ofRecord: boolean): JsonObject {
  const options = isObject(widget.options) ? widget.options : {}
  if (options.hidden === true) return widget
  const right = rightTo(address)
  const fixed = ownValue(options, 'readonlyOn')
  if (!ofRecord) return setWith(widget, address)
  const seen = { or: [writtenRule(address), { and: [seenRule(address), { '!!': { var: 'params.id' } }] }] }
  const readonlyOn = fixed === undefined ? { '!!': right } : { or: [fixed, { '!!': right }] }
  return shownOnly({ ...widget, options: { ...options, readonlyOn } }, seen)
}
