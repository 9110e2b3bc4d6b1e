import fc from 'fast-check'
import type { Edit } from '../../runtime/core/edit/edit.ts'
import { type Item, itemsOf, PAGE, SLOTS } from '../../runtime/core/edit/entries.ts'
import type { Json, JsonObject } from '../../runtime/core/json.ts'

/** Numbers that select an edit; their meaning depends on the page. */
export interface Dice {
  readonly act: number
  readonly item: number
  readonly other: number
  readonly index: number
  readonly key: string
  readonly value: Json
}

const KEYS = ['label', 'name', 'hint', 'required', 'on', 'a/b', 'a~b', 'toString', '__proto__', '标签']

export const dice: fc.Arbitrary<Dice> = fc.record({
  act: fc.nat({ max: 10 }),
  item: fc.nat({ max: 10_000 }),
  other: fc.nat({ max: 10_000 }),
  index: fc.nat({ max: 6 }),
  key: fc.constantFrom(...KEYS),
  value: fc
    .oneof(
      fc.string({ unit: 'grapheme' }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom<Json>({}, [], { and: [{ var: 'form.a' }, false] }, ['甲', '乙']),
    )
    .map((value) => value as Json),
})

/** An edit of the page in its current state. */
export function editBy(document: Json, { act, item, other, index, key, value }: Dice): Edit {
  const items = [...itemsOf(document).values()]
  const one = items[item % Math.max(1, items.length)]
  if (one === undefined || act === 0)
    return { do: 'insert', spot: { into: PAGE, slot: 'widgetList', index }, item: made(item) }
  const spot = spotIn(items, other, index)
  switch (act) {
    case 1:
      return { do: 'insert', spot, item: made(other) }
    case 2:
      return { do: 'remove', id: one.key }
    case 3:
    case 4:
      return { do: 'move', id: one.key, spot }
    case 5:
      return { do: 'set', id: one.key, path: ['options', key], value }
    case 6:
      return {
        do: 'set',
        id: one.key,
        path: ['options', Object.keys(one.written.options ?? {})[index] ?? key],
      }
    case 7:
      return { do: 'set', path: ['formConfig', 'page', key], value }
    case 8: {
      // A whole value that differs in a small part.
      const options = (one.written.options ?? {}) as JsonObject
      return {
        do: 'set',
        id: one.key,
        path: ['options'],
        value: { [key]: value, ...options, list: [value, key] },
      }
    }
    case 9: {
      const { [Object.keys(one.written)[index] ?? 'options']: _, ...less } = one.written
      return { do: 'set', id: one.key, path: [], value: { ...less, [key]: value } }
    }
    default:
      return {
        do: 'set',
        id: one.key,
        path: ['options', 'on', key],
        value: [value, ...(index > 3 ? [key] : [])],
      }
  }
}

function spotIn(items: readonly Item[], other: number, index: number) {
  const places = [{ into: PAGE, slot: 'widgetList' as const }].concat(
    items.flatMap(({ key, written }) =>
      SLOTS.filter((slot) => Array.isArray(written[slot])).map((slot) => ({
        into: key,
        slot: slot as 'widgetList',
      })),
    ),
  )
  const place = places[other % places.length] ?? { into: PAGE, slot: 'widgetList' as const }
  return { ...place, index }
}

const made = (seed: number): JsonObject =>
  seed % 3 === 0
    ? {
        type: 'cell-group',
        ...(seed % 2 === 0 ? { id: `g${seed}` } : {}),
        options: { name: `group${seed % 5}` },
        widgetList: [],
      }
    : { type: 'input', options: { name: `field${seed % 7}`, label: '新\n"标签"' } }
