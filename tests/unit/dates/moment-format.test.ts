import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { momentFormats, orderMoments, shownMoment } from '../../../runtime/core/dates/moment-format.ts'
import { readTime, timeParts, writeTime } from '../../../runtime/core/dates/time-text.ts'

const half = { hour: 8, minute: 5, second: 9 }

describe('a time of day', () => {
  it.each([
    ['HH:mm', '08:05'],
    ['HH:mm:ss', '08:05:09'],
    ['HH时mm分', '08时05分'],
    ['HH', '08'],
    ['mm:ss', '05:09'],
    ['H点m分', '8点5分'],
    ['hh:mm A', '08:05 AM'],
  ])('is written as %s: %s', (format, text) => expect(writeTime(half, format)).toBe(text))

  it.each([
    ['HH时mm分', ['hour', 'minute']],
    ['HH', ['hour']],
    ['mm:ss', ['minute', 'second']],
    ['HH:mm:ss', ['hour', 'minute', 'second']],
    ['', ['hour', 'minute']],
  ])('has in %s the parts %j', (format, parts) => expect(timeParts(format)).toEqual(parts))

  it('survives a round trip in any format that contains all of it', () => {
    const part = (max: number) => fc.integer({ min: 0, max })
    fc.assert(
      fc.property(
        fc.record({ hour: part(23), minute: part(59), second: part(59) }),
        fc.constantFrom('HH:mm:ss', 'H时m分s秒', 'hh.mm.ss a', 'A h:m:s'),
        (time, format) => {
          expect(readTime(writeTime(time, format), format)).toEqual(time)
        },
      ),
    )
  })

  it('is also parsed from common notations, but not from invalid texts', () => {
    expect(readTime('08:05', 'HH时mm分')).toEqual({ hour: 8, minute: 5, second: 0 })
    expect(readTime('08:05:09', 'HH:mm')).toEqual(half)
    expect(readTime('25:00', 'HH:mm')).toBeNull()
    expect(readTime('早上', 'HH:mm')).toBeNull()
  })
})

describe('a time with different display and storage formats', () => {
  it('is shown in the one and stored in the other', () => {
    const formats = momentFormats({ format: 'YYYY年MM月DD日', valueFormat: 'YYYY-MM-DD HH:mm:ss' })
    expect(shownMoment('2024-05-06 00:00:00', formats)).toBe('2024年05月06日')
    expect(shownMoment('明天', formats)).toBe('明天')
    expect(shownMoment('08:30:00', momentFormats({ format: 'HH时mm分', valueFormat: 'HH:mm:ss' }))).toBe(
      '08时30分',
    )
  })

  it('uses one format for both if only one is given, without seconds if they are hidden', () => {
    expect(momentFormats({ format: 'HH:mm' })).toEqual({ shown: 'HH:mm', stored: 'HH:mm' })
    expect(momentFormats({ format: 'HH:mm:ss', hideSecond: true })).toEqual({
      shown: 'HH:mm',
      stored: 'HH:mm',
    })
    expect(
      momentFormats({ format: 'YYYY年MM月DD日 HH时mm分ss秒', valueFormat: '', hideSecond: true }).stored,
    ).toBe('YYYY年MM月DD日 HH时mm分')
  })

  it('is read from the stored value if its seconds are hidden', () => {
    const formats = momentFormats({
      format: 'YYYY-MM-DD HH:mm',
      valueFormat: 'YYYY-MM-DD HH:mm:ss',
      hideSecond: true,
    })
    expect(shownMoment('2026-12-01 10:30:00', formats)).toBe('2026-12-01 10:30')
  })

  it('is ordered by time, not alphabetically', () => {
    const days = momentFormats({ format: 'DD/MM/YYYY HH:mm' })
    expect(orderMoments('02/03/2024 08:00', '28/02/2024 09:00', days)).toEqual([
      '28/02/2024 09:00',
      '02/03/2024 08:00',
    ])
    expect(orderMoments('9时', '10时', momentFormats({ format: 'H时' }))).toEqual(['9时', '10时'])
  })
})
