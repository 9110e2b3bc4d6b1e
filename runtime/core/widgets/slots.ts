import { isObject, type Json, type JsonObject } from '../json.ts'

/** Chosen ids per slot, in order. */
export type Slots = Readonly<Record<string, readonly Json[]>>

/** A declared slot: the minimum and maximum number of entries, both included. */
export interface SlotBounds {
  readonly key: string
  readonly min: number
  readonly max: number
}

/** Any value as slots: lists of distinct ids; anything else in it is dropped. */
export function asSlots(value: Json): Slots {
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).map(([key, ids]) => [key, Array.isArray(ids) ? [...new Set<Json>(ids)] : []]),
  )
}

/** The slots with an id added; unchanged if the slot is full or has it. */
export function addToSlot(slots: Slots, { key, max }: SlotBounds, id: Json): Slots {
  const ids = slots[key] ?? []
  return ids.length >= max || ids.includes(id) ? slots : { ...slots, [key]: [...ids, id] }
}

/** The slots with an id removed; unchanged at the minimum of the slot. */
export function removeFromSlot(slots: Slots, { key, min }: SlotBounds, id: Json): Slots {
  const ids = slots[key] ?? []
  return ids.length <= min || !ids.includes(id)
    ? slots
    : { ...slots, [key]: ids.filter((other) => other !== id) }
}

/** The slots with one id moved within its slot; unchanged for an invalid position. */
export function moveInSlot(slots: Slots, key: string, from: number, to: number): Slots {
  const ids = slots[key] ?? []
  const moved = ids[from]
  if (moved === undefined || to < 0 || to >= ids.length || from === to) return slots
  const others = ids.filter((_, i) => i !== from)
  return { ...slots, [key]: [...others.slice(0, to), moved, ...others.slice(to)] }
}

/** Declared slots, from an option or a bound answer. */
export function boundsOf(raw: JsonObject): SlotBounds & { readonly title: string } {
  const { key, title, min, max } = raw
  return {
    key: typeof key === 'string' ? key : '',
    title: typeof title === 'string' ? title : '',
    min: typeof min === 'number' ? min : 0,
    max: typeof max === 'number' ? max : Number.POSITIVE_INFINITY,
  }
}
