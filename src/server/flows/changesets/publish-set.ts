import { type JsonObject, sameJson } from '../../../../runtime/core/json.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import {
  applyAll,
  changedSince,
  doingOf,
  type Hand,
  refuseUndone,
  revertAll,
  tellingOfModules,
} from './apply.ts'
import { type ChangeSet, changeSet, holdSet, itemsOf, refuseOutOf } from './store.ts'

/** What was published or taken back: for the audit row and for who asked. */
export interface SetWritten {
  readonly recordId: string
  readonly detail: JsonObject
  readonly data: JsonObject
}

/**
 * Publishes everything in a set, or nothing.
 * @throws Refusal 409 where somebody has changed one of the things meanwhile, 400 where one cannot be published; `data.items` has them all
 */
export async function publishSet(set: ChangeSet, hand: Hand): Promise<SetWritten> {
  const { asking } = await doingOf(set, hand)
  const items = await itemsOf(set.id, asking)
  if (items.length === 0) refuse(409, 'STATE_CONFLICT', text('changeset.empty'))
  const outcomes = await tellingOfModules(items, hand, async () => {
    const tried = await applyAll(set, items, hand)
    refuseUndone(tried)
    return tried
  })
  const { userId } = asking.caller
  await changeSet(
    set,
    { status: 'published', published_by: userId, published_at: asking.now, publish_at: null, failure: '' },
    asking,
  )
  const changes = outcomes.flatMap(({ item, done }) =>
    (done?.words ?? []).map((one) => `${item.title}: ${one}`),
  )
  return {
    recordId: set.id,
    detail: { title: set.title, note: set.note, changes },
    data: { id: set.id, changes: items.length },
  }
}

/**
 * Takes everything a set has published back, or nothing.
 * @param anyway  also where somebody has changed one of the things since
 */
export async function rollBackSet(id: string, anyway: boolean, hand: Hand): Promise<SetWritten> {
  const set = await holdSet(id, hand)
  refuseOutOf(['published'], set)
  const doing = await doingOf(set, hand)
  const items = await itemsOf(id, hand)
  const changed = await changedSince(items, doing, sameJson)
  if (changed.length > 0 && !anyway)
    refuse(
      409,
      'STATE_CONFLICT',
      text('changeset.changed-after', { names: changed.map(({ title }) => title).join('、') }),
      {
        data: { items: changed.map(({ kind, name, title }) => ({ kind, name, title })) },
      },
    )
  await tellingOfModules(items, hand, () => revertAll(set, items, hand))
  await changeSet(set, { status: 'back' }, doing.asking)
  return {
    recordId: id,
    detail: { title: set.title, changes: items.map(({ title }) => title) },
    data: { id },
  }
}
