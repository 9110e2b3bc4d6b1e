import fc from 'fast-check'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'

const nested = (depth: number): Json => Array.from({ length: depth }).reduce<Json>((inner) => [inner], 1)

/** Values that an attacker, a broken client or another version could send instead of any other. */
const HOSTILE: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  0.1,
  -0.005,
  1e15,
  2 ** 31,
  2 ** 53 + 2,
  1e21,
  1e308,
  '',
  ' ',
  '0',
  'x',
  '你好 👩‍👩‍👧 ﷽ \u202e‏',
  'Ａ１\u3000e\u0301\ufeff',
  '\u0000',
  '\ud800',
  'x'.repeat(64),
  'x'.repeat(65),
  '长'.repeat(2000),
  "'; drop table customer; --",
  '%_\\',
  '{{1}}$1',
  '../../../etc/passwd',
  '//evil.example',
  '__proto__',
  'constructor',
  'toString',
  'NaN',
  'Infinity',
  '1e400',
  'tmp:1',
  '{"a":1}',
  'null',
  '2026-02-29',
  '2026-13-01',
  '0000-01-01',
  '0001-01-01',
  '0001-01-01 00:00:00',
  '0099-12-31 23:59',
  '9999-12-31',
  '9999-12-31 23:59:59',
  '2026-03-20 24:00:00',
  '2026-03-20T10:00:00Z',
  '+275760-09-13',
  '1969-12-31 23:59:59',
  [],
  [null],
  [''],
  [[]],
  [{}],
  ['x', 1, null],
  Array.from({ length: 300 }, (_, i) => `x${i}`),
  ['2026-01-01', '0001-01-01'],
  ['9999-12-31', '9999-12-31'],
  {},
  { id: 1 },
  { length: 3 },
  { toString: 1, valueOf: 1 },
  { value: { value: { value: 1 } } },
  nested(40),
  Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, i])),
]

type Path = readonly (string | number)[]

/** Every position in a value, including the value itself. */
function placesOf(value: Json | undefined, at: Path = []): readonly Path[] {
  const inner = Array.isArray(value)
    ? value.flatMap((it, i) => placesOf(it, [...at, i]))
    : isObject(value)
      ? Object.entries(value).flatMap(([key, it]) => placesOf(it, [...at, key]))
      : []
  return [at, ...inner]
}

function put(value: Json | undefined, [first, ...rest]: Path, it: Json | undefined): Json | undefined {
  if (first === undefined) return it
  if (Array.isArray(value)) return value.map((old, i) => (i === first ? (put(old, rest, it) ?? null) : old))
  const object: JsonObject = isObject(value) ? value : {}
  return { ...object, [first]: put(object[first], rest, it) }
}

/** A mutation of a body: hostile values at some of its positions. Numbers are positions and values, taken modulo their count. */
export type Change = readonly (readonly [number, number])[]

export const changes: fc.Arbitrary<Change> = fc.array(fc.tuple(fc.nat(9999), fc.nat(HOSTILE.length)), {
  minLength: 1,
  maxLength: 3,
})

/** The mutated body; the number after the last value removes the position. */
export function changed(body: JsonObject, change: Change): Json | undefined {
  return change.reduce<Json | undefined>((value, [place, choice]) => {
    const places = placesOf(value)
    return put(value, places[place % places.length] ?? [], HOSTILE[choice])
  }, body)
}
