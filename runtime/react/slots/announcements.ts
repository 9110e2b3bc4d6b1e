import type { Announcements, UniqueIdentifier } from '@dnd-kit/core'
import type { Text } from '../../core/ports.ts'

interface Read {
  readonly text: Text
  readonly titleOf: (id: UniqueIdentifier) => string
  /** From 1. */
  readonly placeOf: (id: UniqueIdentifier) => number
  readonly count: number
}

/** What a screen reader says while an entry is moved. */
export function announcementsOf({ text, titleOf, placeOf, count }: Read): Announcements {
  const say = (code: string, id: UniqueIdentifier, over: UniqueIdentifier | undefined) =>
    text(code, { title: titleOf(id), place: placeOf(over ?? id), count })
  return {
    onDragStart: ({ active }) => say('widget.slots.picked', active.id, undefined),
    onDragOver: ({ active, over }) => say('widget.slots.moved', active.id, over?.id),
    onDragEnd: ({ active, over }) => say('widget.slots.dropped', active.id, over?.id),
    onDragCancel: ({ active }) => say('widget.slots.cancelled', active.id, undefined),
  }
}
