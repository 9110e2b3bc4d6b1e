import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayAt, dayText } from '../../../runtime/core/dates/day.ts'
import { keysOf, momentOfWheels, wheelsOf } from '../../../runtime/core/dates/wheels.ts'

const bounds = { start: '1920-01-01 00:00:00', end: '2120-12-31 23:59:59' }
const aMoment = fc
  .tuple(fc.integer({ min: -15_000, max: 50_000 }), fc.integer({ min: 0, max: 86_399 }))
  .map(([day, seconds]) => `${dayText(dayAt(day))} ${new Date(seconds * 1000).toISOString().slice(11, 19)}`)

describe('wheels', () => {
  it('stop at the end of a shorter month, and return to the wanted day', () => {
    const february = ['2026', '2', '31']
    expect(momentOfWheels(february, bounds, 'day')).toBe('2026-02-28 00:00:00')
    expect(wheelsOf(february, bounds, 'day')[2]?.at(-1)).toEqual({ key: '31', number: 28 })
    expect(momentOfWheels(['2026', '3', '31'], bounds, 'day')).toBe('2026-03-31 00:00:00')
    expect(momentOfWheels(['2024', '2', '30'], bounds, 'day')).toBe('2024-02-29 00:00:00')
  })

  it('offer only values between the first and the last moment', () => {
    const near = { start: '2026-03-10 08:30:00', end: '2026-03-12 09:15:00' }
    const numbers = (keys: readonly string[]) =>
      wheelsOf(keys, near, 'minute').map((wheel) => [wheel[0]?.number, wheel.at(-1)?.number])
    expect(numbers(['2026', '3', '10', '8', '0'])).toEqual([
      [2026, 2026],
      [3, 3],
      [10, 12],
      [8, 23],
      [30, 59],
    ])
    expect(numbers(['2026', '3', '11', '8', '0'])[3]).toEqual([0, 23])
    expect(numbers(['2026', '3', '12', '9', '0']).slice(3)).toEqual([
      [0, 9],
      [0, 15],
    ])
  })

  it('show the time they were set to, always within their bounds', () => {
    fc.assert(
      fc.property(aMoment, aMoment, aMoment, (moment, a, b) => {
        const [start = '', end = ''] = [a, b].sort()
        const picked = momentOfWheels(keysOf(moment, 'second'), { start, end }, 'second')
        expect(picked >= start && picked <= end).toBe(true)
        if (moment >= start && moment <= end) expect(picked).toBe(moment)
      }),
    )
  })

  it('have a line for their value, whatever was turned before', () => {
    const key = fc.integer({ min: 0, max: 2200 }).map(String)
    fc.assert(
      fc.property(fc.array(key, { minLength: 6, maxLength: 6 }), aMoment, aMoment, (keys, a, b) => {
        const [start = '', end = ''] = [a, b].sort()
        const wheels = wheelsOf(keys, { start, end }, 'second')
        expect(wheels.map((wheel, i) => wheel.filter((item) => item.key === keys[i]).length)).toEqual([
          1, 1, 1, 1, 1, 1,
        ])
      }),
    )
  })
})
