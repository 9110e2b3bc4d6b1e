import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  addToSlot,
  asSlots,
  moveInSlot,
  removeFromSlot,
  type Slots,
} from '../../runtime/core/widgets/slots.ts'

const BOUNDS = { key: 'common', min: 2, max: 5 }
const step = fc.oneof(
  fc.record({ do: fc.constant('add'), id: fc.nat(8) }),
  fc.record({ do: fc.constant('remove'), id: fc.nat(8) }),
  fc.record({
    do: fc.constant('move'),
    from: fc.integer({ min: -1, max: 6 }),
    to: fc.integer({ min: -1, max: 6 }),
  }),
)

it('no sequence of adding, removing and moving exceeds the bounds, duplicates an entry or changes another slot', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let slots: Slots = { common: [0, 1, 2], bottom: [7] }
      for (const one of steps) {
        if ('from' in one) slots = moveInSlot(slots, 'common', one.from, one.to)
        else slots = (one.do === 'add' ? addToSlot : removeFromSlot)(slots, BOUNDS, one.id)
      }
      const { common = [], bottom } = slots

      expect(common.length).toBeGreaterThanOrEqual(BOUNDS.min)
      expect(common.length).toBeLessThanOrEqual(BOUNDS.max)
      expect(new Set(common).size).toBe(common.length)
      expect(bottom).toEqual([7])
    }),
  )
})

it('moving there and back changes nothing', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 8 }), fc.nat(), fc.nat(), (ids, a, b) => {
      const [from, to] = [a % ids.length, b % ids.length]

      expect(moveInSlot(moveInSlot({ s: ids }, 's', from, to), 's', to, from)).toEqual({ s: ids })
    }),
  )
})

it('any value parses to slots, and slots parse to themselves', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const slots = asSlots(value as never)

      expect(asSlots(slots as never)).toEqual(slots)
    }),
  )
})
