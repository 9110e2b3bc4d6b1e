import { expect, it } from 'vitest'
import { createPageClock } from '../../../src/app/device/page-clock.ts'

const TRUE = Date.UTC(2026, 10, 28, 1, 30)
const HOUR = 3_600_000

/** What a page takes for the time after an answer, in hours from the true one. */
function wrongBy(
  hours: number,
  zone: number,
  date: string | undefined = new Date(TRUE).toUTCString(),
): number {
  const device = { now: () => TRUE + hours * HOUR, after: () => () => undefined }
  const pages = createPageClock(device, () => zone)
  pages.hear(date)
  return (pages.clock.now() - TRUE) / HOUR
}

it.each([
  ['a day ahead', 24, 480, 0],
  ['three days behind', -72, 480, 0],
  ['half an hour ahead', 0.5, 480, 0],
  ['a minute ahead, as an answer that took long', 1 / 60, 480, 1 / 60],
  ['right, of a traveller', 0, 60, 0],
  ['a day ahead, of a traveller', 24, 60, 0],
  ['eight hours ahead, so that the wrong zone shows the right time', 8, 0, 8],
])('quick dates follow the time of the server where the clock is %s', (_, hours, zone, left) => {
  expect(wrongBy(hours, zone)).toBeCloseTo(left)
})

it('an answer without a date, and a clock that was put right, leave the clock alone', () => {
  expect(wrongBy(24, 480, '')).toBe(24)

  let now = TRUE + 24 * HOUR
  const pages = createPageClock({ now: () => now, after: () => () => undefined }, () => 480)
  pages.hear(new Date(TRUE).toUTCString())
  now = TRUE
  pages.hear(new Date(TRUE).toUTCString())
  expect(pages.clock.now()).toBe(TRUE)
})
