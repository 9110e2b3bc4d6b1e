import fc from 'fast-check'
import pg from 'pg'
import { expect, it } from 'vitest'
import { COLUMN_READERS } from '../../../src/server/kernel/db/types.ts'

const MOMENT = 1184
const TEXTS = 1009
const ours = (oid: number, text: string): unknown => COLUMN_READERS[oid]?.(text)
const asPg = (oid: number, text: string): unknown =>
  (pg.types.getTypeParser(oid, 'text') as (text: string) => unknown)(text)
const two = (n: number): string => String(n).padStart(2, '0')

it('a time is parsed like pg parses it, in every format of PostgreSQL', () => {
  const written = fc
    .record({
      at: fc.date({
        min: new Date('0001-01-01T00:00:00Z'),
        max: new Date('9999-12-31T00:00:00Z'),
        noInvalidDate: true,
      }),
      digits: fc.integer({ min: 0, max: 6 }),
      zone: fc.constantFrom('+00', '+08', '-11', '+14', '+05:30', '-03:30', '+08:05:43'),
      era: fc.constantFrom('', '', '', ' BC'),
    })
    .map(({ at, digits, zone, era }) => {
      const fraction =
        digits === 0
          ? ''
          : `.${String(at.getUTCMilliseconds()).padStart(3, '0').padEnd(6, '7').slice(0, digits)}`
      const day = `${String(at.getUTCFullYear()).padStart(4, '0')}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`
      const time = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`
      return `${day} ${time}${fraction}${zone}${era}`
    })

  fc.assert(
    fc.property(written, (text) => {
      expect(ours(MOMENT, text)).toEqual(asPg(MOMENT, text))
    }),
  )
  expect(ours(MOMENT, '2026-11-25 10:23:11.04+00')).toEqual(new Date('2026-11-25T10:23:11.040Z'))
  for (const text of ['infinity', '-infinity', '12026-11-25 10:23:11+00'])
    expect(ours(MOMENT, text)).toEqual(asPg(MOMENT, text))
})

it('a list of texts is parsed like pg parses it, with and without quotes', () => {
  const quoted = (text: string): string => `"${text.replace(/(["\\])/g, '\\$1')}"`
  const item = fc.oneof(
    fc.string().map(quoted),
    fc.stringMatching(/^[\w一-龥-]+$/),
    fc.constantFrom('NULL', 'null', '"NULL"', 'NULLS'),
  )
  const literal = fc.array(item).map((items) => `{${items.join(',')}}`)

  fc.assert(
    fc.property(literal, (text) => {
      expect(ours(TEXTS, text)).toEqual(asPg(TEXTS, text))
    }),
  )
  expect(ours(TEXTS, '{重点,老客户}')).toEqual(['重点', '老客户'])
  expect(ours(TEXTS, '{{a,b},{c,d}}')).toEqual(asPg(TEXTS, '{{a,b},{c,d}}'))
})
