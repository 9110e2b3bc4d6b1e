import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dateTimeText, instantOf, wallTimeOf } from '../../../src/server/kernel/time/zone.ts'

/** Zones with odd offsets, clock changes at a minute past midnight or by half an hour, and across the date line. */
const ZONES = [
  'Asia/Shanghai',
  'Europe/Berlin',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Gaza',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'Africa/Monrovia',
  'UTC',
]

const shownBy = (instant: number, zone: string): string =>
  new Date(instant).toLocaleString('sv-SE', { timeZone: zone, hourCycle: 'h23' })

it('a time is written as the local time of the zone, to the second, also around clock changes', () => {
  const moment = fc.integer({
    min: Date.UTC(1901, 0, 1) / 1000,
    max: Date.UTC(2060, 0, 1) / 1000,
  })
  const change = fc.constantFrom(
    Date.UTC(2024, 2, 31, 1) / 1000,
    Date.UTC(2007, 2, 11, 3, 31) / 1000,
    Date.UTC(2023, 9, 1, 15) / 1000 - 1800,
    Date.UTC(2011, 11, 30, 10) / 1000,
    Date.UTC(1986, 5, 1) / 1000,
    Date.UTC(1972, 0, 7, 0, 44, 30) / 1000,
  )
  const nearChange = fc.tuple(change, fc.integer({ min: -100_000, max: 100_000 })).map(([at, by]) => at + by)
  fc.assert(
    fc.property(fc.oneof(moment, nearChange), fc.constantFrom(...ZONES), (seconds, zone) => {
      expect(dateTimeText(new Date(seconds * 1000), zone)).toBe(shownBy(seconds * 1000, zone))
    }),
    { numRuns: 3000 },
  )
})

it('milliseconds are kept, and converting back returns the same time outside clock changes', () => {
  const instant = Date.UTC(2026, 10, 22, 11, 30, 15, 123)
  for (const zone of ZONES) {
    expect(wallTimeOf(new Date(instant), zone) % 1000).toBe(123)
    expect(instantOf(wallTimeOf(new Date(instant), zone), zone).getTime()).toBe(instant)
  }
})
