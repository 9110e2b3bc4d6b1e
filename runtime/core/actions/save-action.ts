import { isObject, type Json } from '../json.ts'
import type { Text } from '../ports.ts'
import type { Action } from './action-host.ts'

const BACK: Json = [{ do: 'back' }]
/** Path of the edited record as it was read. */
const RECORD = 'data.detail.record'

/**
 * A `save` as the corresponding `submit`: to `dsName`, or to `create` for a new record and to `update` for an existing one; then it shows a message
 * and goes
 * back, unless the page says otherwise (PAGE-FORMAT, "Actions").
 *
 * @param isNew  the page edits no record
 */
export function asSubmission(action: Action, isNew: boolean, text: Text): Action {
  const { dsName, create, update, base, saved, then, changed, queue, queueChanged, queued, ...more } = action
  const isOne = typeof dsName === 'string'
  const after = isOne || isNew ? then : changed
  const waitsAs = isOne || isNew ? queue : queueChanged
  const done = saved === '' ? [] : [{ do: 'toast', text: saved ?? text('form.saved'), icon: 'success' }]
  return {
    ...more,
    do: 'submit',
    dsName: isOne ? dsName : ((isNew ? create : update) ?? (isNew ? 'create' : 'update')),
    ...(isOne ? { base: base ?? null } : isNew ? {} : { base: base ?? RECORD }),
    ...(typeof waitsAs === 'string'
      ? { queue: waitsAs, queued: queued ?? [{ do: 'toast', text: text('form.queued') }, ...listOf(BACK)] }
      : {}),
    then: [...done, ...listOf(after ?? BACK)],
  }
}

const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value])

/** The wording of a question from the server: the page's, or for a save the server's own. */
export function questionOf(action: Action, code: string, fallback: Json | undefined): Json | undefined {
  const question = isObject(action.ask) ? action.ask[code] : undefined
  return question ?? (code === '' ? undefined : fallback)
}
