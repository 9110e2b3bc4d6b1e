import { expect, it } from 'vitest'
import { createMinuteCounts } from '../../../src/server/kernel/security/minute-counts.ts'

const HOUR_MS = 3_600_000

it('counts by key for a minute from the first call, and returns the remaining time', () => {
  let now = 5_000
  const counts = createMinuteCounts(() => now)

  expect([counts.add('a').count, counts.add('a').count, counts.add('b').count]).toEqual([1, 2, 1])
  now += 45_500
  expect(counts.add('a')).toEqual({ count: 3, seconds: 15 })
  now += 14_500
  expect(counts.add('a')).toEqual({ count: 1, seconds: 60 })
})

it('does not count for an hour if its clock is set back', () => {
  let now = 10 * HOUR_MS
  const counts = createMinuteCounts(() => now)
  for (let n = 0; n < 600; n += 1) counts.add('a')

  now -= HOUR_MS

  expect(counts.add('a')).toEqual({ count: 1, seconds: 60 })
})

it('holds a bounded number of keys: expired keys are removed first, then the oldest', () => {
  let now = 0
  const counts = createMinuteCounts(() => now)
  counts.add('first')
  for (let n = 0; n < 9_999; n += 1) counts.add(`key ${n}`)
  expect(counts.add('last').count).toBe(1)
  expect(counts.add('key 5000').count).toBe(2)
  expect(counts.add('first').count).toBe(1)

  now += 61_000
  for (let n = 0; n < 10_001; n += 1) counts.add(`later ${n}`)
  expect(counts.add('later 10000').count).toBe(2)
})
