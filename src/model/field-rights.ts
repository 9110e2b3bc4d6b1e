import { isObject, type JsonObject, ownValue } from '../../runtime/core/json.ts'

const rightTo = (address: string): JsonObject => ({ var: `user.fieldRights.${address}` })

/** True for who sees a field in full. @param address  `customer.level`, `customer.ext.wechat` */
const seenRule = (address: string): JsonObject => ({
  '!': { in: [rightTo(address), ['hidden', 'masked']] },
})

/** A widget that asks for records by a field, for who sees the field in full. */
export function askedWith(widget: JsonObject, address: string): JsonObject {
  const options = isObject(widget.options) ? widget.options : {}
  const shown = ownValue(options, 'visibleOn')
  const seen = seenRule(address)
  return {
    ...widget,
    options: { ...options, visibleOn: shown === undefined ? seen : { and: [shown, seen] } },
  }
}

/**
 * A widget of a form as the right to its field leaves it: gone for who does not see the field in full, read-only for who may not write it, and gone
 * then on the form of a new record, too (DOMAIN 2.3). What the page itself says of the two holds beside it.
 */
export function withRight(widget: JsonObject, address: string): JsonObject {
  const options = isObject(widget.options) ? widget.options : {}
  if (options.hidden === true) return widget
  const right = rightTo(address)
  const seen = { or: [{ '!': right }, { and: [seenRule(address), { '!!': { var: 'params.id' } }] }] }
  const shown = ownValue(options, 'visibleOn')
  const fixed = ownValue(options, 'readonlyOn')
  return {
    ...widget,
    options: {
      ...options,
      visibleOn: shown === undefined ? seen : { and: [shown, seen] },
      readonlyOn: fixed === undefined ? { '!!': right } : { or: [fixed, { '!!': right }] },
    },
  }
}
